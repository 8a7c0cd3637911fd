import type { Database } from 'better-sqlite3';
import type { LogCount, LogFilter } from '../../../shared/log.ts';
import { planOf, spanOfFilter } from './plan.ts';
import { slicesOf } from './slices.ts';
import { countRows } from './walk.ts';

const LONGEST_MS = 1_500;
// Entries that are told by the index alone go by the ten thousands in a slice, rows by the thousands.
const FIRST_DIRECT = 50_000;
const FIRST_ROWS = 1_000;

/** Counts the rows of a filter in slices, newest first; after 1.5 s it answers with what it has. */
export function* countLogs(db: Database, filter: LogFilter, now: () => number): Generator<void, LogCount> {
  const span = spanOfFilter(filter);
  const plan = planOf(db, filter, span, 'older');
  const untilMs = now() + LONGEST_MS;
  let rows = 0;
  for (const { piece, left } of slicesOf(db, plan, span, 'older', plan.direct ? FIRST_DIRECT : FIRST_ROWS, now)) {
    rows += countRows(db, plan.walks, plan.rest, piece);
    if (left !== null && now() >= untilMs) return { rows, exact: false, superseded: false };
    yield;
  }
  return { rows, exact: true, superseded: false };
}
