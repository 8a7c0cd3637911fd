import { describe, expect, it } from 'vitest';
import { plainPauseMs, schedule } from '../../../shared/backoff.ts';
import { policyOf } from '../../support/policy.ts';

describe('the schedule of retries, as the window draws it (SPEC 8.2)', () => {
  it('patient: at about 2, 6, 14, 30 s and so on, the spread growing with every pause', () => {
    const retries = schedule(policyOf());
    expect(retries.map(({ atMs }) => atMs)).toEqual([2_000, 6_000, 14_000, 30_000, 46_000, 62_000, 78_000, 94_000, 110_000]);
    expect(retries[1]).toEqual({ retry: 2, atMs: 6_000, earliestMs: 4_800, latestMs: 7_200 });
    expect(retries.at(-1)).toEqual({ retry: 9, atMs: 110_000, earliestMs: 88_000, latestMs: 120_000 });
  });
  it('counts the time that attempts take', () => {
    expect(schedule(policyOf({ deadlineMs: 20_000 }), { attemptMs: 1_000 })).toEqual([
      { retry: 1, atMs: 3_000, earliestMs: 2_600, latestMs: 3_400 },
      { retry: 2, atMs: 8_000, earliestMs: 6_800, latestMs: 9_200 },
      { retry: 3, atMs: 17_000, earliestMs: 14_200, latestMs: 19_800 },
    ]);
  });
  it('follows what an upstream asks for', () => {
    expect(schedule(policyOf({ deadlineMs: 30_000 }), { hintMs: 10_000 })).toEqual([
      { retry: 1, atMs: 11_000, earliestMs: 10_000, latestMs: 12_000 },
      { retry: 2, atMs: 22_000, earliestMs: 20_000, latestMs: 24_000 },
    ]);
    expect(schedule(policyOf({ deadlineMs: 20_000 }), { hintMs: 9_500 }).map(({ atMs }) => atMs)).toEqual([10_450, 19_999]);
    expect(schedule(policyOf({ deadlineMs: 20_000 }), { hintMs: 19_500 }).map(({ atMs }) => atMs)).toEqual([19_999]);
    expect(schedule(policyOf({ deadlineMs: 20_000, jitter: 0 }), { hintMs: 15_000, attemptMs: 3_000 }).map(({ atMs }) => atMs)).toEqual([18_000]);
  });
  it('is empty when nothing would be tried again', () => {
    expect(schedule(policyOf({ enabled: false }))).toEqual([]);
    expect(schedule(policyOf({ deadlineMs: 0, baseMs: 0 }))).toEqual([]);
    expect(schedule(policyOf({ maxAttempts: 1 }))).toEqual([]);
  });
  it('a constant pause does not grow, whatever its maximum', () => {
    const policy = policyOf({ backoff: 'constant', baseMs: 500, maxMs: 60_000, jitter: 0 });
    expect([1, 2, 9].map((failedRounds) => plainPauseMs(policy, failedRounds, 0.5))).toEqual([500, 500, 500]);
  });
});
