import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { DATABASE_NAME, type ReaderCalls } from '../protocol.ts';
import { serveCalls } from '../serve-calls.ts';
import { figures } from './figures.ts';
import { getContents } from './contents.ts';
import { createReading } from './reading.ts';

// The thread that answers questions about the log; it cannot write (DESIGN 6).
if (parentPort === null) throw new Error('the reader runs as a worker thread');

const { dataDir } = workerData as { readonly dataDir: string };
const db = new Database(join(dataDir, DATABASE_NAME), { readonly: true, fileMustExist: true, timeout: 2_000 });

serveCalls<ReaderCalls>(parentPort, {
  ...createReading(db, { now: () => performance.now(), later: setImmediate }),
  contents: (id) => getContents(db, id),
  figures: (asked) => figures(db, asked),
  close: () => {
    db.close();
    return null;
  },
});
