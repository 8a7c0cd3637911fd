// Finding the row with a number in a log that only pages by time: dragging far through a long list (UI.md, Requests).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPlace } from '../../renderer/requests/list-loads.ts';
import { NOON } from './support/rows.ts';

const logOf = (times: readonly number[]) => ({ oldest: async () => times.at(-1) ?? null, since: async (at: number) => times.filter((time) => time >= at).length });

describe('a place in the list', () => {
  it('is told with the exact number of rows above it, however unevenly they came', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 3_000 }), fc.nat(), async (ages, pick) => {
      const times = ages.map((age) => NOON - age).sort((a, b) => b - a);
      const place = await findPlace(pick % times.length, times.length, NOON, {}, logOf(times));
      expect(place?.offset).toBe(times.filter((time) => time >= (place?.at ?? 0)).length);
    }), { numRuns: 40 });
  });

  it('comes close in a few questions when rows came evenly, and is near where a burst lies', async () => {
    const even = Array.from({ length: 100_000 }, (_, n) => NOON - n * 1_000);
    let questions = 0;
    const log = logOf(even);
    const place = await findPlace(70_000, even.length, NOON, {}, { ...log, since: (at) => { questions += 1; return log.since(at); } });
    expect(Math.abs((place?.offset ?? 0) - 70_000)).toBeLessThan(300);
    expect(questions).toBe(1);
    const burst = [...Array.from({ length: 50_000 }, (_, n) => NOON - n), ...Array.from({ length: 50_000 }, (_, n) => NOON - 86_400_000 * 20 - n * 10)];
    expect(Math.abs(((await findPlace(60_000, burst.length, NOON, {}, logOf(burst)))?.offset ?? 0) - 60_000)).toBeLessThan(10_001);
  });

  it('is an estimate where counting takes too long, and none in an empty log', async () => {
    expect(await findPlace(500, 1_000, NOON, {}, { oldest: async () => NOON - 1_000, since: async () => null })).toEqual({ at: NOON - 500, offset: 500 });
    expect(await findPlace(5, 10, NOON, {}, { oldest: async () => null, since: async () => 0 })).toBeNull();
  });
});
