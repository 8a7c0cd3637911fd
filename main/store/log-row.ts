import type { ExchangeDetail, ExchangeRow } from '../../shared/log.ts';

/** What SQLite takes as it is. */
export type SqlValue = string | number | null;

const COLUMN_SET: Readonly<Record<keyof ExchangeRow, true>> = {
  id: true, started_at: true, ended_at: true, state: true, outcome: true, key_name: true, client: true, session_id: true, format: true, path: true,
  model_asked: true, model_served: true, route: true, upstream: true, streamed: true, status: true, error_code: true, error_message: true,
  retries: true, attempts: true, failovers: true, give_up: true, pause_ms: true, queued_ms: true, first_content_ms: true, duration_ms: true,
  request_bytes: true, answer_bytes: true, input_tokens: true, output_tokens: true, cache_read_tokens: true, cache_write_tokens: true,
  reasoning_tokens: true, cost_micros: true, client_retry: true, detail: true,
};

/** Columns of `gateway_logs` in their order (SPEC 12.1); the first is `id`. */
export const LOG_COLUMNS = Object.keys(COLUMN_SET) as readonly (keyof ExchangeRow)[];

/** A row as SQLite takes it, in the order of `LOG_COLUMNS`. Throws when a field is nothing that can be stored. */
export function rowValues(row: ExchangeRow): readonly SqlValue[] {
  return LOG_COLUMNS.map((column) => (column === 'detail' ? JSON.stringify(row.detail) : sqlValue(column, row[column])));
}

function sqlValue(column: string, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`${column} cannot hold a ${typeof value}`);
}

/** A record read from `gateway_logs`. A detail that is no JSON comes back as one without attempts. */
export function rowOf(record: Readonly<Record<string, unknown>>): ExchangeRow {
  return { ...record, streamed: record['streamed'] === 1, detail: detailOf(record['detail']) } as unknown as ExchangeRow;
}

function detailOf(text: unknown): ExchangeDetail {
  try {
    const detail: unknown = JSON.parse(String(text));
    if (typeof detail === 'object' && detail !== null && Array.isArray((detail as ExchangeDetail).attempts)) return detail as ExchangeDetail;
  } catch {
    // Told by the empty list of attempts.
  }
  return { attempts: [] };
}
