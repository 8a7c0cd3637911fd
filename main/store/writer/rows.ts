import type { Database } from 'better-sqlite3';
import type { ExchangeRow } from '../../../shared/log.ts';
import { LOG_COLUMNS, rowValues } from '../log-row.ts';
import type { ContentsChange, LogBatch, RowChange, RowsWritten } from '../protocol.ts';
import { codeOf, wordsOf } from './fault.ts';
import { createFigureWriter, DATED_COLUMNS, datedRow, type DatedRow, type FigureWriter } from './figures.ts';

/** Rows that a crash left in flight end as interrupted (SPEC 12.3); returns how many there were. When they ended nobody knows. */
export function endInterrupted(db: Database): number {
  const figures = createFigureWriter(db);
  return db.transaction(() => {
    for (const record of db.prepare(`SELECT ${DATED_COLUMNS} FROM gateway_logs WHERE state = 'in_flight'`).iterate()) figures.add({ ...datedRow(record), outcome: 'interrupted' });
    figures.save();
    return db.prepare(`UPDATE gateway_logs SET state = 'done', outcome = 'interrupted' WHERE state = 'in_flight'`).run().changes;
  }).immediate();
}

/** Writes batches of rows and contents, each in one transaction. */
export interface RowWriter { write(batch: LogBatch): RowsWritten }

// Known at arrival and the same ever after: left alone by the end, so that no index of theirs has to be touched.
const FIXED: readonly (keyof ExchangeRow)[] = ['id', 'started_at', 'key_name', 'client', 'session_id', 'format', 'path', 'model_asked', 'streamed', 'request_bytes', 'client_retry'];

/** `writeContents` writes what is kept beside a row, inside the same transaction; it throws when it cannot. */
export function createRowWriter(db: Database, writeContents: (change: ContentsChange) => void): RowWriter {
  const figures = createFigureWriter(db);
  const writeRow = createStatements(db, figures);
  const dropBegun = db.prepare(`DELETE FROM gateway_logs WHERE id = ? AND state = 'in_flight'`);

  return {
    write: (batch) => {
      const lost = { lost: 0, lostContents: 0 };
      let reason: string | null = null;
      /** One row that cannot be stored must not take the others with it; a database that cannot be written takes them all. */
      const each = <T>(changes: readonly T[], write: (change: T) => void, failed: (change: T) => void): void => {
        for (const change of changes) {
          try {
            write(change);
          } catch (error) {
            if (!db.inTransaction || isPassing(error)) throw error;
            reason ??= wordsOf(error);
            failed(change);
          }
        }
      };
      try {
        db.transaction(() => {
          each(batch.rows, writeRow, (change) => {
            if (change.kind !== 'finished') return;
            lost.lost++;
            // Without its end it would stand there as running.
            dropBegun.run(change.id);
          });
          figures.save();
          each(batch.contents, writeContents, () => { lost.lostContents++; });
        }).immediate();
        return { kind: 'written', ...lost, reason, usedBytes: usedBytes(db) };
      } catch (error) {
        figures.discard();
        return { kind: 'later', reason: wordsOf(error) };
      }
    },
  };
}

function createStatements(db: Database, figures: FigureWriter): (change: RowChange) => void {
  const insert = `INSERT INTO gateway_logs (${LOG_COLUMNS.join(', ')}) VALUES (${LOG_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO`;
  const update = `UPDATE SET ${LOG_COLUMNS.filter((column) => !FIXED.includes(column)).map((column) => `${column} = excluded.${column}`).join(', ')}`;
  const begin = db.prepare(`${insert} NOTHING`);
  const finish = db.prepare(`${insert} ${update} WHERE state = 'in_flight'`);
  const finishAgain = db.prepare(`${insert} ${update}`);
  const done = db.prepare(`SELECT ${DATED_COLUMNS} FROM gateway_logs WHERE id = ? AND state = 'done'`);
  const forget = db.prepare('DELETE FROM gateway_logs WHERE id = ?');

  return (change) => {
    switch (change.kind) {
      case 'started': return void begin.run(rowValues(change.row));
      case 'finished': {
        const values = rowValues(change.row);
        // Nothing changes when the row has ended before: a batch whose answer was lost is written again.
        if (finish.run(values).changes === 0) {
          const before = done.get(change.id);
          finishAgain.run(values);
          figures.subtract(datedRow(before));
        }
        return figures.add(dated(change.row));
      }
      case 'forget': {
        const before = done.get(change.id);
        forget.run(change.id);
        if (before !== undefined) figures.subtract(datedRow(before));
      }
    }
  };
}

function dated(row: ExchangeRow): DatedRow {
  return { ...row, auth: row.outcome === 'failed' && row.detail.attempts.at(-1)?.class === 'auth' };
}

/** What the database holds without the pages that are free, bytes. */
export function usedBytes(db: Database): number {
  const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}

// Faults of the disk or of another program's lock, not of a row.
function isPassing(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|INTERRUPT)/.test(codeOf(error));
}
