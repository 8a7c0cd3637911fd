import type { Database } from 'better-sqlite3';
import type { SqlValue } from '../log-row.ts';
import { allOf, among, type Condition } from './condition.ts';
import type { Walk } from './filter-fields.ts';

/** A span of arrivals, both ends included, ms since 1970. */
export interface Span { readonly lowest: number; readonly highest: number }

/** Which way a walk goes in time. */
export type Direction = 'older' | 'newer';

/** The time at which the walks have passed at least `count` entries, and at most that many for each value; null when they end before. */
export function timeAfter(db: Database, walks: readonly Walk[], count: number, span: Span, direction: Direction): number | null {
  let nearest: number | null = null;
  for (const walk of walks) {
    for (const value of walk.column === null ? [null] : walk.values) {
      const time = timeInWalk(db, walk, value, count, span, direction);
      if (time !== null && (nearest === null || (direction === 'older' ? time > nearest : time < nearest))) nearest = time;
    }
  }
  return nearest;
}

function timeInWalk(db: Database, walk: Walk, value: SqlValue, count: number, span: Span, direction: Direction): number | null {
  const where = allOf([walk.column === null ? allOf([]) : { sql: `${walk.column} = ?`, bindings: [value] }, walk.indexed, inSpan(span)]);
  const sql = `SELECT started_at FROM gateway_logs INDEXED BY ${walk.index} WHERE ${where.sql} ORDER BY started_at ${SORTS[direction]} LIMIT 1 OFFSET ?`;
  return (db.prepare(sql).pluck().get(...where.bindings, count - 1) as number | undefined) ?? null;
}

/** How many entries the walks have in a span, told by their indexes alone: rows that only the row itself rules out are among them. */
export function countEntries(db: Database, walks: readonly Walk[], span: Span): number {
  return walks.reduce((sum, walk) => sum + countWhere(db, walk, allOf([valuesOf(walk), walk.indexed, inSpan(span)])), 0);
}

/** How many rows the walks meet in a span that pass `rest`. */
export function countRows(db: Database, walks: readonly Walk[], rest: readonly Condition[], span: Span): number {
  return walks.reduce((sum, walk) => sum + countWhere(db, walk, rowsOf(walk, rest, span)), 0);
}

/** Records that the walks meet in a span and that pass `rest`: of each walk the first `limit`. */
export function readRecords(db: Database, columns: string, walks: readonly Walk[], rest: readonly Condition[], span: Span, direction: Direction, limit: number): readonly Readonly<Record<string, unknown>>[] {
  const sort = SORTS[direction];
  return walks.flatMap((walk) => {
    const where = rowsOf(walk, rest, span);
    const statement = db.prepare(`SELECT ${columns} FROM gateway_logs INDEXED BY ${walk.index} WHERE ${where.sql} ORDER BY started_at ${sort}, id ${sort} LIMIT ?`);
    return statement.all(...where.bindings, limit) as Readonly<Record<string, unknown>>[];
  });
}

const SORTS: Readonly<Record<Direction, string>> = { older: 'DESC', newer: 'ASC' };

function countWhere(db: Database, walk: Walk, where: Condition): number {
  return db.prepare(`SELECT count(*) FROM gateway_logs INDEXED BY ${walk.index} WHERE ${where.sql}`).pluck().get(...where.bindings) as number;
}

function rowsOf(walk: Walk, rest: readonly Condition[], span: Span): Condition {
  return allOf([valuesOf(walk), walk.indexed, inSpan(span), ...(walk.also === null ? [] : [walk.also]), ...rest]);
}

function valuesOf({ column, values }: Walk): Condition {
  return column === null ? allOf([]) : among(column, values);
}

function inSpan({ lowest, highest }: Span): Condition {
  return { sql: 'started_at BETWEEN ? AND ?', bindings: [lowest, highest] };
}
