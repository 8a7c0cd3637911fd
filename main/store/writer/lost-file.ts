import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

/** Whether the file that a database was opened from still stands in its place. Where a system lets an open file be removed, SQLite writes on into nothing. */
export interface FileWatch { state(): 'there' | 'gone' | 'another' }

/** To be made right after the database was opened from `file`. */
export function watchFile(file: string): FileWatch {
  const own = statSync(file, { bigint: true });
  return {
    state: () => {
      const found = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (found === undefined) return 'gone';
      return found.ino === own.ino && found.dev === own.dev ? 'there' : 'another';
    },
  };
}

/**
 * Puts a removed database back in its place: the connection still has all of it. The connection is closed; what the file then holds has to be
 * opened anew. Throws when it cannot be written, and then the connection is as it was.
 */
export function putFileBack(db: Database): void {
  const file = db.name;
  const copy = `${file}.back`;
  rmSync(copy, { force: true });
  closeSync(openSync(copy, 'w', 0o600));
  db.prepare('VACUUM INTO ?').run(copy);
  db.close();
  // They belong to the removed file: beside the new one they would be taken for its own.
  for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
  renameSync(copy, file);
}
