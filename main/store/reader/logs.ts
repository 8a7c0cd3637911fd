import type { Database } from 'better-sqlite3';
import type { Outcome } from '../../../shared/failure.ts';
import type { ExchangeRow, LogPage, LogQuery } from '../../../shared/log.ts';
import { LOG_COLUMNS, rowOf } from '../log-row.ts';

const COLUMNS = LOG_COLUMNS.join(', ');
const MOST_ROWS = 500;

/** A page of rows, newest first by (`started_at`, `id`). Each query walks one index and stops at the limit, so its time does not grow with the log. */
export function listLogs(db: Database, query: LogQuery): LogPage {
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MOST_ROWS);
  const outcomes: readonly (Outcome | null)[] = query.outcomes === undefined || query.outcomes.length === 0 ? [null] : [...new Set(query.outcomes)];
  // One walk per outcome and a merge: a single query over several outcomes would have to sort all of their rows.
  const found = outcomes.flatMap((outcome) => walk(db, query, outcome, limit + 1)).sort(newestFirst);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? { started_at: last.started_at, id: last.id } : null };
}

/** One row with everything that is known of it. */
export function getLog(db: Database, id: string): ExchangeRow | null {
  const record = db.prepare(`SELECT ${COLUMNS} FROM gateway_logs WHERE id = ?`).get(id);
  return record === undefined ? null : rowOf(record as Record<string, unknown>);
}

// Looks no further back than this: who asks for one model alone need not have the whole log read.
const MOST_ROWS_FOR_MODELS = 5_000;

/** The last different models that were asked for, newest first. */
export function recentModels(db: Database, count: number): readonly string[] {
  const newest = 'SELECT model_asked, started_at, id FROM gateway_logs ORDER BY started_at DESC, id DESC LIMIT ?';
  const models = db.prepare(`SELECT model_asked FROM (${newest}) WHERE model_asked IS NOT NULL GROUP BY model_asked ORDER BY MAX(started_at) DESC, MAX(id) DESC LIMIT ?`).pluck().all(MOST_ROWS_FOR_MODELS, count);
  return models as string[];
}

function walk(db: Database, query: LogQuery, outcome: Outcome | null, limit: number): ExchangeRow[] {
  const conditions: string[] = [];
  const bindings: (string | number)[] = [];
  if (outcome !== null) {
    conditions.push('outcome = ?');
    bindings.push(outcome);
  }
  if (query.retriedOnly === true) conditions.push('retries > 0');
  if (query.before !== undefined) {
    conditions.push('(started_at, id) < (?, ?)');
    bindings.push(query.before.started_at, query.before.id);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const records = db.prepare(`SELECT ${COLUMNS} FROM gateway_logs ${where} ORDER BY started_at DESC, id DESC LIMIT ?`).all(...bindings, limit);
  return records.map((record) => rowOf(record as Record<string, unknown>));
}

function newestFirst(a: ExchangeRow, b: ExchangeRow): number {
  return b.started_at - a.started_at || (a.id < b.id ? 1 : -1);
}
