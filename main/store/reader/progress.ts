import type { Database } from 'better-sqlite3';
import type { LogCursor, LogFilter } from '../../../shared/log.ts';
import type { Plan } from './plan.ts';
import { countEntries, type Direction, type Span } from './walk.ts';

/** How far a search is: entries it has looked at, of how many. */
export interface Scanned { readonly rows: number; readonly total: number }

/** One call of a search: where it began and where the next one goes on. */
export interface SearchStep { readonly filter: LogFilter; readonly direction: Direction; readonly from: LogCursor | undefined; readonly next: LogCursor | null; /** All that the filter leaves. */ readonly whole: Span }

/** Tells how far searches are. The last one is remembered, so that going on with it counts only what is new. */
export interface Progress { tell(db: Database, plan: Plan, step: SearchStep): Scanned }

/** Remembers one search at a time. */
export function createProgress(): Progress {
  let last: { readonly place: string; readonly scanned: Scanned } | null = null;
  return {
    tell: (db, plan, { filter, direction, from, next, whole }) => {
      const placeOf = (cursor: LogCursor | null): string => JSON.stringify([direction, cursor, filter]);
      const known = from !== undefined && last?.place === placeOf(from) ? last.scanned : null;
      const { behind, ahead } = parted(whole, direction, next);
      const begin = known === null || from === undefined ? behind : beside(behind, direction, from);
      const rows = (known?.rows ?? 0) + countEntries(db, plan.walks, begin);
      const total = Math.max(rows, next === null ? rows : known?.total ?? rows + countEntries(db, plan.walks, ahead));
      last = { place: placeOf(next), scanned: { rows, total } };
      return last.scanned;
    },
  };
}

function parted(whole: Span, direction: Direction, next: LogCursor | null): { behind: Span; ahead: Span } {
  if (next === null) return { behind: whole, ahead: { lowest: 1, highest: 0 } };
  const newer = { ...whole, lowest: next.started_at };
  const older = { ...whole, highest: next.started_at - 1 };
  return direction === 'older' ? { behind: newer, ahead: older } : { behind: older, ahead: newer };
}

// What lies between two calls' places; rows of the first place's own time are counted with the call before.
function beside(behind: Span, direction: Direction, from: LogCursor): Span {
  return direction === 'older' ? { ...behind, highest: from.started_at - 1 } : { ...behind, lowest: from.started_at };
}
