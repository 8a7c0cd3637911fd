import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OUTCOMES } from '../../shared/failure.ts';
import type { ExchangeRow, LogCursor, LogFilter } from '../../shared/log.ts';
import { readingOf } from '../support/log-reading.ts';
import { CLIENTS, CODES, KEYS, MODELS, newestFirst, passes, sampleRows, SESSIONS, UPSTREAMS } from './log-samples.ts';

type Log = ReturnType<typeof readingOf>;
const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

// Two thousand entries: a page of a scan takes several slices.
const ROWS = sampleRows(2_500);
const SINGLE: readonly [string, LogFilter][] = [
  ['no filter', {}],
  ['an outcome', { outcomes: ['failed'] }], ['outcomes', { outcomes: ['failed', 'success', 'failed'] }],
  ['retried only', { retriedOnly: true }], ['not only retried', { retriedOnly: false }],
  ['an upstream', { upstreams: ['公司代理'] }], ['upstreams', { upstreams: ['OpenAI', 'nobody', 'Anthropic'] }],
  ['a model, asked for or served', { models: ['opus'] }], ['models', { models: ['gpt', 'a_b%c', 'opus'] }],
  ['a client', { clients: ['codex/0.1'] }], ['a key', { keys: ['笔记本'] }],
  ['a status class', { statusClasses: [5] }], ['status classes, 499 among 4', { statusClasses: [4, 2] }],
  ['an error code', { errorCodes: ['server_error'] }], ['a code that never was', { errorCodes: ['nothing'] }],
  ['a session', { sessionId: '0193-aaaa-bbbb-cccc' }], ['a session of one letter', { sessionId: 's' }],
  ['a beginning', { from: 1_400 }], ['an end', { to: 1_300 }], ['an hour that is empty', { from: 5_000, to: 6_000 }], ['a range turned round', { from: 1_500, to: 1_200 }],
  ['a text', { text: 'ÜBERLASTET' }],
];

/** Every row of a filter, page by page. */
async function all(log: Log, filter: LogFilter, limit: number, way: 'before' | 'after' = 'before', from?: LogCursor): Promise<ExchangeRow[]> {
  let rows: ExchangeRow[] = [];
  for (let cursor = from, pages = 0; ; pages++) {
    expect(pages, 'pages come to an end').toBeLessThan(10_000);
    const page = await log.settle(log.reading.list({ view: 'requests', filter, limit, ...(cursor && { [way]: cursor }) }));
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    expect(page.superseded).toBe(false);
    expect(page.scanned === null).toBe(filter.text === undefined);
    rows = way === 'before' ? [...rows, ...page.rows] : [...page.rows, ...rows];
    if (page.next === null) return rows;
    cursor = page.next;
  }
}

const idsOf = (rows: readonly ExchangeRow[]): string[] => rows.map((row) => row.id);
const wanted = (filter: LogFilter): string[] => idsOf(newestFirst(ROWS).filter((row) => passes(filter, row)));
const OLDEST: LogCursor = { started_at: 0, id: '' };

test('each filter gives exactly its rows, newest first, on one page or on many, upwards and downwards, and counts them', async () => {
  const log = readingOf(ROWS);
  for (const [name, filter] of SINGLE) {
    expect(idsOf(await all(log, filter, 500)), name).toEqual(wanted(filter));
    expect(idsOf(await all(log, filter, 37)), `${name}, by 37`).toEqual(wanted(filter));
    expect(idsOf(await all(log, filter, 41, 'after', OLDEST)), `${name}, upwards`).toEqual(wanted(filter));
    expect(await log.settle(log.reading.count({ view: 'requests', filter })), name).toEqual({ rows: wanted(filter).length, exact: true, superseded: false });
  }
});

test('each pair of filters gives the rows that both give, also on partial pages, and counts them', async () => {
  const log = readingOf(ROWS);
  for (const [name, first] of SINGLE) {
    for (const [other, second] of SINGLE) {
      const filter = { ...first, ...second };
      // Every slice takes too long, so that a page ends with it.
      log.timePasses(50);
      expect(idsOf(await all(log, filter, 150)), `${name} and ${other}`).toEqual(wanted(filter));
      log.timePasses(0);
      expect((await log.settle(log.reading.count({ view: 'requests', filter }))).rows, `${name} and ${other}`).toBe(wanted(filter).length);
    }
  }
});

const some = <T>(values: readonly T[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 });
const filters: fc.Arbitrary<LogFilter> = fc.record({
  outcomes: some(OUTCOMES), retriedOnly: fc.boolean(), upstreams: some([...known(UPSTREAMS), 'nobody']), models: some(known(MODELS)), clients: some(known(CLIENTS)), keys: some(known(KEYS)),
  statusClasses: some([2, 4, 5] as const), errorCodes: some(known(CODES)), sessionId: fc.constantFrom(...known(SESSIONS)), from: fc.integer({ min: 900, max: 1_900 }), to: fc.integer({ min: 900, max: 1_900 }),
  text: fc.constantFrom('过载', '载', '%', '_', 'a_b', '*', '[x]', 'сервер', 'OPUS', 'überl', 'r0', 'error', 'zzz'),
}, { requiredKeys: [] });

test('any filter, page size and way through the pages gives exactly its rows, also when every slice takes long and pages are partial', async () => {
  const log = readingOf(ROWS);
  await fc.assert(fc.asyncProperty(filters, fc.integer({ min: 1, max: 500 }), fc.boolean(), fc.constantFrom(0, 10, 50), fc.option(fc.nat(ROWS.length - 1)), async (filter, limit, down, stepMs, place) => {
    log.timePasses(stepMs);
    const start = place === null ? null : ROWS[place]!;
    const cursor = start === null ? (down ? undefined : OLDEST) : { started_at: start.started_at, id: start.id };
    const beside = (row: ExchangeRow): boolean => start === null || (down ? newestFirst([row, start])[1] === row && row.id !== start.id : newestFirst([row, start])[0] === row && row.id !== start.id);
    const expected = newestFirst(ROWS).filter((row) => passes(filter, row) && beside(row));
    expect(idsOf(await all(log, filter, limit, down ? 'before' : 'after', cursor))).toEqual(idsOf(expected));
  }), { numRuns: 300 });
});

test('rows between two places are given from the newer place on', async () => {
  const log = readingOf(ROWS);
  const sorted = newestFirst(ROWS);
  const place = (n: number): LogCursor => ({ started_at: sorted[n]!.started_at, id: sorted[n]!.id });
  const page = await log.settle(log.reading.list({ view: 'requests', filter: {}, before: place(10), after: place(31), limit: 50 }));
  expect(idsOf(page.rows)).toEqual(idsOf(sorted.slice(11, 31)));
  expect(page.next).toBeNull();
});

test('no row is lost or told twice while new rows come in on top and running ones end', async () => {
  const log = readingOf(ROWS);
  const ids: string[] = [];
  let before: LogCursor | undefined;
  for (let n = 0; ; n++) {
    const page = await log.settle(log.reading.list({ view: 'requests', filter: {}, limit: 90, ...(before && { before }) }));
    ids.push(...idsOf(page.rows));
    log.write([{ ...ROWS[0]!, id: `new-${n}`, started_at: 9_000 + n }]);
    log.write(ROWS.filter((row) => row.state === 'in_flight').slice(n, n + 1).map((row) => ({ ...row, state: 'done' as const, outcome: 'success' as const, retries: 2 })));
    if (page.next === null) break;
    before = page.next;
  }
  expect(ids).toEqual(wanted({}));
});

test('a row in flight stands in the list by what is known of it, and under no outcome or status', async () => {
  const log = readingOf(ROWS);
  const running = newestFirst(ROWS).find((row) => row.state === 'in_flight' && row.model_asked === 'opus' && row.client !== null)!;
  const has = async (filter: LogFilter): Promise<boolean> => idsOf(await all(log, filter, 500)).includes(running.id);
  expect(await has({ models: ['opus'], clients: [running.client!] })).toBe(true);
  expect(await has({ text: running.id })).toBe(true);
  expect(await has({ outcomes: [...OUTCOMES] })).toBe(false);
  expect(await has({ statusClasses: [2, 4, 5] })).toBe(false);
});

test('the values to choose from are those that rows have, the newest used first, once each', async () => {
  const log = readingOf(ROWS);
  const facets = log.reading.facets(null);
  const sorted = (values: readonly string[]): string[] => [...values].sort();
  expect(sorted(facets.upstreams)).toEqual(sorted(known(UPSTREAMS)));
  expect(sorted(facets.models)).toEqual(sorted(known(MODELS)));
  expect(sorted(facets.clients)).toEqual(sorted(known(CLIENTS)));
  expect(sorted(facets.keys)).toEqual(sorted(known(KEYS)));
  expect(sorted(facets.errorCodes)).toEqual(sorted([...new Set(known(CODES))]));
  log.write(['zeta', 'alpha'].map((upstream, n) => ({ ...ROWS[0]!, id: `late-${n}`, started_at: 9_000 + n, upstream })));
  expect(log.reading.facets(null).upstreams.slice(0, 2)).toEqual(['alpha', 'zeta']);
  log.write(Array.from({ length: 150 }, (_, n) => ({ ...ROWS[0]!, id: `many-${n}`, started_at: 9_100 + n, error_code: `code-${n}` })));
  const { errorCodes } = log.reading.facets(null);
  expect(errorCodes).toHaveLength(100);
  expect(errorCodes[0]).toBe('code-149');
});
