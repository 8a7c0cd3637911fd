import { plainPauseMs } from '../../shared/backoff.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { GiveUpReason, Outcome } from '../../shared/failure.ts';
import type { FormatName } from '../../shared/format.ts';
import type { ExchangeDetail } from '../../shared/log.ts';
import { chainText } from './core/retry/kept.ts';
import { decide } from './core/retry/policy.ts';
import { matchRoute, nearModels } from './core/routing/match.ts';
import type { RouteMatch, RoutingTable } from './core/routing/match.ts';
import { learningFrom } from './lessons.ts';
import { countedAnswer } from './token-estimate.ts';
import type { AttemptNote, ExchangeEnd } from './exchange-record.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { Ending, Refusal, Relayed, ReplyNotes, SentEnding } from './ports.ts';
import type { RoundEnd } from './round-state.ts';

// Every way an exchange can end. Each ends with exactly one `finished` event, the last of its exchange (law 9).

// What a status line would say if anybody were left to read it (SPEC 12.1).
const CLIENT_LEFT = 499;
const STOPPING = { code: 'gateway.stopping', message: 'This Holdfast stopped before the answer had ended.' } as const;

/** An attempt opened: relays it to the client, to its end (SPEC 3, steps 8-10). */
export async function answer(exchange: ExchangeContext, round: Extract<RoundEnd, { kind: 'opened' }>): Promise<void> {
  const { parts, arrival, reply, record } = exchange;
  const { opened, upstream, note, slot, visit, paid } = round;
  parts.journal.note({ kind: 'released', id: arrival.id, at: parts.clock.utc(), upstream: upstream.name });
  const ending = await reply.send(learningFrom(exchange, upstream.id, opened), notesOf(exchange, upstream.name, note.round, false));
  const relayed = relayedOf(ending, upstream.id, opened.status);
  slot.release();
  if (relayed.end === 'complete') visit.succeeded();
  else if (relayed.end !== 'gone' && relayed.failure !== null) visit.failed(relayed.failure);
  else visit.withdrawn();
  record.attempted(note, { outcome: attemptOutcome(relayed), status: opened.status, failure: relayed.failure, firstContentMs: relayed.firstContentMs, report: relayed.report });
  record.answered(upstream.name, relayed.facts, relayed.firstContentMs);
  if (relayed.end === 'complete') {
    if (paid) parts.budget.giveBack();
    if (relayed.firstContentMs !== null && arrival.operation === 'generate') parts.health.noteFirstContent(upstream.id, note.model, relayed.firstContentMs - relayed.report.startedMs);
  }
  finish(exchange, endOfAnswer({ ...ending, relayed }, () => (ending.withheld === undefined ? whyNotHeld(exchange, round) : 'not_transient')));
}

// An answer of which the client got nothing is none, whole as it was (SPEC 4.1, 4.9).
function relayedOf({ relayed, withheld }: SentEnding, upstreamId: string, status: number): Relayed {
  if (withheld === undefined || relayed.end !== 'error_event') return relayed;
  return { ...relayed, firstContentMs: null, failure: { ...withheld, class: 'invalid', upstreamId, status, type: null, hintMs: null, where: 'body', sentWhole: relayed.report.sentWhole } };
}

/** Why an answer that failed before its first content could not be tried again: what the decision would have said (SPEC 6.1). */
function whyNotHeld(exchange: ExchangeContext, { note }: { readonly note: AttemptNote }): GiveUpReason {
  const { parts, arrival, policy, hardDeadlineMs } = exchange;
  const elapsedMs = parts.clock.now() - arrival.atMs;
  const decision = decide(policy, {
    failedRounds: note.round + 1, transientSeen: true, retryable: 1, hintMs: null, elapsedMs, jitterUnit: 0,
    hardLeftMs: hardDeadlineMs === null ? null : hardDeadlineMs - elapsedMs, lastAttemptMs: exchange.lastAttemptMs, budgetLeft: parts.budget.left(),
  });
  return 'giveUp' in decision ? decision.giveUp : 'content_sent';
}

function attemptOutcome(relayed: Relayed): 'answered' | 'failed' | 'truncated' | 'cancelled' {
  switch (relayed.end) {
    case 'complete': return 'answered';
    case 'gone': return 'cancelled';
    case 'cut':
    case 'error_event': return relayed.firstContentMs === null ? 'failed' : 'truncated';
    default: return assertNever(relayed.end);
  }
}

function endOfAnswer(ending: SentEnding, whyNotHeld: () => GiveUpReason = () => 'content_sent'): ExchangeEnd {
  const { relayed } = ending;
  const common = { answerBytes: ending.bytes, errorCode: relayed.failure?.code ?? null, errorMessage: relayed.failure?.message ?? null, giveUp: null, leftDuring: null };
  // A client that hangs up after the last byte has what it came for.
  if (relayed.end === 'complete' && !ending.clientGone) return { ...common, outcome: 'success', status: ending.status };
  if (ending.clientGone) return { ...common, outcome: 'cancelled', status: CLIENT_LEFT, errorCode: 'client.left', errorMessage: null, leftDuring: 'relay' };
  const outcome: Outcome = relayed.firstContentMs === null ? 'failed' : 'truncated';
  if (relayed.end === 'gone') return { ...common, outcome, status: ending.status, errorCode: STOPPING.code, errorMessage: STOPPING.message, giveUp: 'stopping' };
  return { ...common, outcome, status: ending.status, giveUp: relayed.firstContentMs === null ? whyNotHeld() : 'content_sent' };
}

/** Nothing more is tried: the kept failure goes to the client (SPEC 10.1). */
export async function handOver(exchange: ExchangeContext, giveUp: GiveUpReason): Promise<void> {
  const { kept, record, arrival } = exchange;
  if (kept === null && giveUp === 'stopping') return refuse(exchange, { kind: 'own', status: 503, ...STOPPING, retryAfterSecs: null }, 'failed', giveUp);
  if (kept === null) {
    await refuse(exchange, { kind: 'own', status: 503, code: 'route.no_upstream', message: 'No upstream that could answer is left: all were deleted or switched off meanwhile.', retryAfterSecs: null }, 'failed', giveUp);
    return;
  }
  const { failure } = kept.answer;
  if (arrival.operation === 'count_tokens' && (failure.status === 404 || failure.status === 405)) return estimate(exchange, kept.upstreamName);
  record.failedAt(kept.upstreamName);
  await refuse(exchange, { kind: 'upstream', failure, upstreamName: kept.upstreamName, kept: kept.answer.kept, chain: chainText(exchange.chain) }, 'failed', giveUp);
}

/** The upstream cannot count tokens: a local estimate, marked as one (SPEC 7.9). */
async function estimate(exchange: ExchangeContext, upstreamName: string): Promise<void> {
  const { reply, arrival, parts } = exchange;
  const ending = await reply.send(countedAnswer(arrival, parts.clock.now()), notesOf(exchange, upstreamName, 0, false));
  finish(exchange, { ...endOfAnswer(ending), errorCode: null, errorMessage: null });
}

/** Every upstream was full until the deadline (SPEC 9.3, 7.12 d): a real failure met on the way wins over that. */
export async function refuseBusy(exchange: ExchangeContext, why: GiveUpReason): Promise<void> {
  if (exchange.kept !== null) return handOver(exchange, why);
  const firstPauseSecs = Math.ceil(plainPauseMs(exchange.policy, 1, 0.5) / 1_000);
  await refuse(exchange, {
    kind: 'own', status: 429, code: 'route.all_busy', message: 'Every upstream that takes this model is at its limit of requests in flight.', retryAfterSecs: Math.max(1, firstPauseSecs),
  }, 'failed', why);
}

/** No way leads anywhere: refused before any attempt (SPEC 9.1). */
export async function refuseRoute(exchange: ExchangeContext, match: Exclude<RouteMatch, { kind: 'route' }>, table: RoutingTable): Promise<void> {
  const model = exchange.arrival.model ?? '';
  if (match.kind === 'no_format') {
    const message = `No upstream that takes the model "${model}" speaks the format "${exchange.arrival.format}". Formats configured for it: ${match.formats.join(', ')}.`;
    await refuse(exchange, { kind: 'own', status: 400, code: 'route.no_format', message, retryAfterSecs: null }, 'refused', null);
    return;
  }
  if (takenWhenOn(table, exchange.arrival.format, exchange.arrival.model)) {
    await refuse(exchange, { kind: 'own', status: 404, code: 'model_not_found', message: `Every upstream that takes the model "${model}" is switched off.`, retryAfterSecs: null }, 'refused', null);
    return;
  }
  const names = nearModels(table, exchange.arrival.format, model);
  const near = names.length > 0 ? ` Models like it: ${names.join(', ')}.` : ' No upstream names its models yet.';
  await refuse(exchange, { kind: 'own', status: 404, code: 'model_not_found', message: `No upstream takes the model "${model}".${near}`, retryAfterSecs: null }, 'refused', null);
}

/** Nobody but one upstream can read what is sealed in the history, and that one cannot be asked: refused before any attempt (SPEC 9.5). */
export async function refuseSealed(exchange: ExchangeContext, upstreamId: string): Promise<void> {
  const { parts, arrival } = exchange;
  const upstream = parts.config.upstream(upstreamId);
  const what = upstream === null ? 'an upstream that was removed'
    : `"${upstream.name}", which ${upstream.enabled ? `does not speak the format "${arrival.format}" any more` : 'is switched off'}`;
  const message = `This conversation holds sealed reasoning that only its maker can read: ${what}. Bring that upstream back, or begin a new conversation.`;
  await refuse(exchange, { kind: 'own', status: 409, code: 'route.sealed_elsewhere', message, retryAfterSecs: null }, 'refused', null);
}

/** Whether the request would find its way if no upstream were switched off. */
function takenWhenOn(table: RoutingTable, format: FormatName, model: string | null): boolean {
  return matchRoute({ ...table, upstreams: table.upstreams.map((upstream) => ({ ...upstream, enabled: true })) }, format, model).kind === 'route';
}

/** The client left before an answer began (SPEC 7.7). */
export function leave(exchange: ExchangeContext, leftDuring: NonNullable<ExchangeDetail['left_during']>): void {
  finish(exchange, { outcome: 'cancelled', status: CLIENT_LEFT, errorCode: 'client.left', errorMessage: null, giveUp: 'cancelled', answerBytes: 0, leftDuring });
}

/** The gateway itself failed. */
export async function refuseBug(exchange: ExchangeContext): Promise<void> {
  await refuse(exchange, { kind: 'own', status: 500, code: 'gateway.internal', message: 'The gateway failed on this request; its log says why.', retryAfterSecs: null }, 'failed', null);
}

async function refuse(exchange: ExchangeContext, refusal: Refusal, outcome: Outcome, giveUp: GiveUpReason | null): Promise<void> {
  const { reply, settings, record } = exchange;
  const stopRetries = settings['gateway.stop_client_retries'] && record.retries() > 0;
  const upstreamName = refusal.kind === 'upstream' ? refusal.upstreamName : null;
  const ending: Ending = await reply.refuse(refusal, notesOf(exchange, upstreamName, record.retries(), stopRetries));
  if (ending.clientGone) return leave(exchange, 'attempt');
  const said = refusal.kind === 'upstream' ? refusal.failure : refusal;
  finish(exchange, { outcome, status: ending.status, errorCode: said.code, errorMessage: said.message, giveUp, answerBytes: ending.bytes, leftDuring: null });
}

function notesOf(exchange: ExchangeContext, upstreamName: string | null, retries: number, stopClientRetries: boolean): ReplyNotes {
  return { requestId: exchange.arrival.id, upstreamName, retries, stopClientRetries };
}

function finish(exchange: ExchangeContext, end: ExchangeEnd): void {
  const { parts, arrival, record } = exchange;
  parts.journal.note({ kind: 'finished', id: arrival.id, row: record.row(end, parts.clock.now()) });
}
