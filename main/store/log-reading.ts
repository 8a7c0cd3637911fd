import type { KeptContents } from '../../shared/contents.ts';
import type { ExportRequest } from '../../shared/export.ts';
import type { Figures, FigureSpan } from '../../shared/figures.ts';
import type { ExchangeRow, LogCount, LogCursor, LogFacets, LogFilter, LogPage, LogQuery, LogView } from '../../shared/log.ts';
import type { ExportSlice, ReaderCalls } from './protocol.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** Questions about the log. Each rejects when the database cannot be read. */
export interface LogReading {
  list(query: LogQuery): Promise<LogPage>;
  /** The same page as JSON text, for who passes it on: nothing of it is made anew on the way. */
  listText(query: LogQuery): Promise<string>;
  count(view: LogView, filter: LogFilter): Promise<LogCount>;
  facets(): Promise<LogFacets>;
  /** The next rows of an export as text; belongs to no view. */
  exportSlice(request: ExportRequest, before: LogCursor | null): Promise<ExportSlice>;
  /** How many rows an export will have; null when counting them takes too long. */
  exportTotal(filter: LogFilter): Promise<number | null>;
  get(id: string): Promise<ExchangeRow | null>;
  /** What is kept beside a row; null when nothing is. */
  contents(id: string): Promise<KeptContents | null>;
  /** Of a span that ends now. */
  figures(span: FigureSpan, utcMs: number): Promise<Figures>;
  /** The last different models asked for, newest first. */
  recentModels(count: number): Promise<readonly string[]>;
}

/** The questions as calls of the reader thread. */
export function createLogReading(reader: Pick<WorkerCalls<ReaderCalls>, 'call'>): LogReading {
  return {
    list: (query) => reader.call('list', query),
    listText: (query) => reader.call('list_text', query),
    count: (view, filter) => reader.call('count', { view, filter }),
    facets: () => reader.call('facets', null),
    exportSlice: (request, before) => reader.call('export_slice', { ...request, before }),
    exportTotal: (filter) => reader.call('export_total', filter),
    get: (id) => reader.call('get', id),
    contents: (id) => reader.call('contents', id),
    figures: (span, utcMs) => reader.call('figures', { span, utcMs }),
    recentModels: (count) => reader.call('recent_models', count),
  };
}
