import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_NAME, type StoreRefusal } from '../protocol.ts';
import { codeOf, wordsOf } from './fault.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';

// A whole check of a large database would hold up the start; its damage shows when the damaged page is read.
const CHECKED_BYTES = 16 * 1024 * 1024;
/** How long a statement waits while another program holds the database. */
export const BUSY_MS = 2_000;

/** The opened database, and the lock that keeps other processes away while it lives. */
export interface OpenDatabase {
  readonly kind: 'open';
  readonly db: Database.Database;
  /** Where a database that could not be read was moved to; null when there was none. */
  readonly setAside: string | null;
  release(): void;
}

/** Opens, checks and migrates the database of a data folder. `how`: `first` makes it when it is not there and sets a damaged one aside; `again` takes only what is there and can be read. A refusal leaves everything as it was. */
export function openDatabase(dataDir: string, utcMs: number, how: 'first' | 'again' = 'first'): OpenDatabase | StoreRefusal {
  const file = join(dataDir, DATABASE_NAME);
  let lock: Database.Database | null = null;
  let opened = false;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = takeLock(dataDir);
    const held = lock;
    const found = readVersion(file);
    if (found > SCHEMA_VERSION) return { kind: 'newer_version', file, found, supported: SCHEMA_VERSION };
    if (how === 'again' && !existsSync(file)) return { kind: 'failed', dataDir, reason: `${file} is not there any more` };
    const { db, setAside } = how === 'again' ? { db: openAndMigrate(file), setAside: null } : openOrSetAside(file, utcMs);
    opened = true;
    return { kind: 'open', db, setAside, release: () => { held.close(); } };
  } catch (error) {
    return refusalOf(dataDir, error);
  } finally {
    if (!opened) lock?.close();
  }
}

// An SQLite lock on a file of its own: the operating system lets go of it when the process ends, however it ends, and no process
// number has to be believed. Nothing is ever written to the file.
function takeLock(dataDir: string): Database.Database {
  const lock = new Database(join(dataDir, 'holdfast.lock'), { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw codeOf(error).startsWith('SQLITE_BUSY') ? new LockedError() : error;
  }
}

class LockedError extends Error {}

// The version as the file tells it, without touching the file: opening a database for writing may already change it. Only where the
// last process left a write-ahead file behind must SQLite be asked, and then read-only.
function readVersion(file: string): number {
  if (!existsSync(file)) return 0;
  const wal = `${file}-wal`;
  if (existsSync(wal) && statSync(wal).size > 0) {
    try {
      const db = new Database(file, { readonly: true, timeout: BUSY_MS });
      try {
        return versionOf(db);
      } finally {
        db.close();
      }
    } catch (error) {
      if (isCorrupt(error)) return 0;
      throw error;
    }
  }
  const header = Buffer.alloc(100);
  const descriptor = openSync(file, 'r');
  try {
    const read = readSync(descriptor, header, 0, 100, 0);
    return read === 100 && header.toString('latin1', 0, 15) === 'SQLite format 3' ? header.readUInt32BE(60) : 0;
  } finally {
    closeSync(descriptor);
  }
}

function openOrSetAside(file: string, utcMs: number): { db: Database.Database; setAside: string | null } {
  try {
    return { db: openAndMigrate(file), setAside: null };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const setAside = moveAside(file, utcMs);
    return { db: openAndMigrate(file), setAside };
  }
}

function openAndMigrate(file: string): Database.Database {
  // Made with its mode before SQLite sees it; the write-ahead files take theirs from it.
  closeSync(openSync(file, 'a', 0o600));
  const db = new Database(file, { timeout: BUSY_MS });
  try {
    // Looked at before anything is changed: what is set aside is as it was found.
    if (statSync(file).size <= CHECKED_BYTES) checkWhole(db);
    if (versionOf(db) > 0) checkTables(db);
    // These two have an effect only on a database without tables: rows of about 1 KB leave less of a larger page empty, and
    // removed ones give their space back (SPEC 12.4).
    db.pragma('page_size = 8192');
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma(`journal_size_limit = ${16 * 1024 * 1024}`);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class DamagedError extends Error {}

function checkWhole(db: Database.Database): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new DamagedError(String(found));
}

// Those of the first version: a database that has a version but not these is another program's, or damaged.
function checkTables(db: Database.Database): void {
  for (const table of ['settings', 'app_state', 'upstreams', 'routes', 'gateway_keys', 'gateway_logs']) db.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
}

function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function migrate(db: Database.Database): void {
  const steps = MIGRATIONS.slice(versionOf(db));
  if (steps.length === 0) {
    // Also without anything to do: whether the database can be written must be known now, not at the first row.
    db.exec('BEGIN IMMEDIATE; COMMIT');
    return;
  }
  db.transaction(() => {
    for (const step of steps) db.exec(step);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}

function moveAside(file: string, utcMs: number): string {
  const date = new Date(utcMs).toISOString().slice(0, 19).replaceAll(':', '-');
  let aside = `${file}.corrupt-${date}`;
  for (let n = 2; existsSync(aside); n++) aside = `${file}.corrupt-${date}-${n}`;
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  return aside;
}

function isCorrupt(error: unknown): boolean {
  const code = codeOf(error);
  // SQLITE_ERROR here means a table or column that is not there.
  return error instanceof DamagedError || code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'SQLITE_ERROR';
}

const NOT_WRITABLE = /^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|EISDIR|SQLITE_READONLY.*|SQLITE_CANTOPEN.*|SQLITE_PERM|SQLITE_AUTH)$/;

/** Why a data folder cannot be used, in the words of SPEC 15. */
export function refusalOf(dataDir: string, error: unknown): StoreRefusal {
  if (error instanceof LockedError) return { kind: 'locked', dataDir };
  const code = codeOf(error);
  const reason = wordsOf(error);
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return { kind: 'disk_full', dataDir };
  return NOT_WRITABLE.test(code) ? { kind: 'not_writable', dataDir, reason } : { kind: 'failed', dataDir, reason };
}
