import type { UpstreamFailure } from '../../shared/failure.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { attempt } from './attempt-order.ts';
import { failsOver, isRetryable } from './core/retry/rounds.ts';
import type { Standing } from './core/retry/rounds.ts';
import { keepFailure } from './exchange-context.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { AttemptNote } from './exchange-record.ts';
import { UNJUDGED } from './health.ts';
import type { Candidate } from './ports.ts';
import { entryOf, failed, originOf } from './round-state.ts';
import type { Round, RoundEnd } from './round-state.ts';
import type { Slot } from './slots.ts';

/** Sends to one candidate; null when the pass goes on to the next, `full` when there is no place. */
export async function tryCandidate(round: Round, candidate: Candidate, othersLeft: boolean): Promise<RoundEnd | 'full' | null> {
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

function noteOf(round: Round, upstream: Upstream, candidate: Candidate, bypass: boolean): AttemptNote {
  const { exchange, start } = round;
  const first = round.sent === 0;
  const rateLimited = start.reason === 'rate_limit' && !start.counts;
  const queuedMs = round.queuedMs + (first && rateLimited ? start.waitedMs ?? 0 : 0);
  round.queuedMs = 0;
  return {
    n: exchange.record.attempts() + 1,
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
