import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from '../../shared/backoff.ts';
import { FAILURE_CLASSES } from '../../shared/failure.ts';
import { decide, holdUntilMs } from '../../main/gateway/core/retry/policy.ts';
import { failsOver, isRetryable, nextRound } from '../../main/gateway/core/retry/rounds.ts';
import type { RoundResult } from '../../main/gateway/core/retry/rounds.ts';
import { replacesKept } from '../../main/gateway/core/retry/kept.ts';
import { anyFacts, anyPolicy, factsOf } from '../support/policy.ts';

// Planted bugs that these laws have been seen to catch:
// - `retryAfterMs > leftMs` instead of `>=` in decide: law 1 (pause ending on the deadline);
// - dropping the check of `deadlineMs === 0`: law 2;
// - `Math.min(laterMs, leftMs - 1)` without the outer `Math.max(askedMs, ...)`: law 3;
// - `hintMs` multiplied by a spread to both sides: law 3;
// - `failed !== 'request'` alone in failsOver: law 4;
// - a `Math.random()` in spread: law 5;
// - `earliest` of the schedule computed from the middle: the schedule law;
// - holdUntilMs without the halving for whole answers: the law of the hold.
const runs = { numRuns: 2_000 };

describe('laws of the decision (DESIGN 8)', () => {
  it('1: a pause never ends past the deadline', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      const decision = decide(policy, facts);
      if ('retryAfterMs' in decision) expect(facts.elapsedMs + decision.retryAfterMs).toBeLessThan(policy.deadlineMs);
    }), runs);
  });
  it('1: nor does a pause and another attempt end past the hard deadline', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      const decision = decide(policy, facts);
      if ('retryAfterMs' in decision && facts.hardLeftMs !== null) expect(decision.retryAfterMs + facts.lastAttemptMs).toBeLessThanOrEqual(facts.hardLeftMs);
    }), runs);
  });
  it('2: a wait of 0 gives no pause', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      expect(decide({ ...policy, deadlineMs: 0 }, facts)).toEqual({ giveUp: 'disabled' });
    }), runs);
  });
  it('3: never earlier than the upstream asked', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, fc.double({ min: 0.001, max: 600_000, noNaN: true }), (policy, facts, hintMs) => {
      const decision = decide(policy, { ...facts, hintMs });
      if ('retryAfterMs' in decision) expect(decision.retryAfterMs).toBeGreaterThanOrEqual(hintMs);
    }), runs);
  });
  it('3: a hint that fits before the deadline is not given up because of its own spread', () => {
    fc.assert(fc.property(anyPolicy, fc.double({ min: 0.001, max: 600_000, noNaN: true }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (policy, hintMs, jitterUnit) => {
      fc.pre(policy.enabled && policy.hint === 'follow' && policy.maxAttempts !== 1 && Math.max(hintMs, policy.hintMinMs) < policy.deadlineMs);
      expect(decide(policy, factsOf({ hintMs, jitterUnit }))).toHaveProperty('retryAfterMs');
    }), runs);
  });
  it('4: what is not transient is never tried again, and what ends the exchange never elsewhere', () => {
    for (const failed of FAILURE_CLASSES) {
      expect(isRetryable(failed, false)).toBe(failed === 'transient');
      expect(isRetryable(failed, true)).toBe(failed === 'transient' || failed === 'timeout');
      expect(failsOver(failed)).toBe(failed !== 'request' && failed !== 'cancelled');
    }
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      expect(decide(policy, { ...facts, transientSeen: false })).toHaveProperty('giveUp');
    }), runs);
  });
  it('5: same facts, same decision', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      expect(decide(policy, { ...facts })).toEqual(decide({ ...policy }, facts));
    }), runs);
  });
  it('every pause is a finite number of ms that is not negative', () => {
    fc.assert(fc.property(anyPolicy, anyFacts, (policy, facts) => {
      const decision = decide(policy, facts);
      if ('retryAfterMs' in decision) expect(Number.isFinite(decision.retryAfterMs) && decision.retryAfterMs >= 0).toBe(true);
    }), runs);
  });
});

describe('law of the hold (SPEC 6.1)', () => {
  it('a failure before the moment could still be retried with the lowest jitter, one after it could not', () => {
    fc.assert(fc.property(anyPolicy, fc.record({
      round: fc.integer({ min: 0, max: 50 }), startedMs: fc.integer({ min: 0, max: 600_000 }),
      hardDeadlineMs: fc.option(fc.integer({ min: 8_000, max: 3_598_000 })), budgetLeft: fc.boolean(),
    }), (policy, facts) => {
      const untilMs = holdUntilMs(policy, facts);
      const canRetryAt = (elapsedMs: number) => 'retryAfterMs' in decide(policy, factsOf({
        failedRounds: facts.round + 1, elapsedMs, hardLeftMs: facts.hardDeadlineMs === null ? null : facts.hardDeadlineMs - elapsedMs,
        lastAttemptMs: elapsedMs - facts.startedMs, budgetLeft: facts.budgetLeft, jitterUnit: 0,
      }));
      if (untilMs === -Infinity) expect(canRetryAt(facts.startedMs)).toBe(false);
      else {
        expect(untilMs).toBeGreaterThanOrEqual(facts.startedMs);
        if (untilMs - 1 > facts.startedMs) expect(canRetryAt(untilMs - 1)).toBe(true);
        expect(canRetryAt(untilMs + 1)).toBe(false);
      }
    }), runs);
  });
});

describe('laws of the rounds (SPEC 7.2, 7.3)', () => {
  const anyResult: fc.Arbitrary<RoundResult<number>> = fc.record({
    candidate: fc.integer(), standing: fc.constantFrom('untried', 'curable', 'limited', 'spent'),
    hintUntilMs: fc.option(fc.integer({ min: 0, max: 200_000 })),
  });
  const results = fc.array(anyResult, { maxLength: 6 });
  const nowMs = 10_000;
  it('the next set keeps the order, adds nobody and drops only the spent and those whose hint ends too late', () => {
    fc.assert(fc.property(results, fc.integer({ min: 0, max: 200_000 }), (all, deadlineAtMs) => {
      const next = nextRound(all, nowMs, deadlineAtMs);
      expect(all.filter((result) => next.set.includes(result))).toEqual(next.set);
      for (const dropped of all.filter((result) => !next.set.includes(result))) {
        expect(dropped.standing === 'spent' || (dropped.hintUntilMs ?? 0) >= deadlineAtMs).toBe(true);
      }
      expect(next.set.some((result) => result.standing === 'spent')).toBe(false);
    }), runs);
  });
  it('a hint counts only when every candidate that can be cured has one running, and then the smallest', () => {
    fc.assert(fc.property(results, fc.integer({ min: 0, max: 200_000 }), (all, deadlineAtMs) => {
      const next = nextRound(all, nowMs, deadlineAtMs);
      const waits = next.set.filter((result) => result.standing !== 'limited').map((result) => (result.hintUntilMs ?? nowMs) - nowMs);
      expect(next.curable).toBe(waits.length);
      expect(next.hintMs).toBe(waits.length > 0 && waits.every((wait) => wait > 0) ? Math.min(...waits) : null);
    }), runs);
  });
  it('the earliest reset of the rate limited counts, one that has passed as now, one past the deadline not at all (SPEC 11)', () => {
    const limited = (...untilMs: readonly number[]) => untilMs.map((hintUntilMs, candidate) => ({ candidate, standing: 'limited' as const, hintUntilMs }));
    expect(nextRound(limited(90_000, 30_000, 60_000), nowMs, 130_000)).toMatchObject({ resetMs: 20_000, curable: 0, hintMs: null });
    expect(nextRound(limited(9_000, 30_000), nowMs, 130_000).resetMs).toBe(0);
    expect(nextRound(limited(130_000), nowMs, 130_000)).toEqual({ set: [], curable: 0, hintMs: null, resetMs: null });
  });
  it('hints past the deadline end in `deadline`, not in `no_candidate` (SPEC 7.3)', () => {
    const next = nextRound([{ candidate: 1, standing: 'curable', hintUntilMs: 500_000 }], nowMs, 130_000);
    expect(next).toMatchObject({ curable: 1, hintMs: 490_000 });
  });
});

describe('law of the kept failure (SPEC 10.1)', () => {
  const ranked = [['request'], ['transient'], ['rate_limited'], FAILURE_CLASSES.filter((one) => !['request', 'transient', 'rate_limited'].includes(one))];
  const rankOf = (failed: string) => ranked.findIndex((classes) => (classes as readonly string[]).includes(failed));
  it('the newest of the highest rank is kept, whatever the order', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...FAILURE_CLASSES), { minLength: 1, maxLength: 8 }), (failures) => {
      let kept: number | null = null;
      for (const [index, failed] of failures.entries()) {
        const before = kept === null ? null : failures[kept] ?? null;
        if (replacesKept(before, failed)) kept = index;
      }
      const best = Math.min(...failures.map(rankOf));
      expect(kept).toBe(failures.findLastIndex((failed) => rankOf(failed) === best));
    }), runs);
  });
});

describe('law of the schedule', () => {
  it('shows exactly the retries that decide would start when every attempt fails at once', () => {
    fc.assert(fc.property(anyPolicy, (policy) => {
      const expected: number[] = [];
      let elapsedMs = 0;
      for (let failedRounds = 1; expected.length < 50; failedRounds++) {
        const decision = decide(policy, factsOf({ failedRounds, elapsedMs }));
        if (!('retryAfterMs' in decision)) break;
        elapsedMs += decision.retryAfterMs;
        expected.push(elapsedMs);
      }
      const shown = schedule(policy, { limit: 50 });
      expect(shown.map((retry) => retry.atMs)).toEqual(expected);
      for (const retry of shown) {
        expect(retry.earliestMs).toBeLessThanOrEqual(retry.atMs + 1e-6);
        expect(retry.latestMs).toBeGreaterThanOrEqual(retry.atMs - 1e-6);
        expect(retry.latestMs).toBeLessThanOrEqual(policy.deadlineMs);
      }
    }), runs);
  });
});
