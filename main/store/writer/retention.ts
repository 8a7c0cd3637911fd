import type { Database } from 'better-sqlite3';
import type { RetentionLimits } from '../protocol.ts';
import { removeOldBodies } from './contents.ts';
import { dropOldFigures } from './figures.ts';
import { usedBytes } from './rows.ts';

// Rows and settings written meanwhile wait no longer than a step and its last piece.
const STEP_MS = 12;
const ROWS_PER_PIECE = 25;
const PAGES_PER_PIECE = 64;
// Room for the next rows: below it the file is left as it is.
const KEPT_FREE_PAGES = 64;

/** A piece of work: how many rows it removed, and whether there is more of the kind. */
interface Piece { readonly removed: number; readonly more: boolean }

/** One step of removing old rows and bodies, by age and by size, and of giving their space back to the disk (SPEC 12.4); some ms long. `more` asks for another. */
export function retain(db: Database, limits: RetentionLimits): Piece {
  const kinds: readonly (() => Piece)[] = [
    () => removeOldest(db, 'AND started_at < ?', [limits.beforeUtcMs]),
    () => ({ removed: 0, more: removeOldBodies(db, limits.bodiesBeforeUtcMs).more }),
    () => (usedBytes(db) > limits.maxBytes ? removeOldest(db, '', []) : NOTHING_LEFT),
    () => ({ removed: 0, more: dropOldFigures(db, limits.utcMs) }),
    () => ({ removed: 0, more: giveBack(db) }),
  ];
  // Else the words of a row stay in the file until others come to stand there.
  db.pragma(`secure_delete = ${limits.wipe === true ? 'ON' : 'OFF'}`);
  const endMs = performance.now() + STEP_MS;
  let removed = 0;
  for (const kind of kinds) {
    for (let more = true; more;) {
      const piece = kind();
      removed += piece.removed;
      more = piece.more;
      if (performance.now() >= endMs) return { removed, more: true };
    }
  }
  return { removed, more: false };
}

const NOTHING_LEFT: Piece = { removed: 0, more: false };

function removeOldest(db: Database, condition: string, bindings: readonly number[]): Piece {
  const removed = db.prepare(`DELETE FROM gateway_logs WHERE id IN (
    SELECT id FROM gateway_logs WHERE state = 'done' ${condition} ORDER BY started_at LIMIT ${ROWS_PER_PIECE})`).run(...bindings).changes;
  return { removed, more: removed > 0 };
}

function giveBack(db: Database): boolean {
  // A database made without incremental vacuum never gets smaller.
  if (freePages(db) < KEPT_FREE_PAGES || Number(db.pragma('auto_vacuum', { simple: true })) !== 2) return false;
  db.pragma(`incremental_vacuum(${PAGES_PER_PIECE})`);
  return true;
}

function freePages(db: Database): number {
  return Number(db.pragma('freelist_count', { simple: true }));
}
