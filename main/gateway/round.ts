import type { GiveUpReason, PauseReason, UpstreamFailure } from '../../shared/failure.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { attempt } from './attempt-order.ts';
import { failsOver, isRetryable } from './core/retry/rounds.ts';
import type { RoundResult, Standing } from './core/retry/rounds.ts';
import type { Entry } from './core/routing/breaker.ts';
import { keepFailure } from './exchange-context.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { AttemptNote } from './exchange-record.ts';
import { UNJUDGED } from './health.ts';
import type { HealthVisit } from './health.ts';
import type { PauseVerdict } from './pauses.ts';
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

type Entries = readonly RoundResult<Candidate>[];

/** What one pass remembers while it runs. */
interface Round {
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
interface Skipped {
  readonly unreachable: RoundResult<Candidate>[];
  readonly full: RoundResult<Candidate>[];
  readonly resting: RoundResult<Candidate>[];
}

/** One pass over the set: candidate after candidate, without a pause, until one opens (SPEC 7.1). */
export async function passOver(exchange: ExchangeContext, set: Entries, start: RoundStart): Promise<RoundEnd> {
  const nowMs = exchange.parts.clock.now();
  const round: Round = {
    exchange, start, results: new Map(set.map((entry) => [entry.candidate, entry])), origins: new Set(), unreachable: new Set(),
    sent: 0, bypass: start.ignoreHints, granted: null, queuedMs: 0,
  };
  let pending: Entries = set.filter((entry) => start.ignoreHints || entry.hintUntilMs === null || entry.hintUntilMs <= nowMs);
  for (;;) {
    const swept = await sweep(round, pending).finally(() => {
      // The upstream whose place was waited for may have gone, or rest by now: the place is for others.
      round.granted?.release();
      round.granted = null;
    });
    if ('kind' in swept) return swept;
    const again = await whatIsLeft(round, swept);
    if ('kind' in again) return again;
    pending = again;
  }
}

async function sweep(round: Round, entries: Entries): Promise<RoundEnd | Skipped> {
  const skipped: Skipped = { unreachable: [], full: [], resting: [] };
  for (const [index, entry] of entries.entries()) {
    const othersLeft = entries.slice(index + 1).some((other) => gateOf(round, other.candidate) === 'open');
    const gate = gateOf(round, entry.candidate);
    const end = gate === 'open' ? await tryCandidate(round, entry.candidate, othersLeft) : gate;
    if (end === 'gone_away') round.results.delete(entry.candidate);
    else if (typeof end === 'string') {
      skipped[end].push(entry);
      if (entry.standing === 'curable') round.results.set(entry.candidate, { ...entry, standing: 'untried' });
    } else if (end !== null) return end;
  }
  return skipped;
}

/** Who of those passed by is tried after all, or how the round ends. */
async function whatIsLeft(round: Round, { unreachable, full, resting }: Skipped): Promise<Entries | RoundEnd> {
  // An origin that cannot be reached is asked again only when there was no other (SPEC 7.11).
  if (unreachable.length > 0 && round.origins.size === 1) {
    round.unreachable.clear();
    return unreachable;
  }
  const curable = [...round.results.values()].some((result) => result.standing === 'curable');
  if (!curable && full.length > 0) return waitForPlace(round, full);
  if (!curable && round.sent === 0 && resting.length > 0 && !round.bypass) {
    round.bypass = true;
    return resting;
  }
  return failed(round, null);
}

/** Why a candidate cannot be asked now. */
function gateOf(round: Round, candidate: Candidate): 'open' | 'gone_away' | keyof Skipped {
  const { parts } = round.exchange;
  const upstream = parts.config.upstream(candidate.upstreamId);
  if (!upstream?.enabled) return 'gone_away';
  if (round.unreachable.has(originOf(upstream))) return 'unreachable';
  return entryOf(round, upstream, candidate) === null ? 'resting' : 'open';
}

function entryOf(round: Round, upstream: Upstream, candidate: Candidate): Entry | null {
  const { parts, arrival } = round.exchange;
  return parts.health.admits(upstream.id, candidate.model ?? arrival.model ?? '') ?? (round.bypass ? 'bypass' : null);
}

function failed(round: Round, stop: GiveUpReason | null): RoundEnd {
  return { kind: 'failed', results: [...round.results.values()], sent: round.sent > 0, stop };
}

/** Sends to one candidate; null when the pass goes on to the next, `full` when there is no place. */
async function tryCandidate(round: Round, candidate: Candidate, othersLeft: boolean): Promise<RoundEnd | 'full' | null> {
  const { exchange, start } = round;
  const { parts, record, arrival } = exchange;
  if (clientLeft(round)) return { kind: 'gone', during: 'attempt' };
  const upstream = parts.config.upstream(candidate.upstreamId);
  const entry = upstream === null ? null : entryOf(round, upstream, candidate);
  if (upstream === null || entry === null) return null;
  const slot = placeOf(round, upstream);
  if (slot === null) return 'full';
  const paid = start.round > 0 && start.counts;
  if (paid && !parts.budget.take()) {
    slot.release();
    return failed(round, 'budget');
  }
  const note = noteOf(round, upstream, candidate, entry === 'bypass');
  const visit = arrival.operation === 'count_tokens' ? UNJUDGED
    : parts.health.enter({ exchange: arrival.id, upstreamId: upstream.id, model: note.model, entry, round: start.round, clientCredential: upstream.credential.kind === 'client' });
  round.sent++;
  round.origins.add(originOf(upstream));
  const { answer, certain } = await attempt(exchange, upstream, candidate, note, othersLeft).catch((bug: unknown) => {
    // Whatever went wrong, the place of a probe and that under a cap must not stay taken.
    slot.release();
    visit.withdrawn();
    throw bug;
  });
  if (answer.kind === 'opened') {
    // A probe that has shown content need not keep others out until its last byte.
    if (certain && entry === 'probe') visit.opened();
    return { kind: 'opened', opened: answer, upstream, note, slot, visit, paid };
  }
  slot.release();
  const { failure, report } = answer;
  const left = clientLeft(round);
  const cancelled = failure.class === 'cancelled' || left;
  record.attempted(note, { outcome: cancelled ? 'cancelled' : 'failed', status: failure.status, failure, firstContentMs: null, report });
  if (cancelled) {
    visit.withdrawn();
    // Not the client but the gateway wants it no more (SPEC 17).
    return left ? { kind: 'gone', during: 'attempt' } : failed(round, 'stopping');
  }
  visit.failed(failure);
  keepFailure(exchange, answer, upstream, note);
  const standing = standingOf(exchange, failure);
  round.results.set(candidate, { candidate, standing, hintUntilMs: failure.hintMs === null ? null : parts.clock.now() + failure.hintMs });
  if (!failsOver(failure.class) || arrival.operation === 'forward') return failed(round, standing === 'curable' ? null : 'not_transient');
  if (failure.where === 'connect' && failure.class === 'transient') round.unreachable.add(originOf(upstream));
  return null;
}

function clientLeft(round: Round): boolean {
  return round.exchange.reply.gone.aborted;
}

function placeOf(round: Round, upstream: Upstream): Slot | null {
  const { granted } = round;
  if (granted?.upstreamId === upstream.id) {
    round.granted = null;
    return granted;
  }
  return round.exchange.parts.slots.take(upstream.id, upstream.maxInFlight);
}

/** Waits in the queue for the first free place, until the deadline (SPEC 9.3). */
async function waitForPlace(round: Round, full: Entries): Promise<Entries | RoundEnd> {
  const { exchange } = round;
  const { parts, arrival, reply, revoked, policy, record } = exchange;
  const wanted = full.flatMap(({ candidate }) => {
    const upstream = parts.config.upstream(candidate.upstreamId);
    return upstream === null ? [] : [upstream];
  });
  parts.journal.note({ kind: 'queued', id: arrival.id, at: parts.clock.utc(), upstreams: wanted.map((upstream) => upstream.name) });
  const ticket = parts.slots.wait(wanted.map((upstream) => ({ upstreamId: upstream.id, cap: upstream.maxInFlight })), arrival.atMs);
  const beganMs = parts.clock.now();
  let why: PauseVerdict;
  // The machine's waking and Retry now do not make a place (SPEC 7.12 f).
  do why = await parts.pauses.wait(arrival.id, Math.max(0, arrival.atMs + policy.deadlineMs - parts.clock.now()), { gone: reply.gone, revoked, ready: ticket.granted });
  while (why === 'wake' || why === 'retry_now');
  const tookMs = parts.clock.now() - beganMs;
  record.queued(tookMs);
  if (why === 'ready') {
    round.granted = ticket.slot();
    round.queuedMs += tookMs;
    // The one whose place it is goes first; the others follow if it fails.
    return [...full].sort((a, b) => Number(b.candidate.upstreamId === round.granted?.upstreamId) - Number(a.candidate.upstreamId === round.granted?.upstreamId));
  }
  ticket.leave();
  if (why === 'gone') return { kind: 'gone', during: 'queue' };
  return { kind: 'busy', why: why === 'give_up' ? 'user' : why === 'stopping' ? 'stopping' : why === 'revoked' ? 'cancelled' : 'deadline' };
}

function noteOf(round: Round, upstream: Upstream, candidate: Candidate, bypass: boolean): AttemptNote {
  const { exchange, start } = round;
  const first = round.sent === 0;
  const rateLimited = start.reason === 'rate_limit' && !start.counts;
  const queuedMs = round.queuedMs + (first && rateLimited ? start.waitedMs ?? 0 : 0);
  round.queuedMs = 0;
  return {
    n: exchange.record.attempts().length + 1,
    round: start.round,
    upstreamName: upstream.name,
    model: candidate.model ?? exchange.arrival.model ?? '',
    pausedMs: first && !rateLimited ? start.waitedMs : null,
    pauseReason: first ? start.reason : null,
    queuedMs,
    bypass,
  };
}

function standingOf(exchange: ExchangeContext, failure: UpstreamFailure): Standing {
  const { arrival, policy, settings } = exchange;
  // What is no generation may have had an effect: sent again only when not a byte of it went out, or when its method says so (SPEC 7.10).
  const resendable = arrival.operation !== 'forward' || !['POST', 'PATCH'].includes(arrival.method) || (failure.where === 'connect' && !failure.sentWhole);
  if (isRetryable(failure.class, policy.retryOnTimeout) && resendable) return 'curable';
  return failure.class === 'rate_limited' && failure.hintMs !== null && settings['gateway.rate_limit_action'] === 'wait' ? 'limited' : 'spent';
}

function originOf(upstream: Upstream): string {
  return URL.parse(upstream.baseUrl)?.origin ?? upstream.baseUrl;
}
