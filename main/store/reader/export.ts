import type { Database } from 'better-sqlite3';
import { exportLine } from '../export-text.ts';
import type { ExportQuery, ExportSlice } from '../protocol.ts';
import { readPage } from './pages.ts';
import type { Progress } from './progress.ts';

// Some milliseconds of reading and some of writing them out, as other slices take.
const ROWS = 500;

/** Reads the next rows of an export and writes them out, so that the thread of the gateway gets bytes and has nothing to do with them. */
export function* readExport(db: Database, { filter, as, before }: ExportQuery, now: () => number, progress: Progress): Generator<void, ExportSlice> {
  const { rows, next } = yield* readPage(db, { filter, limit: ROWS, details: as === 'ndjson', ...(before !== null && { before }) }, now, progress);
  yield;
  return { bytes: new TextEncoder().encode(rows.map((row) => exportLine(as, row)).join('')), rows: rows.length, next };
}
