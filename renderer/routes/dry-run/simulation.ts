import type { DryRun, DryRunRequest, SimulatedAnswer, SIMULATED_KINDS } from '../../../shared/dry-run.ts';
import type { FormatName } from '../../../shared/format.ts';
import type { ExchangeRow } from '../../../shared/log.ts';
import type { Upstream } from '../../../shared/upstream.ts';

/** The kinds of answers an upstream can be told to give. */
export type SimulatedKind = (typeof SIMULATED_KINDS)[number];

/** One answer while it is edited; `value` is its number as typed: a status, or seconds. */
export interface AnswerStep { readonly kind: SimulatedKind; readonly value: string }

/** What the panel holds. */
export interface Simulation {
  readonly model: string;
  readonly format: FormatName;
  readonly streamed: boolean;
  readonly health: DryRunRequest['health'];
  /** By id of the upstream; who is not in it answers well. */
  readonly answers: Readonly<Record<string, readonly AnswerStep[]>>;
}

/** What an answer starts with when it is chosen: 503 for a status, a second until first content, 20 s to wait. */
export function stepOf(kind: SimulatedKind): AnswerStep {
  return { kind, value: { status: '503', answer: '1', rate_limited: '20' }[kind as string] ?? '' };
}

/** A first simulation: the first upstream is overloaded twice, then well. */
export function firstSimulation(upstreams: readonly Upstream[], model: string): Simulation {
  const first = upstreams.find((one) => one.enabled);
  return { model, format: first?.formats[0] ?? 'anthropic', streamed: true, health: 'fresh', answers: first === undefined ? {} : { [first.id]: [stepOf('status'), stepOf('status'), stepOf('answer')] } };
}

/** How each format names an overload in the middle of a stream. */
const OVERLOADS: Readonly<Record<FormatName, string>> = { anthropic: 'overloaded_error', chat: 'server_error', responses: 'server_is_overloaded', gemini: 'UNAVAILABLE' };

/** The request the panel means; null while something in it is missing or out of range. */
export function requestOf(simulation: Simulation): DryRunRequest | null {
  const { model, format, streamed, health } = simulation;
  const answers = Object.entries(simulation.answers).map(([upstream, steps]) => ({ upstream, answers: steps.map((step) => answerOf(step, format)) }));
  if (model.trim() === '' || answers.some((one) => one.answers.includes(null))) return null;
  return { model: model.trim(), format, streamed, health, answers: answers.flatMap(({ upstream, answers: own }) => { const known = own.filter((one) => one !== null); return known.length === 0 ? [] : [{ upstream, answers: known }]; }) };
}

/** The answer a step means; null when its number cannot be used. */
export function answerOf({ kind, value }: AnswerStep, format: FormatName): SimulatedAnswer | null {
  const text = value.trim();
  const number = Number(text);
  switch (kind) {
    case 'answer': return text !== '' && number >= 0 && number <= 3_600 ? { kind, after_ms: Math.round(number * 1_000) } : null;
    case 'status': return Number.isInteger(number) && number >= 400 && number <= 599 ? { kind, status: number } : null;
    case 'rate_limited': return text === '' ? { kind, retry_after_secs: null } : number >= 0 && number <= 86_400 ? { kind, retry_after_secs: number } : null;
    case 'stream_error': return { kind, code: OVERLOADS[format] };
    case 'refuse': case 'reset': case 'hang': case 'breaks_off': return { kind };
  }
}

/** The dry run as the log would have it, so that its sentence and its time line are those of a real request. */
export function rowOf(run: DryRun, request: DryRunRequest): ExchangeRow {
  const end = run.steps.findLast((step) => step.kind === 'end');
  const served = run.attempts.findLast((attempt) => attempt.outcome === 'answered' || attempt.outcome === 'truncated');
  // The next one of the same round, unless it was waited for.
  const failovers = run.attempts.filter((attempt, index) => run.attempts[index - 1]?.round === attempt.round && attempt.pause_reason === null).length;
  const retries = Math.max(0, ...run.attempts.map((attempt) => attempt.round));
  const queuedMs = run.attempts.reduce((sum, attempt) => sum + attempt.queued_ms, 0);
  return {
    id: 'dry-run', started_at: 0, ended_at: run.durationMs, state: 'done', outcome: end?.outcome ?? 'failed', key_name: null, client: null, session_id: null, format: request.format, path: '',
    model_asked: request.model, model_served: served?.model ?? null, route: run.route?.id ?? null, upstream: served?.upstream ?? null, streamed: request.streamed, status: end?.status ?? null,
    error_code: end?.code ?? null, error_message: end?.message ?? null, retries, attempts: run.attempts.at(-1)?.n ?? 0, failovers, give_up: end?.giveUp ?? null,
    pause_ms: run.pauseMs, queued_ms: queuedMs, first_content_ms: served?.first_content_ms == null ? null : served.started_ms + served.first_content_ms, duration_ms: run.durationMs, request_bytes: 0, answer_bytes: 0,
    input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null, cost_micros: null, client_retry: null, detail: { ...(retries > 0 && { retries }), attempts: run.attempts },
  };
}
