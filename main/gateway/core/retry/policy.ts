import { hintedPauseMs, plainPauseMs } from '../../../../shared/backoff.ts';
import type { GiveUpReason } from '../../../../shared/failure.ts';
import type { ExchangePolicy } from '../../../../shared/policy.ts';

/** All that the decision may look at (SPEC 8.1). */
export interface RetryFacts {
  /** Rounds in which something was sent and failed: 1 after round 0. */
  readonly failedRounds: number;
  /** Whether any attempt of the exchange has failed for a transient reason (SPEC 7.2). */
  readonly transientSeen: boolean;
  /** Size of the next set. */
  readonly retryable: number;
  /** What the next set asks for, ms from now; null for plain backoff. */
  readonly hintMs: number | null;
  /** Since the arrival of the request. */
  readonly elapsedMs: number;
  /** Time to the hard deadline of a whole answer; null for streams. */
  readonly hardLeftMs: number | null;
  readonly lastAttemptMs: number;
  /** True when a token is there or the budget is off. */
  readonly budgetLeft: boolean;
  /** Drawn by the caller, [0, 1). */
  readonly jitterUnit: number;
}

/** Either how long to pause, or why not to try again. */
export type RetryDecision = { readonly retryAfterMs: number } | { readonly giveUp: GiveUpReason };

/** The one decision of this product: again after a pause, or give up because (SPEC 8.1). Pure; order of refusal is part of the contract. */
export function decide(policy: ExchangePolicy, facts: RetryFacts): RetryDecision {
  if (!policy.enabled || policy.deadlineMs === 0) return { giveUp: 'disabled' };
  if (!facts.transientSeen) return { giveUp: 'not_transient' };
  if (facts.retryable === 0) return { giveUp: 'no_candidate' };
  if (policy.maxAttempts > 0 && facts.failedRounds >= policy.maxAttempts) return { giveUp: 'attempts' };
  if (!facts.budgetLeft) return { giveUp: 'budget' };
  const leftMs = policy.deadlineMs - facts.elapsedMs;
  const retryAfterMs = facts.hintMs === null
    ? plainPauseMs(policy, facts.failedRounds, facts.jitterUnit)
    : hintedPauseMs(policy, facts.failedRounds, facts.jitterUnit, facts.hintMs, leftMs);
  if (retryAfterMs >= leftMs) return { giveUp: 'deadline' };
  if (facts.hardLeftMs !== null && retryAfterMs + facts.lastAttemptMs > facts.hardLeftMs) return { giveUp: 'hard_deadline' };
  return { retryAfterMs };
}

/** What is known about the running attempt when one asks whether a failure of it could still be cured (SPEC 6.1). */
export interface HoldFacts {
  /** The round of the running attempt, 0 for the first. */
  readonly round: number;
  /** When the attempt began, since the arrival. */
  readonly startedMs: number;
  /** From the arrival to the hard deadline; null for streams. */
  readonly hardDeadlineMs: number | null;
  readonly budgetLeft: boolean;
}

/**
 * Until when the opening of the running attempt is worth holding: ms since the arrival, `-Infinity` when nothing could be tried
 * even now. It is the moment from which `decide`, asked without a hint and with the lowest jitter, would give up.
 */
export function holdUntilMs(policy: ExchangePolicy, facts: HoldFacts): number {
  const decision = decide(policy, {
    failedRounds: facts.round + 1, transientSeen: true, retryable: 1, hintMs: null, elapsedMs: facts.startedMs,
    hardLeftMs: facts.hardDeadlineMs === null ? null : facts.hardDeadlineMs - facts.startedMs,
    lastAttemptMs: 0, budgetLeft: facts.budgetLeft, jitterUnit: 0,
  });
  if ('giveUp' in decision) return -Infinity;
  const deadlineMs = policy.deadlineMs - decision.retryAfterMs;
  if (facts.hardDeadlineMs === null) return deadlineMs;
  // The attempt grows while it runs, and its successor has to fit as well: t + pause + (t - started) = hard deadline.
  return Math.min(deadlineMs, (facts.hardDeadlineMs + facts.startedMs - decision.retryAfterMs) / 2);
}
