import fc from 'fast-check';
import { DEFAULT_STATUSES } from '../../shared/policy.ts';
import type { ExchangePolicy } from '../../shared/policy.ts';
import type { RetryFacts } from '../../main/gateway/core/retry/policy.ts';

/** The patient policy with a wait of 120 s; fields can be replaced. */
export function policyOf(part: Partial<ExchangePolicy> = {}): ExchangePolicy {
  return {
    enabled: true, deadlineMs: 120_000, backoff: 'exponential', baseMs: 2_000, maxMs: 16_000, jitter: 0.2, maxAttempts: 0, hint: 'follow', hintMinMs: 250,
    statuses: DEFAULT_STATUSES, retryOnTimeout: false, attemptTimeoutMs: 0, ...part,
  };
}

/** Facts after round 0 with one candidate to retry, nothing in the way; fields can be replaced. */
export function factsOf(part: Partial<RetryFacts> = {}): RetryFacts {
  return {
    failedRounds: 1, transientSeen: true, retryable: 1, hintMs: null, elapsedMs: 0, hardLeftMs: null, lastAttemptMs: 0, budgetLeft: true, jitterUnit: 0.5, ...part,
  };
}

const wholeMs = (max: number) => fc.integer({ min: 0, max });
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** Every policy that the settings allow. */
export const anyPolicy: fc.Arbitrary<ExchangePolicy> = fc.record({
  enabled: fc.boolean(),
  deadlineMs: wholeMs(600).map((secs) => secs * 1_000),
  backoff: fc.constantFrom('exponential', 'full_jitter', 'constant'),
  baseMs: wholeMs(60_000),
  extraMs: wholeMs(540_000),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  maxAttempts: wholeMs(100),
  hint: fc.constantFrom('follow', 'floor'),
  hintMinMs: wholeMs(60_000),
}).map(({ extraMs, ...rest }) => policyOf({ ...rest, maxMs: rest.baseMs + extraMs }));

/** Every combination of facts. */
export const anyFacts: fc.Arbitrary<RetryFacts> = fc.record({
  failedRounds: fc.integer({ min: 1, max: 1_000 }),
  transientSeen: fc.boolean(),
  retryable: wholeMs(5),
  hintMs: fc.option(fc.double({ min: 0.001, max: 86_400_000, noNaN: true })),
  elapsedMs: fc.double({ min: 0, max: 700_000, noNaN: true }),
  hardLeftMs: fc.option(fc.double({ min: -10_000, max: 3_600_000, noNaN: true })),
  lastAttemptMs: fc.double({ min: 0, max: 600_000, noNaN: true }),
  budgetLeft: fc.boolean(),
  jitterUnit: unit,
});
