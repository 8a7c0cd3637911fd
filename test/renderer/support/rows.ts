import type { AttemptRow, ExchangeRow } from '../../../shared/log.ts';

/** 12:00:00 UTC of a day in 2026, in ms since 1970. */
export const NOON = Date.UTC(2026, 2, 14, 12);

/** A failed attempt, 503 in the head after 400 ms; whatever matters is given. */
export function attempt(part: Partial<AttemptRow> = {}): AttemptRow {
  return {
    n: 1, round: 0, upstream: 'anthropic', model: 'opus-5.5', started_ms: 0, duration_ms: 400, outcome: 'failed', status: 503, class: 'transient', code: 'overloaded_error',
    message: 'Overloaded', where: 'head', hint_ms: null, pause_ms: null, pause_reason: null, queued_ms: 0, first_content_ms: null, bytes: 120, sent_whole: true, resent: false, bypass: false,
    ...part,
  };
}

/** The attempt that answered. */
export function answered(part: Partial<AttemptRow> = {}): AttemptRow {
  return attempt({ outcome: 'answered', status: 200, class: null, code: null, message: null, where: null, duration_ms: 3_000, first_content_ms: 800, bytes: 9_000, ...part });
}

/** A finished row, answered at the first try; whatever matters is given. */
export function exchange(part: Partial<ExchangeRow> = {}): ExchangeRow {
  return {
    id: '019a0000-0000-7000-8000-000000000001', started_at: NOON, ended_at: NOON + 3_000, state: 'done', outcome: 'success', key_name: 'default', client: 'Claude Code', session_id: null,
    format: 'anthropic', path: '/v1/messages', model_asked: 'opus-5.5', model_served: 'opus-5.5', route: '*', upstream: 'anthropic', streamed: true, status: 200, error_code: null, error_message: null,
    retries: 0, attempts: 1, failovers: 0, give_up: null, pause_ms: 0, queued_ms: 0, first_content_ms: 800, duration_ms: 3_000, request_bytes: 48_000, answer_bytes: 9_000,
    input_tokens: 12_000, output_tokens: 340, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null, cost_micros: null, client_retry: null, detail: { attempts: [answered()] },
    ...part,
  };
}

/** A row that runs. */
export function running(part: Partial<ExchangeRow> = {}): ExchangeRow {
  return exchange({
    ended_at: null, state: 'in_flight', outcome: null, status: null, model_served: null, upstream: null, first_content_ms: null, duration_ms: null, answer_bytes: 0, input_tokens: null, output_tokens: null,
    attempts: 0, detail: { attempts: [] }, ...part,
  });
}

/** Attempts that fail one after the other with these pauses (ms) between them, then `last`. */
export function retriedRow(pausesMs: readonly number[], last: Partial<AttemptRow>, part: Partial<ExchangeRow> = {}): ExchangeRow {
  let at = 0;
  const attempts = [...pausesMs.map((): Partial<AttemptRow> => ({})), last].map((own, index) => {
    const pause = index === 0 ? null : (pausesMs[index - 1] ?? 0);
    at += pause ?? 0;
    const base = index === pausesMs.length && own.outcome === 'answered' ? answered : attempt;
    const one = base({ n: index + 1, round: index, started_ms: at, pause_ms: pause, pause_reason: pause === null ? null : 'backoff', ...own });
    at += one.duration_ms;
    return one;
  });
  return exchange({
    retries: pausesMs.length, attempts: attempts.length, pause_ms: pausesMs.reduce((sum, one) => sum + one, 0), duration_ms: at, ended_at: NOON + at,
    detail: { retries: pausesMs.length, attempts }, ...part,
  });
}
