import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { createReading } from '../../main/store/reader/reading.ts';
import { openDatabase, type OpenDatabase } from '../../main/store/writer/open.ts';
import { LOG_COLUMNS, rowValues } from '../../main/store/log-row.ts';
import { DATABASE_NAME } from '../../main/store/protocol.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { temporaryFolder } from './store-parts.ts';

/** A log on disk, and the reader's own code over a read-only connection to it, whose slices the test hands out. */
export function readingOf(rows: readonly ExchangeRow[] = []) {
  const dataDir = temporaryFolder();
  const opened = openDatabase(dataDir, 0) as OpenDatabase;
  const insert = opened.db.prepare(`INSERT OR REPLACE INTO gateway_logs (${LOG_COLUMNS.join(', ')}) VALUES (${LOG_COLUMNS.map(() => '?').join(', ')})`);
  const write = (more: readonly ExchangeRow[]): void => { opened.db.transaction(() => { for (const row of more) insert.run(...rowValues(row)); })(); };
  write(rows);
  const reader = new Database(`${dataDir}/${DATABASE_NAME}`, { readonly: true });
  let nowMs = 0;
  let stepMs = 0;
  let waiting: (() => void)[] = [];
  const turn = (): boolean => {
    const [next, ...others] = waiting;
    waiting = others;
    next?.();
    return next !== undefined;
  };
  const reading = createReading(reader, { now: () => (nowMs += stepMs), later: (run) => { waiting.push(run); } });
  onTestFinished(() => {
    reader.close();
    opened.db.close();
    opened.release();
  });
  return {
    reading, write, turn, reader, dataDir,
    writer: opened.db,
    /** The time that goes by between two looks at the clock from now on; a slice looks twice or three times. */
    timePasses: (ms: number) => { stepMs = ms; },
    /** Hands out slices until an answer is there. */
    settle: async <T>(answer: Promise<T>): Promise<T> => {
      while (turn());
      return answer;
    },
  };
}
