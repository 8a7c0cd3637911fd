import { z } from 'zod';
import { OUTCOMES } from '../../shared/failure.ts';
import { LOG_VIEWS, type LogFilter, type LogQuery, type LogView } from '../../shared/log.ts';

const MOST_ALTERNATIVES = 50;

const view = z.enum(LOG_VIEWS);
const cursor = z.strictObject({ started_at: z.int(), id: z.string().max(64) });
const names = z.array(z.string().min(1).max(1_000)).min(1).max(MOST_ALTERNATIVES).exactOptional();

/** What a filter of the log may hold. */
export const logFilter: z.ZodType<LogFilter> = z.strictObject({
  outcomes: z.array(z.enum(OUTCOMES)).min(1).max(MOST_ALTERNATIVES).exactOptional(),
  retriedOnly: z.boolean().exactOptional(),
  upstreams: names,
  models: names,
  clients: names,
  keys: names,
  statusClasses: z.array(z.literal([2, 4, 5])).min(1).max(MOST_ALTERNATIVES).exactOptional(),
  errorCodes: names,
  sessionId: z.string().min(1).max(1_000).exactOptional(),
  from: z.int().exactOptional(),
  to: z.int().exactOptional(),
  text: z.string().min(1).max(200).exactOptional(),
});

/** What a query for a page may hold. */
export const logQuery: z.ZodType<LogQuery> = z.strictObject({
  view, filter: logFilter, before: cursor.exactOptional(), after: cursor.exactOptional(), limit: z.int().min(1).max(500),
});

/** What a query for a number may hold. */
export const logCount: z.ZodType<{ view: LogView; filter: LogFilter }> = z.strictObject({ view, filter: logFilter });
