import type { Upstream } from '../../shared/upstream.ts';
import { holdUntilMs } from './core/retry/policy.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { AttemptNote } from './exchange-record.ts';
import type { Candidate, Opened, Unopened } from './ports.ts';
import { shownModel } from './shown-model.ts';

/** How one attempt came out; `certain`: it opened because content or the end is there, not because nothing is held. */
export interface AttemptAnswer {
  readonly answer: Opened | Unopened;
  readonly certain: boolean;
}

/** Sends one attempt and waits until it opened or failed (DESIGN 4, steps 5 and 6). */
export async function attempt(exchange: ExchangeContext, upstream: Upstream, candidate: Candidate, note: AttemptNote, othersLeft: boolean): Promise<AttemptAnswer> {
  const { parts, arrival, policy, settings, reply } = exchange;
  const nowMs = parts.clock.now();
  parts.journal.note({ kind: 'attempt_started', id: arrival.id, at: parts.clock.utc(), n: note.n, round: note.round, upstream: upstream.name, model: shownModel(note.model) });
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
  return { answer, certain: !hold.letGo.aborted };
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
