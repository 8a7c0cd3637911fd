import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { LOG_COLUMNS } from '../../main/store/log-row.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { createRowWriter } from '../../main/store/writer/rows.ts';
import { GIVE_UP_REASONS, OUTCOMES } from '../../shared/failure.ts';
import type { ExchangeRow, LogCursor, LogFilter } from '../../shared/log.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

const started = (row: ExchangeRow): ExchangeRow => ({ ...row, state: 'in_flight', outcome: null, ended_at: null, status: null, duration_ms: null });
const full = rowWith({
  id: 'full', session_id: 's-1', retries: 2, attempts: 3, failovers: 1, give_up: GIVE_UP_REASONS[2], pause_ms: 4_000.25, queued_ms: 1, cache_read_tokens: 0,
  cache_write_tokens: 7, reasoning_tokens: 9, cost_micros: 1_234, client_retry: 1, error_code: 'overloaded_error', error_message: 'Überlastet', streamed: false,
  detail: {
    retries: 2,
    attempts: [{
      n: 1, round: 0, upstream: 'A', model: 'm-test', started_ms: 0.5, duration_ms: 12, outcome: 'failed', status: 503, class: 'transient', code: '503', message: 'no',
      where: 'head', hint_ms: null, pause_ms: null, pause_reason: null, queued_ms: 0, first_content_ms: null, bytes: 3, sent_whole: true, resent: false, bypass: false,
    }],
    left_during: 'pause',
  },
});

// SPEC 12.1
test('the table has exactly the columns of the record, by their names', async () => {
  const dataDir = temporaryFolder();
  await openedStore(dataDir);
  const db = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
  expect(db.prepare('SELECT * FROM gateway_logs LIMIT 0').columns().map((column) => column.name).sort()).toEqual([...LOG_COLUMNS].sort());
  db.close();
});

test('a row comes back as it was noted, nulls, fractions and detail included', async () => {
  const store = await openedStore(temporaryFolder());
  store.journal.note({ kind: 'started', id: full.id, row: started(full) });
  await store.flush();
  expect(await store.logs.get('full')).toEqual(started(full));
  store.journal.note({ kind: 'finished', id: full.id, row: full });
  await store.flush();
  expect(await store.logs.get('full')).toEqual(full);
  expect(await store.logs.get('nobody')).toBeNull();
});

test('an end without a begin inserts the row', async () => {
  const store = await openedStore(temporaryFolder());
  store.journal.note({ kind: 'finished', id: full.id, row: full });
  await store.flush();
  expect(await store.logs.get('full')).toEqual(full);
});

// SPEC 12.3
test('rows reach the disk by themselves in one batch, started by the clock and not by the exchange', async () => {
  const clock = createFakeClock();
  const store = await openedStore(temporaryFolder(), { clock });
  for (let n = 0; n < 20; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}` }) });
  const [firstMs] = clock.waits();
  expect(firstMs).toBeLessThanOrEqual(100);
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 50 })).rows).toHaveLength(0);
  await clock.advance(firstMs!);
  // Behind the batch in the writer's own queue.
  await store.appState.set('after', true);
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 50 })).rows).toHaveLength(20);
  expect(store.journal.losses()).toMatchObject({ rows: 0, refused: 0 });
});

test('a row whose end cannot be stored is counted as lost, does not stay as running, and takes nothing with it', async () => {
  const log = recordingLog();
  const store = await openedStore(temporaryFolder(), { log });
  const noteEnd = (row: ExchangeRow): void => { store.journal.note({ kind: 'finished', id: row.id, row }); };
  for (const id of ['before', 'null-format', 'function']) store.journal.note({ kind: 'started', id, row: started(rowWith({ id })) });
  expect(await store.flush()).toBe(true);
  noteEnd(rowWith({ id: 'before' }));
  noteEnd(rowWith({ id: 'null-format', format: null as never }));
  noteEnd(rowWith({ id: 'function', client: (() => 'x') as never }));
  noteEnd(rowWith({ id: 'not-a-number', retries: Number.NaN }));
  noteEnd(rowWith({ id: 'after' }));
  store.journal.note({ kind: 'finished', id: 'nothing', row: undefined as never });
  expect(await store.flush()).toBe(true);
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 10 })).rows.map((row) => row.id).sort()).toEqual(['after', 'before']);
  expect(store.journal.losses().rows).toBe(4);
  expect(log.lines.filter((line) => line.level === 'error').reduce((sum, { fields }) => sum + Number(fields?.['count']), 0)).toBe(4);
});

// SPEC 12.4
test('of refused requests 60 a minute are written, the others counted', async () => {
  const clock = createFakeClock();
  const store = await openedStore(temporaryFolder(), { clock });
  const refuse = (from: number, to: number): void => {
    for (let n = from; n < to; n++) {
      const row = rowWith({ id: `refused-${n}`, outcome: 'refused', status: 403 });
      store.journal.note({ kind: 'started', id: row.id, row: started(row) });
      store.journal.note({ kind: 'finished', id: row.id, row });
    }
  };
  refuse(0, 100);
  store.journal.note({ kind: 'finished', id: 'good', row: rowWith({ id: 'good' }) });
  await store.flush();
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 500 })).rows).toHaveLength(61);
  expect(store.journal.losses()).toMatchObject({ rows: 0, refused: 40 });
  await clock.advance(60_000);
  refuse(100, 110);
  await store.flush();
  expect((await store.logs.list({ view: 'requests', filter: { outcomes: ['refused'] }, limit: 500 })).rows).toHaveLength(70);
});

test('a refused request whose begin is on disk already is taken out again', async () => {
  const store = await openedStore(temporaryFolder());
  for (let n = 0; n < 60; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, outcome: 'refused' }) });
  const late = rowWith({ id: 'late', outcome: 'refused' });
  store.journal.note({ kind: 'started', id: 'late', row: started(late) });
  await store.flush();
  expect(await store.logs.get('late')).not.toBeNull();
  store.journal.note({ kind: 'finished', id: 'late', row: late });
  await store.flush();
  expect(await store.logs.get('late')).toBeNull();
});

test('pages come newest first, follow each other without gap or repeat, and filter by outcome and retries', async () => {
  const store = await openedStore(temporaryFolder());
  const rows = Array.from({ length: 137 }, (_, n) => rowWith({
    // Three rows share each time, so that paging has to tell them apart by id.
    id: `r${String(n).padStart(3, '0')}`, started_at: 1_000 + Math.floor(n / 3), outcome: OUTCOMES[n % OUTCOMES.length]!, retries: n % 4 === 0 ? n : 0,
  })).filter((row) => row.outcome !== 'refused');
  for (const row of rows) store.journal.note({ kind: 'finished', id: row.id, row });
  await store.flush();
  const newestFirst = [...rows].sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));
  const all = async (filter: LogFilter): Promise<string[]> => {
    const ids: string[] = [];
    for (let before: LogCursor | undefined; ;) {
      const page = await store.logs.list({ view: 'requests', filter, limit: 10, ...(before && { before }) });
      ids.push(...page.rows.map((row) => row.id));
      if (page.next === null) return ids;
      expect(page.rows).toHaveLength(10);
      before = page.next;
    }
  };
  const idsOf = (keep: (row: ExchangeRow) => boolean): string[] => newestFirst.filter(keep).map((row) => row.id);
  expect(await all({})).toEqual(idsOf(() => true));
  expect(await all({ outcomes: ['failed', 'success', 'failed'] })).toEqual(idsOf((row) => row.outcome === 'failed' || row.outcome === 'success'));
  expect(await all({ retriedOnly: true })).toEqual(idsOf((row) => row.retries > 0));
  expect(await all({ outcomes: ['cancelled', 'success'], retriedOnly: true })).toEqual(idsOf((row) => row.retries > 0 && ['cancelled', 'success'].includes(row.outcome!)));
});

// SPEC 12.3
test('while another program holds the database rows wait, nothing is lost, and they are written when it lets go', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const other = new Database(join(dataDir, 'holdfast.db'));
  other.exec('BEGIN IMMEDIATE');
  store.journal.note({ kind: 'finished', id: 'waits', row: rowWith({ id: 'waits' }) });
  expect(await store.flush()).toBe(false);
  store.journal.note({ kind: 'finished', id: 'too', row: rowWith({ id: 'too' }) });
  other.exec('ROLLBACK');
  other.close();
  expect(await store.flush()).toBe(true);
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 10 })).rows).toHaveLength(2);
  expect(store.journal.losses().rows).toBe(0);
});

// SPEC 12.3
test('a full disk takes no row of a batch, says so, and takes all of them when there is room again', () => {
  const opened = openDatabase(temporaryFolder(), 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { db } = opened;
  const writer = createRowWriter(db, () => undefined);
  const changes = Array.from({ length: 50 }, (_, n) => ({ kind: 'finished' as const, id: `r${n}`, row: rowWith({ id: `r${n}`, error_message: 'x'.repeat(2_000) }) }));
  const batch = { rows: changes, contents: [] };
  const pages = db.pragma('page_count', { simple: true }) as number;
  db.pragma(`max_page_count = ${pages + 5}`);
  expect(writer.write(batch)).toEqual({ kind: 'later', reason: 'database or disk is full' });
  expect(db.prepare('SELECT count(*) FROM gateway_logs').pluck().get()).toBe(0);
  db.pragma(`max_page_count = ${pages + 5_000}`);
  expect(writer.write(batch)).toMatchObject({ kind: 'written', lost: 0, reason: null });
  expect(db.prepare('SELECT count(*) FROM gateway_logs').pluck().get()).toBe(50);
  db.close();
  opened.release();
});
