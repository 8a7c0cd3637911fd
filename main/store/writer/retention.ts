import type { Database } from 'better-sqlite3';
import type { RetentionLimits } from '../protocol.ts';
import { removeOldBodies } from './contents.ts';

// Small enough that rows and settings written meanwhile wait some milliseconds at most.
const ROWS_PER_STEP = 100;
const PAGES_PER_STEP = 500;

/** One small step of removing old rows, by age and by size, and of giving their space back to the disk (SPEC 12.4). `more` asks for another. */
export function retain(db: Database, limits: RetentionLimits): { readonly removed: number; readonly more: boolean } {
  const aged = removeOldest(db, 'AND started_at < ?', [limits.beforeUtcMs]);
  if (aged === ROWS_PER_STEP) return { removed: aged, more: true };
  const bodies = removeOldBodies(db, limits.bodiesBeforeUtcMs);
  if (bodies.more) return { removed: aged, more: true };
  const excess = usedBytes(db) > limits.maxBytes ? removeOldest(db, '', []) : 0;
  if (excess > 0) return { removed: aged + excess, more: true };
  return { removed: aged, more: giveBack(db) };
}

function removeOldest(db: Database, condition: string, bindings: readonly number[]): number {
  return db.prepare(`DELETE FROM gateway_logs WHERE id IN (
    SELECT id FROM gateway_logs WHERE state = 'done' ${condition} ORDER BY started_at, id LIMIT ${ROWS_PER_STEP})`).run(...bindings).changes;
}

function usedBytes(db: Database): number {
  const pages = Number(db.pragma('page_count', { simple: true })) - freePages(db);
  return pages * Number(db.pragma('page_size', { simple: true }));
}

function freePages(db: Database): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}

// A page of room is kept for the next rows; below a step's worth the file is left as it is.
function giveBack(db: Database): boolean {
  if (freePages(db) < PAGES_PER_STEP) return false;
  db.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
  const more = freePages(db) >= PAGES_PER_STEP;
  // A database made without incremental vacuum never gets smaller: then there is nothing more to do.
  if (!more || Number(db.pragma('auto_vacuum', { simple: true })) !== 2) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    return false;
  }
  return true;
}
