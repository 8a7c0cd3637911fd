import { expect, test } from 'vitest';
import type { ReaderCalls } from '../../main/store/protocol.ts';
import { keepReader } from '../../main/store/reader-thread.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { startWorker, type WorkerCalls } from '../../main/store/worker-calls.ts';
import type { LogQuery } from '../../shared/log.ts';
import { openedStore, recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

const FIRST: LogQuery = { view: 'requests', filter: {}, limit: 10 };

function makeDatabase(dataDir: string): void {
  const opened = openDatabase(dataDir, 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  opened.db.close();
  opened.release();
}

test('a reader that ends takes its queries with it as errors, and the next query starts another', async () => {
  const dataDir = temporaryFolder();
  makeDatabase(dataDir);
  const threads: WorkerCalls<ReaderCalls>[] = [];
  const reader = keepReader(dataDir, recordingLog(), (...parts) => {
    const thread = startWorker<ReaderCalls>(...parts);
    threads.push(thread);
    return thread;
  });
  // It is only starting: there is no answer yet.
  const caught = expect(reader.call('list', FIRST)).rejects.toThrow(/reader has ended/);
  await threads[0]!.terminate();
  await caught;
  expect((await reader.call('list', FIRST)).rows).toEqual([]);
  expect(threads).toHaveLength(2);
  await reader.call('close', null);
  await reader.terminate();
  await expect(reader.call('list', FIRST)).rejects.toThrow();
  expect(threads, 'none is started behind a close').toHaveLength(2);
});

test('a reader that cannot start is told of once, fails each query, and works when it can again', async () => {
  const dataDir = temporaryFolder();
  const log = recordingLog();
  const reader = keepReader(dataDir, log);
  const told = (): number => log.lines.filter((line) => line.level === 'error').length;
  for (let n = 0; n < 3; n++) await expect(reader.call('list', FIRST)).rejects.toThrow(/reader/);
  expect(told()).toBe(1);
  makeDatabase(dataDir);
  expect((await reader.call('list', FIRST)).rows).toEqual([]);
  await reader.call('close', null);
  await reader.terminate();
});

test('the store answers every kind of question through its thread', async () => {
  const store = await openedStore(temporaryFolder());
  for (let n = 0; n < 30; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, started_at: 1_000 + n, upstream: n % 2 === 0 ? 'Even' : 'Odd', error_message: n === 7 ? '过载' : null }) });
  await store.flush();
  expect((await store.logs.list({ view: 'overview', filter: { upstreams: ['Even'], text: 'R1' }, limit: 50 })).rows.map((row) => row.id)).toEqual(['r18', 'r16', 'r14', 'r12', 'r10']);
  expect((await store.logs.list({ view: 'session', filter: { text: '载' }, limit: 5 }))).toMatchObject({ rows: [{ id: 'r7' }], scanned: { rows: 30, total: 30 } });
  expect(await store.logs.count('requests', { upstreams: ['Odd'] })).toEqual({ rows: 15, exact: true, superseded: false });
  expect((await store.logs.facets()).upstreams).toEqual(['Odd', 'Even']);
});

test('of many searches asked in a row the last is answered, and each of the others is answered or gives way', async () => {
  const store = await openedStore(temporaryFolder());
  for (let n = 0; n < 5_000; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, started_at: 1_000 + n }) });
  await store.flush();
  const typed = 'overloaded r4999'.split('').map((_, n, letters) => store.logs.list({ view: 'requests', filter: { text: letters.slice(0, n + 1).join('') }, limit: 50 }));
  const last = store.logs.list({ view: 'requests', filter: { text: 'r4999' }, limit: 50 });
  expect((await last).rows.map((row) => row.id)).toEqual(['r4999']);
  for (const page of await Promise.all(typed)) if (page.superseded) expect(page.rows).toEqual([]);
});
