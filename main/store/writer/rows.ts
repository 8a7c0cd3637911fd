import type { Database } from 'better-sqlite3';
import { LOG_COLUMNS } from '../log-row.ts';
import type { RowChange, RowsWritten } from '../protocol.ts';
import { codeOf, wordsOf } from './fault.ts';

/** Rows that a crash left in flight end as interrupted (SPEC 12.3); returns how many there were. When they ended nobody knows. */
export function endInterrupted(db: Database): number {
  return db.prepare(`UPDATE gateway_logs SET state = 'done', outcome = 'interrupted' WHERE state = 'in_flight'`).run().changes;
}

/** Writes changes of rows, many per transaction. */
export interface RowWriter { write(changes: readonly RowChange[]): RowsWritten }

export function createRowWriter(db: Database): RowWriter {
  const marks = LOG_COLUMNS.map(() => '?').join(', ');
  const insert = `INSERT INTO gateway_logs (${LOG_COLUMNS.join(', ')}) VALUES (${marks}) ON CONFLICT (id) DO`;
  const statements = {
    begin: db.prepare(`${insert} NOTHING`),
    finish: db.prepare(`${insert} UPDATE SET ${LOG_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`),
    forget: db.prepare(`DELETE FROM gateway_logs WHERE id = ?`),
  };

  const writeOne = (change: RowChange): void => {
    if (change.kind === 'forget') statements.forget.run(change.id);
    else statements[change.kind].run(...change.values);
  };

  return {
    write: (changes) => {
      let lost = 0;
      let reason: string | null = null;
      try {
        db.transaction(() => {
          for (const change of changes) {
            try {
              writeOne(change);
            } catch (error) {
              // One row that cannot be stored must not take the others with it; a database that cannot be written takes them all.
              if (!db.inTransaction || isPassing(error)) throw error;
              reason ??= wordsOf(error);
              if (change.kind === 'finish') lost++;
            }
          }
        }).immediate();
        return { kind: 'written', lost, reason };
      } catch (error) {
        return { kind: 'later', reason: wordsOf(error) };
      }
    },
  };
}

// Faults of the disk or of another program's lock, not of a row.
function isPassing(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|INTERRUPT)/.test(codeOf(error));
}
