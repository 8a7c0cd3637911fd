// SPEC 9.2: the order is always a permutation, and fair in the long run.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderCandidates } from '../../main/gateway/core/routing/strategies.ts';
import { STRATEGIES } from '../../shared/route.ts';

const candidates = fc.uniqueArray(fc.record({ upstreamId: fc.string({ minLength: 1, maxLength: 4 }), model: fc.constant(null), weight: fc.integer({ min: 1, max: 1_000 }) }), { selector: (one) => one.upstreamId, maxLength: 8 });
/** Dice that come out the same each time: xorshift. */
function dice(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
const named = (...weights: readonly number[]) => weights.map((weight, place) => ({ upstreamId: String.fromCharCode(97 + place), model: null, weight }));

describe('every strategy', () => {
  it.each(STRATEGIES)('%s: asks everybody exactly once, whatever the dice, the turn and the latencies are', (strategy) => {
    fc.assert(fc.property(candidates, fc.nat(), fc.array(fc.double({ min: 0, max: 0.9999999, noNaN: true }), { minLength: 1 }), fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.double({ min: 0, max: 1e6, noNaN: true })), (given, turn, draws, latencies) => {
      let drawn = 0;
      const order = orderCandidates(strategy, given, { turn, draw: () => draws[drawn++ % draws.length]!, latencyMs: (id) => (Object.hasOwn(latencies, id) ? latencies[id]! : null) });
      expect([...order].sort((x, y) => (x.upstreamId < y.upstreamId ? -1 : 1))).toEqual([...given].sort((x, y) => (x.upstreamId < y.upstreamId ? -1 : 1)));
    }));
  });

  it('priority keeps the order of the user', () => {
    fc.assert(fc.property(candidates, fc.nat(), (given, turn) => { expect(orderCandidates('priority', given, { turn, draw: () => 0, latencyMs: () => 1 })).toEqual(given); }));
  });
});

describe('fairness', () => {
  const facts = (turn: number, draw: () => number) => ({ turn, draw, latencyMs: () => null });

  it('round robin puts everybody first equally often, to the one', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 50 }), fc.nat(1_000_000), (size, rounds, start) => {
      const first = new Map<string, number>();
      for (let turn = start; turn < start + size * rounds; turn++) {
        const id = orderCandidates('round_robin', named(...Array.from({ length: size }, () => 1)), facts(turn, () => 0))[0]!.upstreamId;
        first.set(id, (first.get(id) ?? 0) + 1);
      }
      expect([...first.values()]).toEqual(Array.from({ length: size }, () => rounds));
    }));
  });

  const TURNS = 200_000;
  it.each([[[1, 1]], [[3, 1]], [[70, 20, 10]], [[1, 999]], [[5, 4, 3, 2, 1]]])('weights %j are kept within 1 % of all requests', (weights) => {
    const draw = dice(weights.length * 7_919);
    const given = named(...weights);
    const first = new Map<string, number>();
    for (let turn = 0; turn < TURNS; turn++) {
      const id = orderCandidates('weighted', given, facts(turn, draw))[0]!.upstreamId;
      first.set(id, (first.get(id) ?? 0) + 1);
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const { upstreamId, weight } of given) expect(Math.abs((first.get(upstreamId) ?? 0) / TURNS - weight / sum), upstreamId).toBeLessThan(0.01);
  });

  it('those that come second after the first has failed are in proportion to their weights, too', () => {
    const draw = dice(4_711);
    const second = { b: 0, c: 0 };
    let firstIsA = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      const order = orderCandidates('weighted', named(2, 3, 1), facts(turn, draw));
      if (order[0]!.upstreamId !== 'a') continue;
      firstIsA++;
      second[order[1]!.upstreamId as 'b' | 'c']++;
    }
    expect(Math.abs(second.b / firstIsA - 3 / 4)).toBeLessThan(0.01);
  });

  it('random puts everybody at every place equally often, within 1 %', () => {
    const draw = dice(99);
    const places = new Map<string, number>();
    for (let turn = 0; turn < TURNS; turn++) orderCandidates('random', named(1, 500, 9), facts(turn, draw)).forEach(({ upstreamId }, place) => { places.set(`${upstreamId}${place}`, (places.get(`${upstreamId}${place}`) ?? 0) + 1); });
    for (const [where, times] of places) expect(Math.abs(times / TURNS - 1 / 3), where).toBeLessThan(0.01);
    expect(places.size).toBe(9);
  });
});

// SPEC 9.2: tried upstreams only.
it('least latency asks the fastest first, and those never tried last, in their order', () => {
  fc.assert(fc.property(candidates, fc.array(fc.option(fc.integer({ min: 0, max: 50 }), { nil: null })), (given, measured) => {
    const latencyMs = (id: string) => measured[given.findIndex((one) => one.upstreamId === id)] ?? null;
    const order = orderCandidates('least_latency', given, { turn: 0, draw: () => 0, latencyMs });
    const keys = order.map(({ upstreamId }) => latencyMs(upstreamId) ?? Infinity);
    expect(keys).toEqual([...keys].sort((x, y) => (x === y ? 0 : x - y)));
    const untried = order.filter(({ upstreamId }) => latencyMs(upstreamId) === null);
    expect(untried).toEqual(given.filter(({ upstreamId }) => latencyMs(upstreamId) === null));
  }));
});
