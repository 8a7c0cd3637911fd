import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

// SQLite folds the write-ahead file in by itself, some megabytes at a time, and begins it anew when nobody reads from it at that moment. A reader
// that is always reading never gives it that moment (SPEC R55): then it has to be waited for, a little.
const LARGE_BYTES = 16 * 1024 * 1024;
const READERS_WAIT_MS = 60;
const EVERY_MS = 250;

/** Keeps the write-ahead file of the database small. Neither ever throws: what is not folded in now is folded in later. */
export interface Checkpoints {
  /** To be called after each write: does something only when the file has grown large. */
  afterWrite(): void;
  /** Folds all of it in and gives the space back, unless somebody reads too long. */
  fold(): void;
}

/** `usualBusyMs` is how long other statements wait for a lock. */
export function createCheckpoints(db: Database, usualBusyMs: number): Checkpoints {
  let nextMs = 0;
  const fold = (): void => {
    db.pragma(`busy_timeout = ${READERS_WAIT_MS}`);
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk or a lock: the next write tells.
    } finally {
      db.pragma(`busy_timeout = ${usualBusyMs}`);
    }
  };
  return {
    fold,
    afterWrite: () => {
      const nowMs = performance.now();
      if (nowMs < nextMs || sizeOf(`${db.name}-wal`) < LARGE_BYTES) return;
      nextMs = nowMs + EVERY_MS;
      fold();
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
