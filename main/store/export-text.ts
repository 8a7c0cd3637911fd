import { assertNever } from '../../shared/assert-never.ts';
import type { ExportFormat } from '../../shared/export.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { LOG_COLUMNS } from './log-row.ts';

// Without the mark Excel takes the file for one in the system's old code page, and every Chinese word is lost.
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';
// A cell of a spreadsheet holds 32,767 characters, and the detail of an exchange with many attempts is longer.
const CSV_COLUMNS = LOG_COLUMNS.filter((column) => column !== 'detail');
// Spreadsheets run a cell that begins with one of these (the wide forms too) as a formula, and a model or a path is what a client says.
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** What stands before the first row. */
export function exportHead(as: ExportFormat): string {
  switch (as) {
    case 'csv': return `${BYTE_ORDER_MARK}${CSV_COLUMNS.join(',')}${LINE_END}`;
    case 'ndjson': return '';
    default: return assertNever(as);
  }
}

/** One row with its line end. CSV (RFC 4180) has every column but `detail`, times as ISO 8601; NDJSON is the row as it is, detail included. */
export function exportLine(as: ExportFormat, row: ExchangeRow): string {
  switch (as) {
    case 'csv': return `${CSV_COLUMNS.map((column) => cell(column, row[column])).join(',')}${LINE_END}`;
    case 'ndjson': return `${JSON.stringify(row)}\n`;
    default: return assertNever(as);
  }
}

function cell(column: keyof ExchangeRow, value: unknown): string {
  if (value === null || value === undefined) return '';
  if ((column === 'started_at' || column === 'ended_at') && typeof value === 'number') return timeOf(value);
  // Numbers are ours and stay numbers, a negative one too.
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A clock that was set to nonsense must not end an export.
function timeOf(utcMs: number): string {
  const time = new Date(utcMs);
  return Number.isNaN(time.getTime()) ? String(utcMs) : time.toISOString();
}
