import type { FailureClass } from '../../../../shared/failure.ts';

/** How a candidate stands after a round. */
export type Standing =
  /** Not tried in this round. */
  | 'untried'
  /** Failed for a reason that sending again may cure. */
  | 'curable'
  /** Rate limited, with a reset that may be waited for (SPEC 11). */
  | 'limited'
  /** Out of the exchange. */
  | 'spent';

/** How a candidate of the set fared. */
export interface RoundResult<C> {
  readonly candidate: C;
  readonly standing: Standing;
  /** When its upstream wants to be asked again (monotonic ms); null without a hint. */
  readonly hintUntilMs: number | null;
}

/** The candidates of the next round, and when it may start. */
export interface NextRound<C> {
  readonly set: readonly RoundResult<C>[];
  /** How many of the set take part because a retry may cure them. */
  readonly curable: number;
  /** Smallest hint of the curable when every one of them has a hint that still runs, ms from now; else null (SPEC 7.3). */
  readonly hintMs: number | null;
  /** Earliest reset of the rate limited, ms from now; null without any (SPEC 11). */
  readonly resetMs: number | null;
}

/** Whether a failure of this class may be cured by sending the request again (SPEC 4.1). */
export function isRetryable(failed: FailureClass, retryOnTimeout: boolean): boolean {
  return failed === 'transient' || (failed === 'timeout' && retryOnTimeout);
}

/** Whether the next candidate is tried after a failure of this class (SPEC 4.1). */
export function failsOver(failed: FailureClass): boolean {
  return failed !== 'request' && failed !== 'cancelled';
}

/** Who takes part in the next round (SPEC 7.2, 7.3, 11). The set only shrinks by failures that cannot be cured and by hints past the deadline. */
export function nextRound<C>(results: readonly RoundResult<C>[], nowMs: number, deadlineAtMs: number): NextRound<C> {
  const fits = (result: RoundResult<C>) => (result.hintUntilMs ?? -Infinity) < deadlineAtMs;
  const curable = results.filter((result) => result.standing === 'untried' || result.standing === 'curable');
  const limited = results.filter((result) => result.standing === 'limited' && fits(result));
  const fitting = curable.filter(fits);
  // When hints alone empty the set, they stay for the decision, which then says `deadline` and not `no_candidate`.
  const asked = fitting.length > 0 ? fitting : curable;
  // A candidate without a hint, or whose hint has passed, can be asked at once: then plain backoff decides.
  const smallestMs = Math.min(Infinity, ...asked.map((result) => (result.hintUntilMs ?? nowMs) - nowMs));
  return {
    set: results.filter((result) => asked.includes(result) || limited.includes(result)),
    curable: asked.length,
    hintMs: smallestMs > 0 && smallestMs < Infinity ? smallestMs : null,
    resetMs: limited.length === 0 ? null : Math.max(0, Math.min(...limited.map((result) => (result.hintUntilMs ?? nowMs) - nowMs))),
  };
}
