import { OUTCOMES } from '../../shared/failure.ts';
import type { ExchangeRow, LogFilter } from '../../shared/log.ts';
import { rowWith } from '../support/store-parts.ts';

/** Every n-th value of a list, null where it says so. */
const at = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

export const UPSTREAMS = ['Anthropic', 'OpenAI', '公司代理', null] as const;
export const MODELS = ['opus', 'sonnet', 'gpt', 'qwen', 'a_b%c', null] as const;
export const CLIENTS = ['claude-code/2.1', 'codex/0.1', null] as const;
export const KEYS = ['default', '笔记本', null] as const;
export const CODES = ['overloaded_error', 'server_error', null, null] as const;
export const SESSIONS = ['0193-aaaa-bbbb-cccc', '9999-aaaa-bbbb-cccc', 's', null] as const;
const MESSAGES = ['Überlastet: bitte warten', 'СЕРВЕР перегружен', '模型当前过载', '100% of a_b, [x] *?', null] as const;
const STATUSES = [200, 404, 499, 503, 529] as const;

/** Rows whose fields do not follow each other, several to a time, a few of them in flight. */
export function sampleRows(count: number): readonly ExchangeRow[] {
  return Array.from({ length: count }, (_, n) => {
    const mixed = Math.imul(n + 1, 0x9e3779b1) >>> 8;
    const inFlight = n % 61 === 7;
    return rowWith({
      id: `r${String((mixed * 7) % 1_000_000).padStart(6, '0')}-${n}`, started_at: 1_000 + Math.floor(n / 3), state: inFlight ? 'in_flight' : 'done', outcome: inFlight ? null : at(OUTCOMES, mixed >> 1),
      status: inFlight ? null : at(STATUSES, mixed >> 3), upstream: inFlight ? null : at(UPSTREAMS, mixed >> 2), model_asked: at(MODELS, mixed >> 4), model_served: inFlight ? null : at(MODELS, mixed >> 5),
      client: at(CLIENTS, mixed >> 6), key_name: at(KEYS, mixed >> 7), session_id: at(SESSIONS, mixed >> 5), error_code: inFlight ? null : at(CODES, mixed >> 8), error_message: inFlight ? null : at(MESSAGES, mixed >> 9),
      retries: mixed % 5 === 0 ? 1 + (mixed % 3) : 0,
    });
  });
}

/** Newest first, as the log gives them. */
export function newestFirst(rows: readonly ExchangeRow[]): readonly ExchangeRow[] {
  return [...rows].sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));
}

/** What a filter means, told row by row. */
export function passes(filter: LogFilter, row: ExchangeRow): boolean {
  const one = (wanted: readonly unknown[] | undefined, value: unknown): boolean => wanted === undefined || (value !== null && wanted.includes(value));
  return one(filter.outcomes, row.outcome) && one(filter.upstreams, row.upstream) && one(filter.clients, row.client) && one(filter.keys, row.key_name) && one(filter.errorCodes, row.error_code)
    && (one(filter.models, row.model_asked) || one(filter.models, row.model_served)) && one(filter.statusClasses, row.status === null ? null : Number(String(row.status)[0]))
    && (filter.retriedOnly !== true || row.retries > 0) && (filter.sessionId === undefined || filter.sessionId === row.session_id)
    && row.started_at >= (filter.from ?? -Infinity) && row.started_at < (filter.to ?? Infinity) && (filter.text === undefined || holds(row, filter.text));
}

function holds(row: ExchangeRow, text: string): boolean {
  const said = row.attempts > 1 ? row.detail.attempts.flatMap((attempt) => [attempt.upstream, attempt.model, attempt.code, attempt.message]) : [];
  return [row.model_asked, row.model_served, row.path, row.error_code, row.error_message, row.session_id, row.id, row.upstream, row.client, ...said].some((field) => field?.toLowerCase().includes(text.toLowerCase()) === true);
}
