import { dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { OpenAnswer, WriterCalls } from '../protocol.ts';
import { serveCalls } from '../serve-calls.ts';
import { readConfiguration, seedSettings, writeConfiguration } from './configuration.ts';
import { createContentsWriter, type ContentsWriter } from './contents.ts';
import { createCheckpoints, type Checkpoints } from './checkpoint.ts';
import { BUSY_MS, openDatabase, refusalOf, type OpenDatabase } from './open.ts';
import { putFileBack, watchFile, type FileWatch } from './lost-file.ts';
import { retain } from './retention.ts';
import { createRowWriter, endInterrupted, type RowWriter } from './rows.ts';
import { readSeals, writeSeals } from './seals.ts';

// The one thread that writes to the database (DESIGN 6).
if (parentPort === null) throw new Error('the writer runs as a worker thread');

let database: OpenDatabase | null = null;
let rows: RowWriter | null = null;
let contents: ContentsWriter | null = null;
let checkpoints: Checkpoints | null = null;
let file: FileWatch | null = null;
// Not yet told.
let wasGone = false;

const ANOTHER_FILE = 'another file stands where the database stood';

serveCalls<WriterCalls>(parentPort, {
  open,
  write_rows: ({ secrets, ...batch }) => {
    if (!isFileThere()) return { kind: 'later', reason: ANOTHER_FILE };
    contents?.know(secrets);
    const written = (rows ?? unopened()).write(batch);
    checkpoints?.afterWrite();
    if (!wasGone || written.kind !== 'written') return written;
    wasGone = false;
    return { ...written, fileWasGone: true };
  },
  write_configuration: (patch) => {
    if (!isFileThere()) throw new Error(ANOTHER_FILE);
    writeConfiguration((database ?? unopened()).db, patch);
    return null;
  },
  write_seals: (patch) => {
    writeSeals((database ?? unopened()).db, patch);
    return null;
  },
  retain: (limits) => {
    const step = retain((database ?? unopened()).db, limits);
    // Only then does the file get smaller.
    if (!step.more) checkpoints?.fold();
    return step;
  },
  forget: () => {
    (database ?? unopened()).db.exec('DELETE FROM gateway_figures; DELETE FROM sealed_history;');
    return null;
  },
  compact: () => {
    (database ?? unopened()).db.exec('VACUUM');
    checkpoints?.fold();
    return null;
  },
  close: () => {
    database?.db.close();
    database?.release();
    database = null;
    return null;
  },
});

function open({ dataDir, utcMs, settings, how }: WriterCalls['open']['argument']): OpenAnswer {
  const opened = openDatabase(dataDir, utcMs, how);
  if (opened.kind !== 'open') return opened;
  database = opened;
  try {
    // What is in flight while the thread is started again goes on.
    const interrupted = how === 'first' ? endInterrupted(opened.db) : 0;
    seedSettings(opened.db, settings);
    use(opened);
    return { kind: 'open', stored: readConfiguration(opened.db), seals: readSeals(opened.db), setAside: opened.setAside, interrupted };
  } catch (error) {
    database = null;
    opened.db.close();
    opened.release();
    return refusalOf(dataDir, error);
  }
}

function use(opened: OpenDatabase): void {
  database = opened;
  checkpoints = createCheckpoints(opened.db, BUSY_MS);
  file = watchFile(opened.db.name);
  const writer = createContentsWriter(opened.db);
  contents = writer;
  rows = createRowWriter(opened.db, (change) => { writer.write(change); });
}

/** Puts the file back when it was removed; false when another has taken its place. */
function isFileThere(): boolean {
  const state = file?.state();
  if (state === 'gone') bringBack();
  return state !== 'another';
}

function bringBack(): void {
  const { db, release } = database ?? unopened();
  putFileBack(db);
  release();
  const opened = openDatabase(dirname(db.name), 0, 'again');
  // The connection is gone; a thread that begins anew may have better luck.
  if (opened.kind !== 'open') process.exit(1);
  use(opened);
  wasGone = true;
}

function unopened(): never {
  throw new Error('the database is not open');
}
