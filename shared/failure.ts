/** Failure classes of an attempt, and what follows from each (SPEC 4.1). Closed: also i18n keys under `failure.class`. */
export const FAILURE_CLASSES = [
  'transient', 'rate_limited', 'quota', 'auth', 'model_missing', 'timeout', 'server', 'invalid', 'policy', 'request',
  'bad_address', 'cancelled',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Where in its life an attempt failed (SPEC 4.8). */
export const FAILURE_PHASES = ['connect', 'head', 'opening', 'body', 'after_content'] as const;
export type FailurePhase = (typeof FAILURE_PHASES)[number];

/** Why the gateway stopped trying (SPEC 8.5). Closed: also i18n keys under `give_up`. */
export const GIVE_UP_REASONS = [
  'not_transient', 'disabled', 'deadline', 'hard_deadline', 'attempts', 'budget', 'no_candidate', 'content_sent',
  'cancelled', 'stopping', 'user',
] as const;
export type GiveUpReason = (typeof GIVE_UP_REASONS)[number];

/** Why a pause ended (SPEC 13). Closed: also i18n keys under `pause.why`. */
export const PAUSE_ENDS = ['time', 'user', 'gone', 'stopping', 'wake'] as const;
export type PauseEnd = (typeof PAUSE_ENDS)[number];

/** What a pause waits for (SPEC 13). Closed: also i18n keys under `pause.reason`. */
export const PAUSE_REASONS = ['backoff', 'retry_after', 'rate_limit'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** How an exchange ended (SPEC 12.1). Closed: also i18n keys under `outcome`. */
export const OUTCOMES = ['success', 'failed', 'cancelled', 'truncated', 'refused', 'interrupted'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A failed attempt as a value; the only thing decisions look at (SPEC 4.8). */
export interface UpstreamFailure {
  readonly class: FailureClass;
  /** The upstream's own code (`overloaded_error`, `UNAVAILABLE`) or ours (`connect.refused`, `stream_ended_early`). */
  readonly code: string;
  readonly upstreamId: string;
  /** HTTP status of the answer, or the one that stands for an in-stream error (SPEC 4.8); null without a response. */
  readonly status: number | null;
  /** The upstream's error type, when it has one besides the code. */
  readonly type: string | null;
  /** At most 2 KiB, secrets masked; an upstream's words or ours. */
  readonly message: string;
  /** Milliseconds from the failure until the upstream wants to be asked again; null when it did not say. */
  readonly hintMs: number | null;
  readonly where: FailurePhase;
  /** Whether the whole request had been written when it failed: then the provider may have billed it. */
  readonly sentWhole: boolean;
}
