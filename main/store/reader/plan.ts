import type { Database } from 'better-sqlite3';
import type { LogFilter } from '../../../shared/log.ts';
import type { Condition } from './condition.ts';
import { ALL_ROWS, fieldsOf, textOf, type FilterField, type Walk } from './filter-fields.ts';
import { countEntries, timeAfter, type Direction, type Span } from './walk.ts';

/** How the rows of a filter are found: walks that meet each of them once, and what the rows met must pass. */
export interface Plan {
  readonly walks: readonly Walk[];
  readonly rest: readonly Condition[];
  /** Entries of the walks per value; at least 1. */
  readonly values: number;
  /** Every entry of the walks is a row of the filter: no row has to be looked at to know. */
  readonly direct: boolean;
}

/** The times a filter leaves, ends included. */
export function spanOfFilter({ from, to }: LogFilter): Span {
  return { lowest: from ?? -Number.MAX_SAFE_INTEGER, highest: to === undefined ? Number.MAX_SAFE_INTEGER : to - 1 };
}

/** Walks along the field that meets the fewest rows on its way through the span; the other fields are asked of each row. */
export function planOf(db: Database, filter: LogFilter, span: Span, direction: Direction): Plan {
  const fields = fieldsOf(filter);
  const text = textOf(filter);
  const first = thinnest(db, fields, span, direction);
  const walks = first?.walks ?? [ALL_ROWS];
  const rest = [...fields.filter((field) => field !== first).map((field) => field.passes), ...(text === null ? [] : [text])];
  return {
    walks, rest,
    values: walks.reduce((sum, walk) => sum + Math.max(walk.values.length, 1), 0),
    direct: rest.length === 0 && walks.every((walk) => walk.also === null),
  };
}

// Enough to tell a field with few rows from one with many, and read in some microseconds.
const SAMPLE = 256;

function thinnest(db: Database, fields: readonly FilterField[], span: Span, direction: Direction): FilterField | null {
  const [only, ...others] = fields;
  if (only === undefined || others.length === 0) return only ?? null;
  const reach = reachOf(db, span);
  const measured = fields.map((field) => ({ field, perMs: density(db, field.walks, reach, direction) }));
  return measured.reduce((best, one) => (one.perMs < best.perMs ? one : best)).field;
}

// Of what the log has of the span: an open end would make every field look thin.
function reachOf(db: Database, { lowest, highest }: Span): Span {
  const oldest = db.prepare('SELECT min(started_at) FROM gateway_logs').pluck().get() as number | null;
  const newest = db.prepare('SELECT max(started_at) FROM gateway_logs').pluck().get() as number | null;
  return { lowest: Math.max(lowest, oldest ?? lowest), highest: Math.min(highest, newest ?? highest) };
}

// Entries per ms beside the place where the walk begins.
function density(db: Database, walks: readonly Walk[], reach: Span, direction: Direction): number {
  const { lowest, highest } = reach;
  const parts = walks.flatMap((walk) => (walk.column === null ? [walk] : walk.values.map((value) => ({ ...walk, values: [value] }))));
  return parts.reduce((sum, part) => {
    const time = timeAfter(db, [part], SAMPLE, reach, direction);
    if (time === null) return sum + countEntries(db, [part], reach) / Math.max(highest - lowest, 1);
    return sum + SAMPLE / Math.max(direction === 'older' ? highest - time : time - lowest, 1);
  }, 0);
}
