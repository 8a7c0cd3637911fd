import type { Database } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { countLogs } from '../../main/store/reader/counts.ts';
import { readPage } from '../../main/store/reader/pages.ts';
import { createProgress } from '../../main/store/reader/progress.ts';
import type { LogFilter, LogQuery, LogView } from '../../shared/log.ts';
import { readingOf } from '../support/log-reading.ts';
import { rowWith } from '../support/store-parts.ts';

const ROWS = Array.from({ length: 3_000 }, (_, n) => rowWith({ id: `r${String(n).padStart(4, '0')}`, started_at: 10_000 + n }));
const search = (view: LogView, text: string): LogQuery => ({ view, filter: { text }, limit: 10 });
const SUPERSEDED = { rows: [], next: null, scanned: null, superseded: true };

test('a newer query of a view ends the older one between two slices, and the older one reads nothing more', async () => {
  const log = readingOf(ROWS);
  log.timePasses(5);
  const asked: string[] = [];
  const older = log.reading.list(search('requests', 'absent'));
  log.turn();
  log.turn();
  const prepare = log.reader.prepare.bind(log.reader);
  log.reader.prepare = ((sql: string) => { asked.push(sql); return prepare(sql); }) as never;
  const newer = log.reading.list({ view: 'requests', filter: {}, limit: 10 });
  // Answered before a single slice has run.
  expect(await older).toEqual(SUPERSEDED);
  expect(asked).toEqual([]);
  const page = await log.settle(newer);
  expect(page).toMatchObject({ superseded: false, next: { id: 'r2990' } });
  expect(asked.join()).not.toContain('LIKE');
  expect(log.turn()).toBe(false);
});

test('of queries that come at once only the newest is read', async () => {
  const log = readingOf(ROWS);
  const all = ['a', 'ab', 'abs', 'abse'].map((text) => log.reading.list(search('requests', text)));
  const last = log.reading.list({ ...search('requests', 'r2999'), limit: 1 });
  await log.settle(last);
  expect(await Promise.all(all)).toEqual([SUPERSEDED, SUPERSEDED, SUPERSEDED, SUPERSEDED]);
  expect((await last).rows.map((row) => row.id)).toEqual(['r2999']);
});

test('views, counts and exports do not end each other', async () => {
  const log = readingOf(ROWS);
  const answers = [
    log.reading.list(search('requests', 'r1')), log.reading.list(search('overview', 'r1')), log.reading.list(search('session', 'r1')),
  ];
  const exported = [log.reading.export_slice({ filter: { text: 'r1' }, as: 'csv', before: null }), log.reading.export_slice({ filter: { text: 'r1' }, as: 'ndjson', before: null })];
  const total = log.reading.export_total({ text: 'r1' });
  const counts = [log.reading.count({ view: 'requests', filter: { text: 'r1' } }), log.reading.count({ view: 'overview', filter: { text: 'r1' } })];
  const newest = log.reading.count({ view: 'overview', filter: {} });
  await log.settle(newest);
  for (const answer of answers) expect(await answer).toMatchObject({ superseded: false });
  expect((await Promise.all(exported)).map((slice) => slice.rows)).toEqual([500, 500]);
  expect(await total).toBe(1_000);
  expect(await counts[0]).toEqual({ rows: 1_000, exact: true, superseded: false });
  expect(await counts[1]).toEqual({ rows: 0, exact: false, superseded: true });
});

test('a short question is answered between the slices of a long one', async () => {
  const log = readingOf(ROWS);
  log.timePasses(5);
  const long = log.reading.list(search('requests', 'absent'));
  log.turn();
  expect(log.reading.get('r0001')).toMatchObject({ id: 'r0001' });
  const short = log.reading.list({ view: 'overview', filter: {}, limit: 1 });
  log.turn();
  log.turn();
  expect(await short).toMatchObject({ next: { id: 'r2999' } });
  expect((await log.settle(long)).superseded).toBe(false);
});

test('a query that fails is an error for its caller, and the next ones are answered', async () => {
  const log = readingOf(ROWS);
  const prepare = log.reader.prepare.bind(log.reader);
  log.reader.prepare = () => { throw new Error('disk I/O error'); };
  const bad = log.reading.list({ view: 'requests', filter: {}, limit: 1 });
  const failed = expect(bad).rejects.toThrow('disk I/O error');
  log.turn();
  await failed;
  log.reader.prepare = prepare;
  expect((await log.settle(log.reading.list({ view: 'requests', filter: {}, limit: 1 }))).rows).toHaveLength(1);
});

test('a page of one filter is full however slow the machine is, with alternatives too', async () => {
  const log = readingOf(ROWS.map((row, n) => ({ ...row, outcome: n % 10 === 0 ? 'failed' as const : n % 7 === 0 ? 'cancelled' as const : 'success' as const })));
  log.timePasses(1_000);
  const page = await log.settle(log.reading.list({ view: 'requests', filter: { outcomes: ['failed', 'cancelled', 'refused'] }, limit: 300 }));
  expect(page.rows).toHaveLength(300);
});

test('a page is read with the details of its rows, or without', () => {
  const log = readingOf([rowWith({ detail: { attempts: [], left_during: 'pause' } })]);
  const read = (details: boolean) => readPage(log.reader, { filter: {}, limit: 10, details }, () => 0, createProgress()).next().value;
  expect(read(true)).toMatchObject({ rows: [{ detail: { attempts: [], left_during: 'pause' } }] });
  expect(read(false)).toMatchObject({ rows: [{ detail: { attempts: [] } }] });
});

// SPEC 12.4: a reader must not keep the write-ahead file from shrinking.
test('between two slices of a search the write-ahead file can be emptied', () => {
  const log = readingOf(ROWS);
  let nowMs = 0;
  const job = readPage(log.reader, { filter: { text: 'absent' }, limit: 10, details: true }, () => (nowMs += 10), createProgress());
  let slices = 0;
  for (; job.next().done !== true; slices++) {
    log.write([rowWith({ id: `more-${slices}`, started_at: 5_000 })]);
    expect(log.writer.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
  }
  expect(slices).toBeGreaterThan(3);
});

const PLANS: readonly [LogFilter, string][] = [
  [{}, 'newest'], [{ from: 1, to: 20_000 }, 'newest'], [{ text: 'x' }, 'newest'], [{ outcomes: ['failed', 'success'] }, 'outcome'], [{ retriedOnly: true }, 'retried'], [{ upstreams: ['A'] }, 'upstream'],
  [{ models: ['m'] }, '(asked|served)'], [{ clients: ['c'] }, 'client'], [{ keys: ['k'] }, 'key'], [{ statusClasses: [5] }, 'status'], [{ errorCodes: ['e'] }, 'error'], [{ sessionId: '0193-aaaa' }, 'session'],
  [{ outcomes: ['success'], errorCodes: ['seldom'], text: 'x' }, 'error'], [{ retriedOnly: true, models: ['m-test'], statusClasses: [2] }, 'retried'],
];

test.each(PLANS)('%o is read along its index alone, from place to place, and nothing but rows of one time is sorted', (filter, index) => {
  const log = readingOf(ROWS.map((row, n) => ({ ...row, retries: n % 50 === 0 ? 1 : 0, error_code: n % 500 === 0 ? 'seldom' : null })));
  const before = { started_at: 12_000, id: 'r2000' };
  const asked: string[] = [];
  const spy = { prepare: (sql: string) => { asked.push(sql); return log.reader.prepare(sql); } } as unknown as Database;
  for (const job of [readPage(spy, { filter, before, limit: 10, details: true }, () => 0, createProgress()), readPage(spy, { filter, after: before, limit: 10, details: true }, () => 0, createProgress()), countLogs(spy, filter, () => 0)]) while (job.next().done !== true);
  const rows = asked.filter((sql) => sql.includes('INDEXED BY'));
  const reading = rows.filter((sql) => sql.includes(', id DESC') || sql.includes(', id ASC'));
  expect(reading.length).toBeGreaterThan(0);
  for (const sql of [...reading, ...rows.slice(-1)]) expect(sql).toMatch(new RegExp(`INDEXED BY gateway_logs_${index} `));
  for (const sql of rows) {
    const steps = (log.reader.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...sql.replaceAll(/[^?]/g, '').split('').map(() => 1)) as { detail: string }[]).map((step) => step.detail).join('; ');
    expect(steps).toMatch(/SEARCH gateway_logs USING (COVERING )?INDEX/);
    // Alternatives of one field lie apart in their index: the few rows of a slice are put in order.
    if (!/ IN \(\?, \?/.test(sql)) expect(steps).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
  }
});
