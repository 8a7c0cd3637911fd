import { resolvePolicy } from '../../shared/backoff.ts';
import type { GiveUpReason, PauseEnd } from '../../shared/failure.ts';
import type { ExchangePolicy } from '../../shared/policy.ts';
import type { Settings } from '../../shared/settings.ts';
import { orderFor } from './candidate-order.ts';
import { decide } from './core/retry/policy.ts';
import { nextRound } from './core/retry/rounds.ts';
import type { RoundResult } from './core/retry/rounds.ts';
import { matchRoute } from './core/routing/match.ts';
import type { ExchangeContext, ExchangeParts } from './exchange-context.ts';
import { answer, handOver, leave, refuseBug, refuseBusy, refuseRoute, refuseSealed } from './exchange-end.ts';
import { createRecord } from './exchange-record.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { PauseVerdict } from './pauses.ts';
import type { Arrival, Candidate, Exchanges, Reply } from './ports.ts';
import { passOver } from './round.ts';
import type { RoundEnd, RoundStart } from './round-state.ts';

// Attempts of whole answers are cut this long before the hard deadline, so that the client hears of it before its own timeout (SPEC 8.3).
const HARD_DEADLINE_MARGIN_MS = 2_000;

export function createExchanges(parts: ExchangeParts): Exchanges {
  return {
    run: async (arrival, reply, revoked) => {
      const settings = parts.config.settings();
      const record = createRecord(arrival, parts.costOf);
      parts.journal.note({ kind: 'started', id: arrival.id, row: record.row(null, arrival.atMs) });
      const table = { routes: parts.config.routes(), upstreams: parts.config.upstreams(), strategy: settings['gateway.strategy'] };
      const match = matchRoute(table, arrival.format, arrival.model);
      const policy = resolvePolicy(settings, match.kind === 'route' ? match.policy : null);
      const exchange = begin(parts, arrival, reply, revoked, settings, policy, record);
      try {
        if (match.kind !== 'route') return await refuseRoute(exchange, match, table);
        record.routed(match.routeId);
        const order = orderFor(exchange, match);
        if (order.kind === 'sealed_elsewhere') return await refuseSealed(exchange, order.upstreamId);
        await loop(exchange, arrival.operation === 'forward' ? order.candidates.slice(0, 1) : order.candidates);
      } catch (bug) {
        // A bug must neither leave the client waiting nor the row open.
        parts.log.error('exchange failed inside the gateway', { id: arrival.id, error: bug instanceof Error ? bug.stack : String(bug) });
        await refuseBug(exchange);
      }
    },
  };
}

function begin(parts: ExchangeParts, arrival: Arrival, reply: Reply, revoked: AbortSignal, settings: Settings, policy: ExchangePolicy, record: ExchangeRecord): ExchangeContext {
  if (arrival.operation === 'generate') parts.budget.deposit();
  return {
    parts, arrival, reply, revoked, settings, record,
    // Token counting fails over but is never retried (SPEC 7.9).
    policy: arrival.operation === 'count_tokens' ? { ...policy, enabled: false } : policy,
    hardDeadlineMs: arrival.streamed ? null : settings['gateway.request_timeout_secs'] * 1_000 - HARD_DEADLINE_MARGIN_MS,
    chain: [], kept: null, transientSeen: false, lastAttemptMs: 0, conversation: null,
  };
}

/** The loop: attempt, decide, pause, again (SPEC 7). What it returns from has ended, once. */
async function loop(exchange: ExchangeContext, candidates: readonly Candidate[]): Promise<void> {
  let set: readonly RoundResult<Candidate>[] = candidates.map((candidate) => ({ candidate, standing: 'untried', hintUntilMs: null }));
  let start: RoundStart = { round: 0, counts: true, waitedMs: null, reason: null, ignoreHints: false };
  for (;;) {
    const end = await passOver(exchange, set, start);
    if (end.kind === 'opened') return answer(exchange, end);
    if (end.kind === 'gone') return leave(exchange, end.during);
    if (end.kind === 'busy') return refuseBusy(exchange, end.why);
    const next = end.stop === null ? nextStart(exchange, end, start.round) : { giveUp: end.stop };
    if ('giveUp' in next) return handOver(exchange, next.giveUp);
    const beganMs = exchange.parts.clock.now();
    const why = await pause(exchange, next);
    const waitedMs = exchange.parts.clock.now() - beganMs;
    if (next.counts) exchange.record.paused(waitedMs);
    else exchange.record.queued(waitedMs);
    if (why === 'gone' || exchange.reply.gone.aborted) return leave(exchange, next.counts ? 'pause' : 'queue');
    const stop = endsExchange(why);
    if (stop !== null) return handOver(exchange, stop);
    set = next.set;
    start = { round: next.round, counts: next.counts, waitedMs, reason: next.reason, ignoreHints: why === 'retry_now' };
  }
}

interface NextStart {
  readonly set: readonly RoundResult<Candidate>[];
  readonly waitMs: number;
  readonly round: number;
  readonly counts: boolean;
  readonly reason: 'backoff' | 'retry_after' | 'rate_limit';
}

/** When the next round starts, or why there is none (SPEC 7.2, 8.1, 11). */
function nextStart(exchange: ExchangeContext, end: Extract<RoundEnd, { kind: 'failed' }>, round: number): NextStart | { readonly giveUp: GiveUpReason } {
  const { parts, arrival, policy } = exchange;
  const nowMs = parts.clock.now();
  const next = nextRound(end.results, nowMs, arrival.atMs + policy.deadlineMs);
  // A round in which nothing was sent is no retry and does not count (SPEC 7.2).
  const counted = end.sent ? round + 1 : round;
  const decision = decide(policy, {
    failedRounds: Math.max(1, counted), transientSeen: exchange.transientSeen, retryable: next.curable, hintMs: next.hintMs,
    elapsedMs: nowMs - arrival.atMs,
    hardLeftMs: exchange.hardDeadlineMs === null ? null : exchange.hardDeadlineMs - (nowMs - arrival.atMs),
    lastAttemptMs: exchange.lastAttemptMs, budgetLeft: parts.budget.left(), jitterUnit: parts.random.draw(),
  });
  if ('retryAfterMs' in decision) {
    const reset = next.resetMs !== null && next.resetMs < decision.retryAfterMs ? next.resetMs : null;
    const reason = reset !== null ? 'rate_limit' : next.hintMs === null ? 'backoff' : 'retry_after';
    return { set: next.set, waitMs: reset ?? decision.retryAfterMs, round: counted, counts: true, reason };
  }
  if (next.resetMs === null) return decision;
  return { set: next.set.filter((entry) => entry.standing === 'limited'), waitMs: next.resetMs, round, counts: false, reason: 'rate_limit' };
}

async function pause(exchange: ExchangeContext, next: NextStart): Promise<PauseVerdict> {
  const { parts, arrival, policy, reply, revoked } = exchange;
  const utc = parts.clock.utc();
  const nameOf = (entry: RoundResult<Candidate>) => parts.config.upstream(entry.candidate.upstreamId)?.name ?? entry.candidate.upstreamId;
  parts.journal.note({
    kind: 'pausing', id: arrival.id, upstreams: [...new Set(next.set.map(nameOf))], retry: next.round, started: utc,
    retry_at: Math.round(utc + next.waitMs), until: arrival.atUtcMs + policy.deadlineMs, reason: next.reason,
  });
  const why = await parts.pauses.wait(arrival.id, next.waitMs, { gone: reply.gone, revoked });
  parts.journal.note({ kind: 'pause_ended', id: arrival.id, why: publicWhy(why) });
  return why;
}

function publicWhy(why: PauseVerdict): PauseEnd {
  if (why === 'retry_now' || why === 'give_up') return 'user';
  if (why === 'revoked') return 'stopping';
  return why === 'ready' ? 'time' : why;
}

function endsExchange(why: PauseVerdict): GiveUpReason | null {
  if (why === 'give_up') return 'user';
  if (why === 'stopping') return 'stopping';
  return why === 'revoked' ? 'cancelled' : null;
}
