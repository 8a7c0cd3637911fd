import type { KeptContents } from '../../shared/contents.ts';
import type { Figures, FigureSpan } from '../../shared/figures.ts';
import type { ExchangeRow, LogCount, LogFacets, LogFilter, LogPage, LogQuery, LogView } from '../../shared/log.ts';
import type { ReaderCalls, SliceQuery } from './protocol.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** Questions about the log. Each rejects when the database cannot be read. */
export interface LogReading {
  list(query: LogQuery): Promise<LogPage>;
  count(view: LogView, filter: LogFilter): Promise<LogCount>;
  facets(): Promise<LogFacets>;
  /** As `list`, but belongs to no view: nothing takes its place. */
  slice(query: SliceQuery): Promise<LogPage>;
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
    count: (view, filter) => reader.call('count', { view, filter }),
    facets: () => reader.call('facets', null),
    slice: (query) => reader.call('slice', query),
    get: (id) => reader.call('get', id),
    contents: (id) => reader.call('contents', id),
    figures: (span, utcMs) => reader.call('figures', { span, utcMs }),
    recentModels: (count) => reader.call('recent_models', count),
  };
}
