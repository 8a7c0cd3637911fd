import type { FailureClass } from './failure.ts';

/** Why an upstream rests apart from its breaker (SPEC 9.4). Closed: also i18n keys under `health.rest`. */
export const REST_REASONS = ['rate_limited', 'quota', 'auth'] as const;
export type RestReason = (typeof REST_REASONS)[number];

/** The phases of a breaker (SPEC 9.4). Closed: also i18n keys under `health.phase`. */
export const BREAKER_PHASES = ['closed', 'half_open', 'open'] as const;
export type BreakerPhase = (typeof BREAKER_PHASES)[number];

/** The last failure of an attempt. */
export interface LastError {
  /** Ms since 1970. */
  readonly at: number;
  readonly model: string;
  readonly class: FailureClass;
  readonly code: string;
  readonly status: number | null;
  /** The upstream's words or ours, masked. */
  readonly message: string;
}

/** Figures of the last hour; each attempt counts (SPEC 19). Shares are 0-1; null when there is nothing to divide. */
export interface HealthFigures {
  readonly attempts: number;
  /** Attempts that answered, of those that answered or failed. */
  readonly successShare: number | null;
  /** Answers that came in a retry round, of all answers. */
  readonly retriedShare: number | null;
  /** Median time to first content, ms. */
  readonly firstContentMs: number | null;
  /** Now. */
  readonly inFlight: number;
  readonly lastError: LastError | null;
}

/** Health of an upstream for one model (SPEC 9.4). Times are ms since 1970. */
export interface ModelHealth extends HealthFigures {
  readonly model: string;
  readonly phase: BreakerPhase;
  /** When an open breaker lets a probe through; null unless it is open. */
  readonly openUntil: number | null;
  /** It rests for a reason of its own until then; null when it does not. */
  readonly restUntil: number | null;
  readonly restReason: RestReason | null;
  readonly failuresInRow: number;
}

/** Health of an upstream: over all its models, and model by model (those asked for since the start or the last reset). */
export interface UpstreamHealth extends HealthFigures {
  readonly upstreamId: string;
  /** The worst of its models. */
  readonly phase: BreakerPhase;
  /** Whether any of its models is passed by now: open or resting. */
  readonly resting: boolean;
  readonly models: readonly ModelHealth[];
}
