import { statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { rowValues, type SqlValue } from '../main/store/log-row.ts';
import { DATABASE_NAME, type RowChange } from '../main/store/protocol.ts';
import { openDatabase } from '../main/store/writer/open.ts';
import { createRowWriter } from '../main/store/writer/rows.ts';
import type { ExchangeRow } from '../shared/log.ts';
import { logRow } from './log-rows.ts';

/** How large the log has become: payload is the mean of what a row's values take, without the database's own. */
export interface BuiltLog { readonly payloadBytes: number; readonly fileBytes: number; readonly perSec: number }

// As under load: an exchange ends while some others have begun since, and a batch holds ends and begins.
const IN_FLIGHT = 50;
const BATCH = 250;
const SAMPLED = 100;

/** Fills the database of a new data folder with `count` finished exchanges by the writer's own code. */
export function buildLog(dataDir: string, count: number, bornMs: number): BuiltLog {
  const opened = openDatabase(dataDir, Date.now());
  if (opened.kind !== 'open') throw new Error(opened.kind);
  // Whole transactions, no waiting for the disk: how long that takes is not what is measured here.
  opened.db.pragma('synchronous = OFF');
  const writer = createRowWriter(opened.db, () => undefined);
  let payload = 0;
  let writingMs = 0;
  for (let first = 0; first < count + IN_FLIGHT; first += BATCH) {
    const rows: RowChange[] = [];
    for (let n = first; n < Math.min(first + BATCH, count + IN_FLIGHT); n++) {
      if (n < count) rows.push(begun(logRow(n, bornMs)));
      const ended = n < IN_FLIGHT ? null : logRow(n - IN_FLIGHT, bornMs);
      if (ended !== null) rows.push({ kind: 'finished', id: ended.id, row: ended });
      if (ended !== null && n % SAMPLED === 0) payload += bytesOf(rowValues(ended));
    }
    const beganMs = performance.now();
    const answer = writer.write({ rows, contents: [] });
    writingMs += performance.now() - beganMs;
    if (answer.kind !== 'written' || answer.lost > 0) throw new Error(`rows were not written: ${JSON.stringify(answer)}`);
  }
  opened.db.pragma('wal_checkpoint(TRUNCATE)');
  opened.db.close();
  opened.release();
  return { payloadBytes: payload / Math.floor(count / SAMPLED), fileBytes: statSync(join(dataDir, DATABASE_NAME)).size, perSec: count / writingMs * 1_000 };
}

function begun(row: ExchangeRow): RowChange {
  return {
    kind: 'started', id: row.id,
    row: { ...row, state: 'in_flight', outcome: null, ended_at: null, status: null, upstream: null, model_served: null, error_code: null, error_message: null, retries: 0, attempts: 0, failovers: 0, duration_ms: null, answer_bytes: 0, detail: { attempts: [] } },
  };
}

function bytesOf(values: readonly SqlValue[]): number {
  return values.reduce<number>((sum, value) => sum + (value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : Number.isInteger(value) ? integerBytes(value) : 8), 0);
}

// SQLite keeps small integers in fewer bytes.
function integerBytes(value: number): number {
  const size = Math.abs(value);
  return size < 2 ? 0 : size < 2 ** 7 ? 1 : size < 2 ** 15 ? 2 : size < 2 ** 23 ? 3 : size < 2 ** 31 ? 4 : 6;
}
