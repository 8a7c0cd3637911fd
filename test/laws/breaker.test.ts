import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../shared/settings.ts';
import { CLOSED, admits, entered, failed, phaseOf, rested, succeeded, verdictsOf, withdrawn } from '../../main/gateway/core/routing/breaker.ts';
import type { Breaker, Entry } from '../../main/gateway/core/routing/breaker.ts';

// Planted bugs that these laws have been seen to catch: `probing` not set by a probe (two at once); a withdrawn probe that keeps
// `probing`; `nowMs <= openUntilMs` turned into `<`; a bypass failure that opens again; `coolMs * 2` without its maximum.
const settings = defaultSettings()['gateway.breaker'];
const times = (count: number, breaker: Breaker, nowMs = 0) => Array.from({ length: count }).reduce<Breaker>((state, _, index) => failed(state, 'normal', `x${index}`, settings, nowMs), breaker);

describe('the breaker of an upstream and model (SPEC 9.4)', () => {
  it('opens after three failed exchanges in a row, for 60 s', () => {
    expect(phaseOf(times(2, CLOSED), 1)).toBe('closed');
    const open = times(3, CLOSED);
    expect([phaseOf(open, 59_999), phaseOf(open, 60_000)]).toEqual(['open', 'half_open']);
    expect([admits(open, 59_999), admits(open, 60_000)]).toEqual([null, 'probe']);
  });
  it('a success in between ends the row', () => {
    expect(phaseOf(times(2, succeeded(times(2, CLOSED), 'normal', 'ok', settings, 0)), 1)).toBe('closed');
  });
  it('one exchange books one failure, however often it tries, and a later success turns it into one', () => {
    let breaker = CLOSED;
    for (let attempt = 0; attempt < 9; attempt++) breaker = failed(breaker, 'normal', 'same', settings, attempt);
    expect(breaker).toMatchObject({ failuresInRow: 1, openUntilMs: null });
    breaker = succeeded(breaker, 'normal', 'same', settings, 10);
    expect(verdictsOf(breaker, settings, 10)).toEqual([{ exchange: 'same', atMs: 10, failed: false }]);
    expect(breaker.failuresInRow).toBe(0);
  });
  it('opens when half of at least ten verdicts within 60 s are failures', () => {
    let breaker = CLOSED;
    for (let turn = 0; turn < 4; turn++) {
      breaker = failed(breaker, 'normal', `f${turn}`, settings, turn);
      breaker = succeeded(breaker, 'normal', `s${turn}`, settings, turn);
    }
    breaker = succeeded(breaker, 'normal', 's4', settings, 9);
    expect(phaseOf(failed(breaker, 'normal', 'f4', settings, 10), 11)).toBe('open');
    expect(phaseOf(failed(breaker, 'normal', 'f4', settings, 60_002), 60_003)).toBe('closed');
  });
  it('a failed probe doubles the time up to 600 s, a good one forgets everything', () => {
    let breaker = times(3, CLOSED);
    const lengths: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const nowMs = breaker.openUntilMs ?? 0;
      expect(admits(breaker, nowMs)).toBe('probe');
      breaker = failed(entered(breaker, 'probe'), 'probe', `p${turn}`, settings, nowMs);
      lengths.push((breaker.openUntilMs ?? 0) - nowMs);
    }
    expect(lengths).toEqual([120_000, 240_000, 480_000, 600_000, 600_000, 600_000]);
    expect(succeeded(entered(breaker, 'probe'), 'probe', 'ok', settings, 10)).toEqual(CLOSED);
  });
  it('a bypass is no probe: its failure neither doubles nor prolongs, its success closes', () => {
    const open = rested(times(3, CLOSED), 90_000);
    expect(failed(entered(open, 'bypass'), 'bypass', 'b', settings, 100)).toEqual(open);
    expect(succeeded(open, 'bypass', 'b', settings, 100)).toEqual(CLOSED);
  });
  it('an attempt that is withdrawn leaves the probe of another alone', () => {
    const probing = entered(times(3, CLOSED), 'probe');
    expect(withdrawn(probing, 'normal')).toEqual(probing);
    expect(withdrawn(probing, 'bypass')).toEqual(probing);
    expect(withdrawn(probing, 'probe')).toEqual({ ...probing, probing: false });
  });
  it('a good probe keeps a rest that began meanwhile, a good bypass ends it', () => {
    const resting = rested(times(3, CLOSED), 90_000);
    expect(succeeded(resting, 'probe', 'p', settings, 100).restUntilMs).toBe(90_000);
    expect(succeeded(resting, 'bypass', 'p', settings, 100).restUntilMs).toBe(-Infinity);
  });
  it('a bypass books nothing while the breaker is closed', () => {
    expect(failed(CLOSED, 'bypass', 'b', settings, 0)).toEqual(CLOSED);
  });
  it('less than half of ten verdicts leaves it closed', () => {
    let breaker = CLOSED;
    for (let turn = 0; turn < 6; turn++) breaker = succeeded(breaker, 'normal', `s${turn}`, settings, turn);
    for (let turn = 0; turn < 2; turn++) breaker = failed(breaker, 'normal', `f${turn}`, settings, turn);
    for (let turn = 6; turn < 8; turn++) breaker = succeeded(breaker, 'normal', `s${turn}`, settings, turn);
    for (let turn = 2; turn < 4; turn++) breaker = failed(breaker, 'normal', `f${turn}`, settings, turn);
    expect([verdictsOf(breaker, settings, 20).length, phaseOf(breaker, 20)]).toEqual([12, 'closed']);
  });
  it('a verdict leaves the window after exactly 60 s', () => {
    const breaker = succeeded(CLOSED, 'normal', 'old', settings, 0);
    expect(verdictsOf(succeeded(breaker, 'normal', 'new', settings, 59_999), settings, 59_999)).toHaveLength(2);
    expect(verdictsOf(succeeded(breaker, 'normal', 'new', settings, 60_000), settings, 60_000)).toHaveLength(1);
  });
  it('keeps a thousand verdicts at most, the newest', () => {
    let breaker = CLOSED;
    for (let turn = 0; turn < 2_500; turn++) breaker = succeeded(breaker, 'normal', `s${turn}`, settings, 1);
    const verdicts = verdictsOf(breaker, settings, 1);
    expect([verdicts.length, verdicts[0]?.exchange, verdicts.at(-1)?.exchange]).toEqual([1_000, 's1500', 's2499']);
    expect(breaker.newest?.count).toBeLessThanOrEqual(2_000);
  });
  it('a success that takes the place of a failure leaves the others as they were', () => {
    let breaker = failed(CLOSED, 'normal', 'x', settings, 1);
    for (let turn = 0; turn < 3; turn++) breaker = succeeded(breaker, 'normal', `s${turn}`, settings, 2);
    const before = breaker;
    breaker = succeeded(breaker, 'normal', 'x', settings, 3);
    expect(verdictsOf(breaker, settings, 3).map((one) => [one.exchange, one.failed])).toEqual([['s0', false], ['s1', false], ['s2', false], ['x', false]]);
    expect(verdictsOf(before, settings, 3).map((one) => one.exchange)).toEqual(['x', 's0', 's1', 's2']);
  });
  it('starts without any verdict', () => {
    expect(CLOSED).toEqual({ openUntilMs: null, coolMs: 0, failuresInRow: 0, newest: null, probing: false, restUntilMs: -Infinity });
  });
  it('rests for reasons of its own, never shorter than it was told before', () => {
    const resting = rested(rested(CLOSED, 5_000), 3_000);
    expect([admits(resting, 4_999), admits(resting, 5_000)]).toEqual([null, 'normal']);
  });
  it('an old success or failure of an attempt that began before it opened changes nothing', () => {
    const open = times(3, CLOSED);
    expect(failed(open, 'normal', 'late', settings, 1)).toEqual(open);
    expect(succeeded(open, 'normal', 'late', settings, 1)).toEqual(open);
  });
});

describe('law 8: whoever comes whenever', () => {
  type Move = { readonly waitMs: number; readonly does: 'ask' | 'success' | 'failure' | 'withdraw' };
  const move: fc.Arbitrary<Move> = fc.record({ waitMs: fc.integer({ min: 0, max: 90_000 }), does: fc.constantFrom('ask', 'ask', 'success', 'failure', 'withdraw') });
  it('open admits nobody before its time, half-open one probe at a time, and a cancelled probe gives its place back', () => {
    fc.assert(fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      let breaker = CLOSED;
      let nowMs = 0;
      let ids = 0;
      const running: { readonly entry: Entry; readonly id: string }[] = [];
      for (const { waitMs, does } of moves) {
        nowMs += waitMs;
        if (does === 'ask') {
          const entry = admits(breaker, nowMs);
          if (phaseOf(breaker, nowMs) === 'open') expect(entry).toBeNull();
          if (entry === 'probe') expect(running.filter((one) => one.entry === 'probe')).toHaveLength(0);
          if (phaseOf(breaker, nowMs) === 'half_open' && !running.some((one) => one.entry === 'probe')) expect(entry).toBe('probe');
          if (entry === null) continue;
          breaker = entered(breaker, entry);
          running.push({ entry, id: `e${ids++}` });
        } else {
          const one = running.shift();
          if (one === undefined) continue;
          if (does === 'success') breaker = succeeded(breaker, one.entry, one.id, settings, nowMs);
          else if (does === 'failure') breaker = failed(breaker, one.entry, one.id, settings, nowMs);
          else breaker = withdrawn(breaker, one.entry);
        }
        expect(verdictsOf(breaker, settings, nowMs).length).toBeLessThanOrEqual(1_000);
        expect(breaker.coolMs).toBeLessThanOrEqual(settings.max_cool_secs * 1_000);
      }
    }), { numRuns: 3_000 });
  });
});
