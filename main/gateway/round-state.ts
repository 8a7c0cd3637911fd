import type { GiveUpReason, PauseReason } from '../../shared/failure.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { RoundResult } from './core/retry/rounds.ts';
import type { Entry } from './core/routing/breaker.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { AttemptNote } from './exchange-record.ts';
import type { HealthVisit } from './health.ts';
import type { Candidate, Opened } from './ports.ts';
import type { Slot } from './slots.ts';

/** How a round begins. */
export interface RoundStart {
  /** 0 for the first pass; the n-th retry is round n. */
  readonly round: number;
  /** False for a start that only rate limits caused: it pays no budget (SPEC 11). */
  readonly counts: boolean;
  readonly waitedMs: number | null;
  readonly reason: PauseReason | null;
  /** Retry now: hints and cooling of the set are not waited for (SPEC 7.12 f). */
  readonly ignoreHints: boolean;
}

export type RoundEnd =
  /** The slot is to be released and the visit settled when the relay has ended. `paid`: it took a token of the budget. */
  | { readonly kind: 'opened'; readonly opened: Opened; readonly upstream: Upstream; readonly note: AttemptNote; readonly slot: Slot; readonly visit: HealthVisit; readonly paid: boolean }
  | { readonly kind: 'gone'; readonly during: 'attempt' | 'queue' }
  /** `stop`: the exchange must end here, whatever else could be tried. */
  | { readonly kind: 'failed'; readonly results: readonly RoundResult<Candidate>[]; readonly sent: boolean; readonly stop: GiveUpReason | null }
  /** Everything was full until the deadline (SPEC 9.3). */
  | { readonly kind: 'busy'; readonly why: GiveUpReason };

export type Entries = readonly RoundResult<Candidate>[];

/** What one pass remembers while it runs. */
export interface Round {
  readonly exchange: ExchangeContext;
  readonly start: RoundStart;
  readonly results: Map<Candidate, RoundResult<Candidate>>;
  /** Origins that were asked, and those of them that could not be connected to. */
  readonly origins: Set<string>;
  readonly unreachable: Set<string>;
  sent: number;
  /** Breakers and cooling are passed by, since nobody else is left (SPEC 9.4). */
  bypass: boolean;
  /** A place that was waited for. */
  granted: Slot | null;
  queuedMs: number;
}

/** Those that a sweep went by, and why. */
export interface Skipped {
  readonly unreachable: RoundResult<Candidate>[];
  readonly full: RoundResult<Candidate>[];
  readonly resting: RoundResult<Candidate>[];
}

/** How an attempt at this candidate would be let through; null: it rests. */
export function entryOf(round: Round, upstream: Upstream, candidate: Candidate): Entry | null {
  const { parts, arrival } = round.exchange;
  return parts.health.admits(upstream.id, candidate.model ?? arrival.model ?? '') ?? (round.bypass ? 'bypass' : null);
}

/** The pass ends without an answer. */
export function failed(round: Round, stop: GiveUpReason | null): RoundEnd {
  return { kind: 'failed', results: [...round.results.values()], sent: round.sent > 0, stop };
}

// An edit makes a new object, and an object that nobody holds any more takes its entry along.
const origins = new WeakMap<Upstream, string>();

/** Scheme, host and port of an upstream. */
export function originOf(upstream: Upstream): string {
  let origin = origins.get(upstream);
  if (origin === undefined) {
    origin = URL.parse(upstream.baseUrl)?.origin ?? upstream.baseUrl;
    origins.set(upstream, origin);
  }
  return origin;
}
