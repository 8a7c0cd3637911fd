import type { LogFilter } from './log.ts';

/** What a file of exported rows can be: comma-separated values for spreadsheets, or one JSON object a line with everything that is known of a row. */
export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which rows of the log go into a file, and how they are written there. */
export interface ExportRequest {
  readonly filter: LogFilter;
  readonly as: ExportFormat;
}

/** How an export can fail; words by `export.failed.<reason>`. Nothing is left of the file then, and one that was there before is untouched. */
export const EXPORT_FAILURES = ['disk_full', 'folder_gone', 'not_allowed', 'file_in_use', 'log_unreadable', 'unknown'] as const;
export type ExportFailure = (typeof EXPORT_FAILURES)[number];

export type ExportOutcome =
  | { readonly kind: 'written'; /** Full path. */ readonly file: string; readonly rows: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: ExportFailure };

/** How far the running export is. */
export interface ExportProgress {
  /** Rows in the file. */
  readonly written: number;
  /** Rows that there will be; null while nobody knows. */
  readonly total: number | null;
}
