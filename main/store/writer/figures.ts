import type { Database } from 'better-sqlite3';
import { countsOf, FIGURE_COLUMNS, FIGURE_MINUTES, type CountedRow } from '../figure-counts.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
// A day longer than any span that is read from them.
const KEPT_DAYS: Readonly<Record<(typeof FIGURE_MINUTES)[number], number>> = { 1: 2, 15: 31 };
const ENTRIES_PER_STEP = 2_000;

/** A row as the figures see it: when it began, ms since 1970, and what it counts. */
export type DatedRow = CountedRow & { readonly started_at: number };

/** Sums what rows add to the figures of their time; `save` writes the sums, inside the transaction of the rows, so that the two never disagree. */
export interface FigureWriter {
  add(row: DatedRow): void;
  /** Takes a row back that was added before. */
  subtract(row: DatedRow): void;
  save(): void;
  /** Forgets what was not saved. */
  discard(): void;
}

export function createFigureWriter(db: Database): FigureWriter {
  const upsert = db.prepare(`INSERT INTO gateway_figures (minutes, began, ${FIGURE_COLUMNS.join(', ')}) VALUES (?, ?, ${FIGURE_COLUMNS.map(() => '?').join(', ')})
    ON CONFLICT (minutes, began) DO UPDATE SET ${FIGURE_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')}`);
  // By minute; emptied by `save` or `discard` at the end of every transaction.
  const sums = new Map<number, number[]>();

  const count = (row: DatedRow, sign: 1 | -1): void => {
    const minute = Math.floor(row.started_at / MINUTE_MS);
    let sum = sums.get(minute);
    if (sum === undefined) sums.set(minute, sum = FIGURE_COLUMNS.map(() => 0));
    for (const [index, value] of countsOf(row).entries()) sum[index] = (sum[index] ?? 0) + sign * value;
  };

  return {
    add: (row) => { count(row, 1); },
    subtract: (row) => { count(row, -1); },
    save: () => {
      for (const [minute, sum] of sums) for (const minutes of FIGURE_MINUTES) upsert.run(minutes, Math.floor(minute / minutes) * minutes, ...sum);
      sums.clear();
    },
    discard: () => { sums.clear(); },
  };
}

/** Columns of `gateway_logs`, and one more, that make a `DatedRow` by `datedRow`. */
export const DATED_COLUMNS = `started_at, outcome, path, retries, failovers, pause_ms, first_content_ms, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micros,
  CASE WHEN json_valid(detail) THEN json_extract(detail, '$.attempts[#-1].class') END AS last_class`;

/** A record of `DATED_COLUMNS`. */
export function datedRow(record: unknown): DatedRow {
  const { last_class: lastClass, ...row } = record as Omit<DatedRow, 'auth'> & { readonly last_class: unknown };
  return { ...row, auth: lastClass === 'auth' };
}

/** One small step of removing figures that no span reaches any more; true asks for another. */
export function dropOldFigures(db: Database, utcMs: number): boolean {
  const drop = db.prepare('DELETE FROM gateway_figures WHERE (minutes, began) IN (SELECT minutes, began FROM gateway_figures WHERE minutes = ? AND began < ? ORDER BY began LIMIT ?)');
  const removed = FIGURE_MINUTES.map((minutes) => drop.run(minutes, Math.floor(utcMs / MINUTE_MS) - KEPT_DAYS[minutes] * DAY_MINUTES, ENTRIES_PER_STEP).changes);
  return removed.includes(ENTRIES_PER_STEP);
}
