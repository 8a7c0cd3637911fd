// Settings > Prices: the user's own prices, the table, and models without any (UI.md: settings are saved at once, with undo).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { draftOf, readPrice } from '../../../renderer/settings/prices/price-draft.ts';
import { exchange } from '../support/rows.ts';
import { openSection } from './support.tsx';

const own = () => within(screen.getByRole('region', { name: 'Your prices' }));
const table = () => within(screen.getByRole('region', { name: 'Price table' }));
const dialog = async () => within(await screen.findByRole('dialog'));
const fill = (form: Awaited<ReturnType<typeof dialog>>, name: string, value: string) => fireEvent.change(form.getByRole('textbox', { name }), { target: { value } });
const rowsOf = (part: ReturnType<typeof own>) => part.getAllByRole('row').slice(1).map((row) => [...row.querySelectorAll('th, td')].slice(0, 5).map((cell) => cell.textContent));

describe('a price as it is typed', () => {
  it('is read with a point or a comma; an empty cache is as input', () => {
    expect(readPrice({ model: ' m-* ', input: '1,5', output: '0', cacheRead: '', cacheWrite: ' 2 ' })).toEqual({ ok: true, price: { model: 'm-*', input: 1.5, output: 0, cacheRead: null, cacheWrite: 2 } });
  });

  it.each([['-1'], ['10001'], ['abc'], [''], ['1e9'], ['Infinity'], ['NaN']])('is refused when it is %j', (input) => {
    expect(readPrice({ model: 'm', input, output: '1', cacheRead: '', cacheWrite: '' })).toEqual({ ok: false, faults: { input: 'number' } });
  });

  it('goes into the form and comes out as it was', () => {
    const price = { model: 'm', input: 0.05, output: 3, cacheRead: null, cacheWrite: 0 };
    expect(readPrice(draftOf(price))).toEqual({ ok: true, price });
  });
});

describe('own prices', () => {
  it('are added, refused with their range, and taken back', async () => {
    const { user, fake } = await openSection('Prices');
    expect(await screen.findByText('None of your own')).toBeTruthy();
    await user.click(own().getByRole('button', { name: 'Add price' }));
    const form = await dialog();
    fill(form, 'Model', 'my-model-*');
    fill(form, 'Input', '-3');
    fill(form, 'Output', '12.5');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect(form.getByText('A number from 0 to 10,000. Nothing was saved.')).toBeTruthy();
    expect(fake.asked.some(({ name }) => name === 'prices.set')).toBe(false);
    fill(form, 'Input', '3');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(rowsOf(own())).toEqual([['my-model-*', '$3.00', '$12.50', 'as input', 'as input']]));
    expect(fake.asked.filter(({ name }) => name === 'prices.set').map(({ argument }) => argument)).toEqual([{ price: { model: 'my-model-*', input: 3, output: 12.5, cacheRead: null, cacheWrite: null }, replaces: null }]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('None of your own')).toBeTruthy();
  });

  it('begin with the price of the table, stand above it, and give way to it when they are removed', async () => {
    const { user } = await openSection('Prices');
    await user.click(await screen.findByRole('button', { name: 'Set your own price for gpt-5-mini' }));
    const form = await dialog();
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Input' }).value).toBe('0.25');
    fill(form, 'Output', '1');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(rowsOf(own())).toEqual([['gpt-5-mini', '$0.25', '$1.00', '$0.025', 'as input']]));
    expect(table().getByText('yours counts')).toBeTruthy();
    await user.click(own().getByRole('button', { name: 'Remove the price of gpt-5-mini' }));
    expect(await screen.findByText('The price of gpt-5-mini was removed; the table counts.')).toBeTruthy();
    expect(table().queryByText('yours counts')).toBeNull();
  });

  it('change their pattern without leaving the old one behind, and undo brings that back', async () => {
    const { user } = await openSection('Prices');
    await user.click(await screen.findByRole('button', { name: 'Set your own price for o3' }));
    await user.click((await dialog()).getByRole('button', { name: 'Save' }));
    await user.click(await own().findByRole('button', { name: 'Edit the price of o3' }));
    const form = await dialog();
    fill(form, 'Model', 'o3-*');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(rowsOf(own()).map(([model]) => model)).toEqual(['o3-*']));
    const toast = (await screen.findByText('The price of o3-* was saved.')).parentElement as HTMLElement;
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(rowsOf(own()).map(([model]) => model)).toEqual(['o3']));
  });

  it('bring back the one whose pattern was taken, too', async () => {
    const { user, fake } = await openSection('Prices');
    const price = (model: string, input: number) => ({ model, input, output: 2, cacheRead: null, cacheWrite: null });
    for (const [model, input] of [['a', '1'], ['b', '7']] as const) {
      await user.click(await own().findByRole('button', { name: 'Add price' }));
      const form = await dialog();
      fill(form, 'Model', model);
      fill(form, 'Input', input);
      fill(form, 'Output', '2');
      await user.click(form.getByRole('button', { name: 'Save' }));
      await own().findByRole('button', { name: `Edit the price of ${model}` });
    }
    await user.click(own().getByRole('button', { name: 'Edit the price of a' }));
    const form = await dialog();
    fill(form, 'Model', 'b');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(own().queryByRole('button', { name: 'Edit the price of a' })).toBeNull());
    const toast = (await screen.findByText('The price of b was saved.')).parentElement as HTMLElement;
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(fake.asked.filter(({ name }) => name === 'prices.set').slice(-2).map(({ argument }) => argument)).toEqual([{ price: price('a', 1), replaces: null }, { price: price('b', 7), replaces: null }]));
  });

  it('are offered for models that tools have asked for and that have none', async () => {
    const { user } = await openSection('Prices', {}, { rows: [exchange({ model_asked: 'house-model', model_served: 'house-model' }), exchange({ id: 'x', model_asked: 'gpt-5', model_served: 'gpt-5' })] });
    await user.click(await screen.findByRole('button', { name: 'Set a price for house-model' }));
    expect((await dialog()).getByRole<HTMLInputElement>('textbox', { name: 'Model' }).value).toBe('house-model');
    expect(screen.queryByRole('button', { name: 'Set a price for gpt-5' })).toBeNull();
  });
});

describe('the table', () => {
  it('says its day, is searched, and shows what long prompts cost', async () => {
    const { user } = await openSection('Prices');
    expect(await screen.findByText(/as of .*2026/)).toBeTruthy();
    await user.type(table().getByRole('textbox', { name: 'Find a model' }), 'GEMINI-2.5-pro');
    await waitFor(() => expect(rowsOf(table())).toEqual([['gemini-2.5-proover 200,000 tokens', '$1.25$2.50', '$10.00$15.00', '$0.125$0.25', 'as inputas input']]));
    await user.type(table().getByRole('textbox', { name: 'Find a model' }), 'x');
    expect(await table().findByText('No model of the table has this in its name.')).toBeTruthy();
  });
});

describe('when main does not answer', () => {
  it('the form says so and stays', async () => {
    const { user, fake } = await openSection('Prices');
    fake.answer('prices.set', () => Promise.reject(new Error('gone')));
    await user.click(await screen.findByRole('button', { name: 'Add price' }));
    const form = await dialog();
    fill(form, 'Model', 'm');
    fill(form, 'Input', '1');
    fill(form, 'Output', '1');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect((await form.findByRole('alert')).textContent).toContain('could not reach');
  });
});
