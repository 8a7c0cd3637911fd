import type { FailureClass, FailurePhase, GiveUpReason, Outcome, PauseReason } from './failure.ts';
import type { FormatName } from './format.ts';
import type { AttemptRow } from './log.ts';
import type { ExchangePolicy } from './policy.ts';
import type { Strategy } from './route.ts';

/** What an upstream does in a dry run (SPEC 9.6). Closed: also i18n keys under `dry_run.answer`. */
export const SIMULATED_KINDS = ['answer', 'status', 'stream_error', 'rate_limited', 'refuse', 'reset', 'hang', 'breaks_off'] as const;
export type SimulatedAnswer =
  /** Good: first content after `after_ms`, the end a second later. */
  | { readonly kind: 'answer'; readonly after_ms: number }
  /** An error status (400-599), as this format words it. */
  | { readonly kind: 'status'; readonly status: number }
  /** Opening events, then an error in the stream; a whole answer gets the status that stands for it. `code` as the format names it. */
  | { readonly kind: 'stream_error'; readonly code: string }
  /** 429; `retry_after_secs` null: it does not say. */
  | { readonly kind: 'rate_limited'; readonly retry_after_secs: number | null }
  | { readonly kind: 'refuse' | 'reset' | 'hang' }
  /** Breaks after content. */
  | { readonly kind: 'breaks_off' };

export interface DryRunRequest {
  readonly model: string;
  readonly format: FormatName;
  readonly streamed: boolean;
  /** What each upstream answers, attempt after attempt; the last one goes on. Who is not named answers well. */
  readonly answers: readonly { readonly upstream: string; readonly answers: readonly SimulatedAnswer[] }[];
  /** `present`: breakers and rests as they are now; `fresh`: nobody has failed yet. */
  readonly health: 'fresh' | 'present';
}

/** Where an upstream stands in a dry run before anything is sent. Closed: also i18n keys under `dry_run.place`. */
export const DRY_RUN_PLACES = ['candidate', 'disabled', 'format', 'model', 'not_in_route'] as const;
export interface DryRunCandidate {
  readonly upstreamId: string;
  readonly name: string;
  /** What it is asked for. */
  readonly model: string;
  readonly place: (typeof DRY_RUN_PLACES)[number];
  /** It is open or rests at the start: passed by unless nobody else is left. */
  readonly resting: boolean;
}

/** One decision. Times are ms since the arrival. */
export type DryRunStep =
  | { readonly kind: 'attempt'; readonly atMs: number; readonly n: number; readonly round: number; readonly upstream: string; readonly model: string; readonly bypass: boolean }
  | { readonly kind: 'failed'; readonly atMs: number; readonly n: number; readonly upstream: string; readonly class: FailureClass; readonly code: string; readonly status: number | null; readonly where: FailurePhase | null;
      /** What followed. */ readonly then: 'failover' | 'retry' | 'give_up' }
  | { readonly kind: 'pause'; readonly atMs: number; readonly endsMs: number; readonly reason: PauseReason; readonly retry: number; readonly upstreams: readonly string[] }
  | { readonly kind: 'released'; readonly atMs: number; readonly upstream: string }
  | { readonly kind: 'end'; readonly atMs: number; readonly outcome: Outcome; readonly status: number; readonly giveUp: GiveUpReason | null; readonly code: string | null; /** What the client reads when it gets an error. */ readonly message: string | null };

export interface DryRun {
  /** Null when no route leads anywhere. `id` is `*` for the route that always exists. */
  readonly route: { readonly id: string; readonly pattern: string; readonly strategy: Strategy } | null;
  /** In the order of the exchange, then those that take no part. */
  readonly candidates: readonly DryRunCandidate[];
  readonly steps: readonly DryRunStep[];
  /** As the log would have them. */
  readonly attempts: readonly AttemptRow[];
  readonly policy: ExchangePolicy;
  readonly pauseMs: number;
  readonly durationMs: number;
}
