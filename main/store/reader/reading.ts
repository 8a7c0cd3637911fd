import type { Database } from 'better-sqlite3';
import type { LogCount, LogPage, LogQuery } from '../../../shared/log.ts';
import type { ExportSlice, ReaderCalls } from '../protocol.ts';
import { countLogs } from './counts.ts';
import { readExport } from './export.ts';
import { readFacets } from './facets.ts';
import { createJobs } from './jobs.ts';
import { getLog, recentModels } from './logs.ts';
import { readPage } from './pages.ts';
import { createProgress } from './progress.ts';

/** Where the time comes from (ms, monotonic), and how the next slice waits for calls that have come meanwhile. */
export interface ReadingParts { now(): number; later(turn: () => void): void }

const NO_PAGE: LogPage = { rows: [], next: null, scanned: null, superseded: true };
const NO_SLICE: ExportSlice = { bytes: new Uint8Array(), rows: 0, next: null };
const NO_COUNT: LogCount = { rows: 0, exact: false, superseded: true };
const MOST_ROWS = 500;

type Question = 'list' | 'list_text' | 'count' | 'facets' | 'export_slice' | 'export_total' | 'get' | 'recent_models';
/** The answers to questions about rows: those in slices come later. */
export type Reading = { readonly [K in Exclude<Question, Quick>]: (argument: ReaderCalls[K]['argument']) => Promise<ReaderCalls[K]['answer']> } & { readonly [K in Quick]: (argument: ReaderCalls[K]['argument']) => ReaderCalls[K]['answer'] };
type Quick = 'facets' | 'get' | 'recent_models';

/** Reads the log. Of each view one page and one count are read at a time: the newest. */
export function createReading(db: Database, { now, later }: ReadingParts): Reading {
  const jobs = createJobs(later);
  const progress = createProgress();
  const list = ({ view, limit, ...ask }: LogQuery): Promise<LogPage> => jobs.run(`list ${view}`, readPage(db, { ...ask, limit: Math.min(Math.max(Math.trunc(limit), 1), MOST_ROWS), details: true }, now, progress), NO_PAGE);
  return {
    list,
    list_text: async (query) => JSON.stringify(await list(query)),
    count: ({ view, filter }) => jobs.run(`count ${view}`, countLogs(db, filter, now), NO_COUNT),
    export_slice: (ask) => jobs.run(null, readExport(db, ask, now, createProgress()), NO_SLICE),
    export_total: async (filter) => {
      const { rows, exact } = await jobs.run(null, countLogs(db, filter, now), NO_COUNT);
      return exact ? rows : null;
    },
    facets: () => readFacets(db),
    get: (id) => getLog(db, id),
    recent_models: (count) => recentModels(db, count),
  };
}
