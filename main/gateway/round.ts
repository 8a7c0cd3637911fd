import type { GiveUpReason, PauseReason, UpstreamFailure } from '../../shared/failure.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { holdUntilMs } from './core/retry/policy.ts';
import { failsOver, isRetryable } from './core/retry/rounds.ts';
import type { RoundResult, Standing } from './core/retry/rounds.ts';
import type { AttemptNote } from './exchange-record.ts';
import { keepFailure } from './exchange-context.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { Candidate, Opened, Unopened } from './ports.ts';

/** How a round begins. */
export interface RoundStart {
  /** 0 for the first pass; the n-th retry is round n. */
  readonly round: number;
  /** False for a start that only rate limits caused: it pays no budget (SPEC 11). */
  readonly counts: boolean;
  readonly waitedMs: number | null;
  readonly reason: PauseReason | null;
  /** Retry now: hints of the set are not waited for (SPEC 7.12 f). */
  readonly ignoreHints: boolean;
}

export type RoundEnd =
  | { readonly kind: 'opened'; readonly opened: Opened; readonly upstream: Upstream; readonly note: AttemptNote }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly results: readonly RoundResult<Candidate>[]; readonly sent: boolean; /** The exchange must end here, whatever else could be tried. */ readonly stop: GiveUpReason | null };

/** One pass over the set: candidate after candidate, without a pause, until one opens (SPEC 7.1). */
export async function passOver(exchange: ExchangeContext, set: readonly RoundResult<Candidate>[], start: RoundStart): Promise<RoundEnd> {
  const nowMs = exchange.parts.clock.now();
  const round: Round = { exchange, start, results: new Map(set.map((entry) => [entry.candidate, entry])), origins: new Set(), unreachable: new Set(), sent: 0 };
  const due = set.filter((entry) => start.ignoreHints || entry.hintUntilMs === null || entry.hintUntilMs <= nowMs);
  const reachable = (entry: RoundResult<Candidate>) => !round.unreachable.has(originOf(exchange, entry.candidate));
  const skipped: typeof due = [];
  for (const [index, entry] of due.entries()) {
    if (!reachable(entry)) {
      skipped.push(entry);
      round.results.set(entry.candidate, { ...entry, standing: 'untried' });
      continue;
    }
    const end = await tryCandidate(round, entry.candidate, due.slice(index + 1).some(reachable));
    if (end !== null) return end;
  }
  // An origin that cannot be reached is asked again only when there was no other (SPEC 7.11).
  for (const [index, entry] of (round.origins.size === 1 ? skipped : []).entries()) {
    const end = await tryCandidate(round, entry.candidate, index < skipped.length - 1);
    if (end !== null) return end;
  }
  return failed(round, null);
}

/** What one pass remembers while it runs. */
interface Round {
  readonly exchange: ExchangeContext;
  readonly start: RoundStart;
  readonly results: Map<Candidate, RoundResult<Candidate>>;
  /** Origins that were asked, and those of them that could not be connected to. */
  readonly origins: Set<string>;
  readonly unreachable: Set<string>;
  sent: number;
}

function failed(round: Round, stop: GiveUpReason | null): RoundEnd {
  return { kind: 'failed', results: [...round.results.values()], sent: round.sent > 0, stop };
}

/** Sends to one candidate; null when the pass goes on to the next. */
async function tryCandidate(round: Round, candidate: Candidate, othersLeft: boolean): Promise<RoundEnd | null> {
  const { exchange, start } = round;
  const { parts, reply, record, arrival } = exchange;
  if (reply.gone.aborted) return { kind: 'gone' };
  const upstream = parts.config.upstream(candidate.upstreamId);
  if (!upstream?.enabled) {
    round.results.delete(candidate);
    return null;
  }
  if (start.round > 0 && start.counts && !parts.budget.take()) return failed(round, 'budget');
  const note = noteOf(exchange, start, upstream, candidate, round.sent++);
  const origin = originOf(exchange, candidate);
  round.origins.add(origin);
  const answer = await attempt(exchange, upstream, candidate, note, othersLeft);
  if (answer.kind === 'opened') return { kind: 'opened', opened: answer, upstream, note };
  const { failure, report } = answer;
  const cancelled = failure.class === 'cancelled';
  record.attempted(note, { outcome: cancelled ? 'cancelled' : 'failed', status: failure.status, failure, firstContentMs: null, report });
  if (cancelled || reply.gone.aborted) return { kind: 'gone' };
  keepFailure(exchange, answer, upstream, note);
  const standing = standingOf(exchange, failure);
  round.results.set(candidate, { candidate, standing, hintUntilMs: failure.hintMs === null ? null : parts.clock.now() + failure.hintMs });
  if (!failsOver(failure.class) || arrival.operation === 'forward') return failed(round, standing === 'curable' ? null : 'not_transient');
  if (failure.where === 'connect' && failure.class === 'transient') round.unreachable.add(origin);
  return null;
}

function noteOf(exchange: ExchangeContext, start: RoundStart, upstream: Upstream, candidate: Candidate, sentBefore: number): AttemptNote {
  const first = sentBefore === 0;
  const queued = start.reason === 'rate_limit' && !start.counts;
  return {
    n: exchange.record.attempts().length + 1,
    round: start.round,
    upstreamName: upstream.name,
    model: candidate.model ?? exchange.arrival.model ?? '',
    pausedMs: first && !queued ? start.waitedMs : null,
    pauseReason: first ? start.reason : null,
    queuedMs: first && queued ? start.waitedMs ?? 0 : 0,
  };
}

async function attempt(exchange: ExchangeContext, upstream: Upstream, candidate: Candidate, note: AttemptNote, othersLeft: boolean): Promise<Opened | Unopened> {
  const { parts, arrival, policy, settings, reply } = exchange;
  const nowMs = parts.clock.now();
  parts.journal.note({ kind: 'attempt_started', id: arrival.id, at: parts.clock.utc(), n: note.n, round: note.round, upstream: upstream.name, model: note.model });
  const hold = holdSignal(exchange, note.round, othersLeft);
  const answer = await parts.upstreams.open({
    arrival, upstream, model: candidate.model, gone: reply.gone, letGo: hold.letGo,
    idleTimeoutMs: settings['gateway.idle_timeout_secs'] * 1_000,
    attemptTimeoutMs: policy.attemptTimeoutMs,
    wholeLeftMs: exchange.hardDeadlineMs === null ? null : Math.max(0, exchange.hardDeadlineMs - (nowMs - arrival.atMs)),
    transientStatuses: policy.statuses,
    rules: settings['gateway.retry_rules'],
  });
  hold.cancel();
  exchange.lastAttemptMs = parts.clock.now() - nowMs;
  return answer;
}

/** A signal that aborts at the moment from which a failure of this attempt could not be cured any more (SPEC 6.1). */
function holdSignal(exchange: ExchangeContext, round: number, othersLeft: boolean): { readonly letGo: AbortSignal; cancel(): void } {
  const { parts, arrival, policy } = exchange;
  const controller = new AbortController();
  const letGo = controller.signal;
  if (arrival.operation === 'forward') controller.abort();
  if (othersLeft || letGo.aborted) return { letGo, cancel: () => undefined };
  const startedMs = parts.clock.now() - arrival.atMs;
  const leftMs = holdUntilMs(policy, { round, startedMs, hardDeadlineMs: exchange.hardDeadlineMs, budgetLeft: parts.budget.left() }) - startedMs;
  if (leftMs <= 0) {
    controller.abort();
    return { letGo, cancel: () => undefined };
  }
  return { letGo, cancel: parts.clock.timer(leftMs, () => { controller.abort(); }) };
}

function standingOf(exchange: ExchangeContext, failure: UpstreamFailure): Standing {
  const { arrival, policy, settings } = exchange;
  // What is no generation may have had an effect: sent again only when not a byte of it went out, or when its method says so (SPEC 7.10).
  const resendable = arrival.operation !== 'forward' || !['POST', 'PATCH'].includes(arrival.method) || (failure.where === 'connect' && !failure.sentWhole);
  if (isRetryable(failure.class, policy.retryOnTimeout) && resendable) return 'curable';
  return failure.class === 'rate_limited' && failure.hintMs !== null && settings['gateway.rate_limit_action'] === 'wait' ? 'limited' : 'spent';
}

function originOf(exchange: ExchangeContext, candidate: Candidate): string {
  const baseUrl = exchange.parts.config.upstream(candidate.upstreamId)?.baseUrl ?? '';
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}
