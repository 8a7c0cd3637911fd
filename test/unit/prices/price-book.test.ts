// The user's own prices beside the table: kept, replaced, removed, and used for the cost of answers.
import { describe, expect, it } from 'vitest';
import { openPriceBook } from '../../../main/prices/price-book.ts';
import { MOST_OWN_PRICES, type Price } from '../../../shared/prices.ts';

const price = (model: string, input = 1): Price => ({ model, input, output: 2, cacheRead: null, cacheWrite: null });
const tokens = { input: 1_000, output: 0, cacheRead: null, cacheWrite: null };

function shelf(kept?: unknown) {
  const state = new Map<string, unknown>(kept === undefined ? [] : [['prices', kept]]);
  let full = false;
  const part = { get: (key: string) => state.get(key), set: async (key: string, value: unknown) => { if (full) throw new Error('disk full'); state.set(key, JSON.parse(JSON.stringify(value))); } };
  return { state, part, fill: () => { full = true; }, open: () => openPriceBook(part) };
}

describe('the price book', () => {
  it('keeps an own price over a restart and prices by it', async () => {
    const { open } = shelf();
    expect(await open().set(price('gpt-5', 7), null)).toMatchObject({ ok: true, prices: { own: [price('gpt-5', 7)] } });
    expect(open().costOf(['gpt-5'], tokens)).toBe(7_000);
  });

  it('forgets what it had looked up when an own price comes or goes', async () => {
    const book = shelf().open();
    const listed = book.costOf(['gpt-5'], tokens);
    expect(book.costOf(['new-model'], tokens)).toBeNull();
    await book.set(price('*', 9), null);
    expect([book.costOf(['gpt-5'], tokens), book.costOf(['new-model'], tokens)]).toEqual([9_000, 9_000]);
    await book.remove('*');
    expect([book.costOf(['gpt-5'], tokens), book.costOf(['new-model'], tokens)]).toEqual([listed, null]);
  });

  it('has one price for a pattern, and an edited one leaves nothing behind', async () => {
    const book = shelf().open();
    await book.set(price('a'), null);
    await book.set(price('a', 2), null);
    await book.set(price('b', 3), 'a');
    expect(book.list().own).toEqual([price('b', 3)]);
  });

  it('takes the first model that has a price, and an untold count stays untold', () => {
    const book = shelf().open();
    expect(book.costOf([null, 'nobody-knows', 'gpt-5'], tokens)).toBe(1_250);
    expect(book.costOf(['gpt-5'], { ...tokens, output: null })).toBeNull();
    expect(book.costOf([null], tokens)).toBeNull();
  });

  it('leaves out what it cannot read and keeps the rest', () => {
    expect(shelf([price('a'), { model: 'b', input: -1 }, 'c']).open().list().own).toEqual([price('a')]);
    expect(shelf('nonsense').open().list().own).toEqual([]);
  });

  it('is as it was when the disk does not take a change', async () => {
    const { open, fill } = shelf();
    const book = open();
    await book.set(price('a'), null);
    fill();
    await expect(book.set(price('b'), null)).rejects.toThrow('disk full');
    await expect(book.remove('a')).rejects.toThrow('disk full');
    expect(book.list().own).toEqual([price('a')]);
  });

  it('takes as many own prices as it says and no more, but lets any of them be changed', async () => {
    const book = shelf(Array.from({ length: MOST_OWN_PRICES }, (_, n) => price(`m${n}`))).open();
    expect(await book.set(price('one-more'), null)).toEqual({ ok: false, problem: 'too_many' });
    expect(await book.set(price('renamed'), 'm0')).toMatchObject({ ok: true });
    expect(book.list().own).toHaveLength(MOST_OWN_PRICES);
  });
});
