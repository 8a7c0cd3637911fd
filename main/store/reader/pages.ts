import type { Database } from 'better-sqlite3';
import type { ExchangeRow, LogCursor, LogFilter, LogPage } from '../../../shared/log.ts';
import { LOG_COLUMNS, rowOf } from '../log-row.ts';
import type { Condition } from './condition.ts';
import { planOf, spanOfFilter } from './plan.ts';
import type { Progress } from './progress.ts';
import { slicesOf } from './slices.ts';
import { readRecords, type Direction, type Span } from './walk.ts';

/** What of the log is wanted; with both places, rows between them, from `before` on. */
export interface PageAsk {
  readonly filter: LogFilter;
  readonly before?: LogCursor;
  readonly after?: LogCursor;
  /** At least 1. */
  readonly limit: number;
  readonly details: boolean;
}

// A page that is not full by then is given as it is. Without text the rows looked at are those of the thinnest field, and few.
const TEXT_MS = 150;
const OTHER_MS = 30;
const FIRST_ENTRIES = 400;

const COLUMNS = LOG_COLUMNS.join(', ');
const COLUMNS_WITHOUT_DETAIL = LOG_COLUMNS.map((column) => (column === 'detail' ? 'NULL AS detail' : column)).join(', ');

/** Reads a page in slices: whoever runs it may stop between them. Every slice sees the log as it is then, none keeps it open. */
export function* readPage(db: Database, ask: PageAsk, now: () => number, progress: Progress): Generator<void, LogPage> {
  const direction: Direction = ask.before === undefined && ask.after !== undefined ? 'newer' : 'older';
  const whole = spanOfFilter(ask.filter);
  const span = within(whole, ask);
  const plan = planOf(db, ask.filter, span, direction);
  const rest = [...plan.rest, ...placesOf(ask)];
  const columns = ask.details ? COLUMNS : COLUMNS_WITHOUT_DETAIL;
  // Where every entry is a row a page is soon full.
  const untilMs = plan.direct ? Infinity : now() + (ask.filter.text === undefined ? OTHER_MS : TEXT_MS);
  const rows: ExchangeRow[] = [];
  let next: LogCursor | null = null;
  for (const { piece, left } of slicesOf(db, plan, span, direction, plan.direct ? ask.limit + 1 : Math.max(ask.limit + 1, FIRST_ENTRIES), now)) {
    const found = readRecords(db, columns, plan.walks, rest, piece, direction, ask.limit + 1 - rows.length).map(rowOf);
    rows.push(...found.sort(direction === 'older' ? newestFirst : oldestFirst));
    const last = rows[ask.limit - 1];
    if (rows.length > ask.limit && last !== undefined) {
      next = { started_at: last.started_at, id: last.id };
      break;
    }
    // No id is empty: the place before all that has this time, or after all that has the time before.
    next = left === null ? null : { started_at: direction === 'older' ? left.highest + 1 : left.lowest, id: '' };
    if (next === null || now() >= untilMs) break;
    yield;
  }
  const page = rows.slice(0, ask.limit);
  const from = direction === 'older' ? ask.before : ask.after;
  const scanned = ask.filter.text === undefined ? null : progress.tell(db, plan, { filter: ask.filter, direction, from, next, whole });
  return { rows: direction === 'older' ? page : page.reverse(), next, scanned, superseded: false };
}

function within({ lowest, highest }: Span, { before, after }: PageAsk): Span {
  return { lowest: Math.max(lowest, after?.started_at ?? lowest), highest: Math.min(highest, before?.started_at ?? highest) };
}

function placesOf({ before, after }: PageAsk): Condition[] {
  return [
    ...(before === undefined ? [] : [{ sql: '(started_at, id) < (?, ?)', bindings: [before.started_at, before.id] }]),
    ...(after === undefined ? [] : [{ sql: '(started_at, id) > (?, ?)', bindings: [after.started_at, after.id] }]),
  ];
}

function newestFirst(a: ExchangeRow, b: ExchangeRow): number {
  return b.started_at - a.started_at || (a.id < b.id ? 1 : -1);
}

function oldestFirst(a: ExchangeRow, b: ExchangeRow): number {
  return newestFirst(b, a);
}
