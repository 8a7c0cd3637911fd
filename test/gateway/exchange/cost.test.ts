// A row says what its answer cost when it ends (SPEC 12.1: `cost_micros`, null when unpriced).
import { describe, expect, it } from 'vitest';
import type { TokenCounts } from '../../../shared/cost.ts';
import { routeSchema } from '../../../shared/route.ts';
import { answered, createExchangeRig, overloaded } from '../../support/exchange-rig.ts';

const usage = { input: 31, output: 7, cacheRead: 3, cacheWrite: null, reasoning: null };
const says = (model: string | null) => ({ answers: { facts: { model, usage, finishReason: 'stop' } } });

/** A rig that prices whatever has one of these names, and notes what it was asked. */
function pricing(prices: Readonly<Record<string, number>>, options: Parameters<typeof createExchangeRig>[0] = {}) {
  const asked: { models: readonly (string | null)[]; tokens: TokenCounts }[] = [];
  const rig = createExchangeRig(options);
  Object.assign(rig.parts, { costOf: (models: readonly (string | null)[], tokens: TokenCounts) => {
    asked.push({ models, tokens });
    return models.map((model) => (model === null ? undefined : prices[model])).find((one) => one !== undefined) ?? null;
  } });
  return { rig, asked };
}

describe('the cost of an exchange', () => {
  it('is that of the tokens its answer told, by the model the answer named', async () => {
    const { rig, asked } = pricing({ 'm-dated': 1_234 });
    rig.script('a', overloaded, says('m-dated'));
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ retries: 1, cost_micros: 1_234, input_tokens: 31 });
    // Once, at the end: not for the row that says it has begun.
    expect(asked).toHaveLength(1);
    expect(asked[0]?.tokens).toMatchObject({ input: 31, output: 7, cacheRead: 3 });
  });

  it('falls back to the name the upstream was asked for, not to what the client wanted', async () => {
    const routes = [routeSchema.parse({ id: 'r', pattern: '*', candidates: [{ upstream: 'a', model: 'renamed' }] })];
    const { rig } = pricing({ renamed: 5, 'm-test': 7 }, { routes });
    rig.script('a', says(null));
    expect((await rig.finish(rig.start({ model: 'm-test' }).done)).row.cost_micros).toBe(5);
  });

  it('is null when nobody knows the model, when nothing was told of tokens, and when nothing is priced at all', async () => {
    const unknown = pricing({});
    unknown.rig.script('a', says('m'));
    expect((await unknown.rig.finish(unknown.rig.start().done)).row.cost_micros).toBeNull();
    const untold = pricing({ 'm-served': 9 });
    untold.rig.script('a', answered);
    expect((await untold.rig.finish(untold.rig.start().done)).row.cost_micros).toBeNull();
    expect(untold.asked).toEqual([]);
    const plain = createExchangeRig();
    plain.script('a', says('m'));
    expect((await plain.finish(plain.start().done)).row.cost_micros).toBeNull();
  });
});
