import type { Database } from 'better-sqlite3';
import type { ExchangeRow } from '../../../shared/log.ts';
import { LOG_COLUMNS, rowOf } from '../log-row.ts';

const COLUMNS = LOG_COLUMNS.join(', ');

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
