// What an answer costs: by the price with the best match, cache apart, unknown never as 0 (SPEC 12.1: null when unpriced or untold).
import { describe, expect, it } from 'vitest';
import { costMicros, priceOf } from '../../../shared/cost.ts';
import { priceSchema, type TablePrice } from '../../../shared/prices.ts';
import table from '../../../main/prices/price-table.json' with { type: 'json' };

const price = (part: Partial<TablePrice> = {}): TablePrice => ({ model: 'm', input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, ...part });
const tokens = (part: Partial<Parameters<typeof costMicros>[1]> = {}) => ({ input: 1_000, output: 100, cacheRead: null, cacheWrite: null, ...part });
const TABLE: readonly TablePrice[] = table.prices;
const modelOf = (model: string, own: readonly TablePrice[] = []) => priceOf(model, { own, table: TABLE })?.model ?? null;

describe('the cost of tokens', () => {
  it('is tokens times the price of a million, in millionths of a dollar', () => {
    expect(costMicros(price(), tokens())).toBe(1_000 * 3 + 100 * 15);
  });

  it('prices what was read from a cache and written to it apart, as parts of the input', () => {
    expect(costMicros(price(), tokens({ input: 10_000, cacheRead: 6_000, cacheWrite: 1_000 }))).toBe(3_000 * 3 + 6_000 * 0.3 + 1_000 * 3.75 + 100 * 15);
  });

  it('prices a cache without a price of its own as other input', () => {
    expect(costMicros(price({ cacheRead: null, cacheWrite: null }), tokens({ cacheRead: 600, cacheWrite: 100 }))).toBe(1_000 * 3 + 100 * 15);
  });

  it('takes the dearer rates for the whole of a prompt that is longer than their bound, and not for one that is as long', () => {
    const long = price({ long: { over: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 } });
    expect(costMicros(long, tokens({ input: 200_000 }))).toBe(200_000 * 3 + 100 * 15);
    expect(costMicros(long, tokens({ input: 200_001, cacheRead: 100_000 }))).toBe(Math.round(100_001 * 6 + 100_000 * 0.6 + 100 * 22.5));
  });

  it('is rounded to whole millionths, and zero at a price of zero', () => {
    expect(costMicros(price({ input: 0.05, output: 0 }), tokens({ input: 10, output: 0 }))).toBe(1);
    expect(costMicros(price({ input: 0, output: 0 }), tokens())).toBe(0);
  });

  it.each([tokens({ input: null }), tokens({ output: null })])('is not known when a count was not told: %j', (untold) => {
    expect(costMicros(price(), untold)).toBeNull();
  });

  it('is never less than what the cache costs, also when an upstream counts its cache apart from the input', () => {
    expect(costMicros(price(), tokens({ input: 10, output: 0, cacheRead: 1_000 }))).toBe(300);
  });
});

describe('the price of a model', () => {
  it.each([
    ['claude-opus-4-5', 'claude-opus-4-5'],
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['claude-opus-5-5[1m]', 'claude-opus-5-5'],
    ['anthropic/claude-opus-4.5', 'claude-opus-4-5'],
    ['Claude-3-5-Sonnet-Latest', 'claude-3-5-sonnet'],
    ['claude-3-5-haiku-20241022', 'claude-3-5-haiku'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['openai/gpt-4.1', 'gpt-4.1'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash'],
    ['gemini-3.1-pro-preview', 'gemini-3.1-pro'],
    ['gemini-2.0-flash-001', 'gemini-2.0-flash'],
    ['grok-4-0709', 'grok-4'],
    ['mistral-large-2411', 'mistral-large-2411'],
    ['codestral-latest', 'codestral'],
  ])('of %s is that of %s', (model, named) => {
    expect(modelOf(model)).toBe(named);
  });

  it.each([
    'gpt-5.9', 'gpt-5-ultra', 'gpt-4', 'gpt-4-1106-preview', 'claude-opus-6', 'claude-opus', 'gemini-2.5-flash-image-preview', 'openai/gpt-5:free', 'accounts/host/models/gpt-5', 'llama3.3:70b', 'demo/flaky', '',
  ])('of %s is not guessed from a name that is like it', (model) => {
    expect(modelOf(model)).toBeNull();
  });

  it('is the user’s own wherever one matches, and of those the one with most letters', () => {
    const own = ['gpt-5*', 'gpt-*', '*'].map((model) => price({ model }));
    expect(modelOf('gpt-5', own)).toBe('gpt-5*');
    expect(modelOf('gpt-4o', own)).toBe('gpt-*');
    expect(modelOf('llama3.3:70b', own)).toBe('*');
    expect(modelOf('gpt-5', [price({ model: 'llama*' })])).toBe('gpt-5');
  });

  it('knows an own price by the name as it stands, too', () => {
    expect(modelOf('openai/gpt-5:free', [price({ model: 'openai/*:free' })])).toBe('openai/*:free');
  });
});

describe('the table', () => {
  it('holds prices that a user could have set, each model once, and says its day', () => {
    expect(TABLE.length).toBeGreaterThan(50);
    for (const { long, ...one } of TABLE) expect(priceSchema.safeParse(one).error, one.model).toBeUndefined();
    expect(new Set(TABLE.map(({ model }) => model)).size).toBe(TABLE.length);
    expect(table.asOf).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('has no rate that contradicts the others: reading a cache is never dearer than input, long prompts never cheaper', () => {
    for (const { model, input, output, cacheRead, cacheWrite, long } of TABLE) {
      expect(output, model).toBeGreaterThan(input);
      if (cacheRead !== null) expect(cacheRead, model).toBeLessThan(input);
      if (cacheWrite !== null) expect(cacheWrite, model).toBeGreaterThan(input);
      if (long !== undefined) expect(long.input > input && long.output > output, model).toBe(true);
    }
  });
});
