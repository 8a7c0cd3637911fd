import type { Database } from 'better-sqlite3';
import type { LogCount, LogPage } from '../../../shared/log.ts';
import type { ExportSlice, Handlers, ReaderCalls } from '../protocol.ts';
import { countLogs } from './counts.ts';
import { readExport } from './export.ts';
import { readFacets } from './facets.ts';
import { createJobs } from './jobs.ts';
import { getLog, recentModels } from './logs.ts';
import { readPage } from './pages.ts';

/** Where the time comes from (ms, monotonic), and how the next slice waits for calls that have come meanwhile. */
export interface ReadingParts { now(): number; later(turn: () => void): void }

const NO_PAGE: LogPage = { rows: [], next: null, scanned: null, superseded: true };
const NO_SLICE: ExportSlice = { bytes: new Uint8Array(), rows: 0, next: null };
const NO_COUNT: LogCount = { rows: 0, exact: false, superseded: true };
const MOST_ROWS = 500;
const MOST_ROWS_IN_SLICE = 2_000;

/** The answers to questions about rows. Of each view one page and one count are read at a time: the newest. */
export function createReading(db: Database, { now, later }: ReadingParts): Pick<Handlers<ReaderCalls>, 'list' | 'count' | 'facets' | 'slice' | 'export_slice' | 'export_total' | 'get' | 'recent_models'> {
  const jobs = createJobs(later);
  const within = (limit: number, most: number): number => Math.min(Math.max(Math.trunc(limit), 1), most);
  return {
    list: ({ view, limit, ...ask }) => jobs.run(`list ${view}`, readPage(db, { ...ask, limit: within(limit, MOST_ROWS), details: true }, now), NO_PAGE),
    count: ({ view, filter }) => jobs.run(`count ${view}`, countLogs(db, filter, now), NO_COUNT),
    slice: ({ limit, ...ask }) => jobs.run(null, readPage(db, { ...ask, limit: within(limit, MOST_ROWS_IN_SLICE) }, now), NO_PAGE),
    export_slice: (ask) => jobs.run(null, readExport(db, ask, now), NO_SLICE),
    export_total: async (filter) => {
      const { rows, exact } = await jobs.run(null, countLogs(db, filter, now), NO_COUNT);
      return exact ? rows : null;
    },
    facets: () => readFacets(db),
    get: (id) => getLog(db, id),
    recent_models: (count) => recentModels(db, count),
  };
}
