import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../main/store/journal.ts';
import type { WriterCalls } from '../../main/store/protocol.ts';
import { startWorker, type WorkerCalls } from '../../main/store/worker-calls.ts';
import { keepWriter, openAgain } from '../../main/store/writer-thread.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

/** A journal on real writer threads, all of which are known. */
async function threads() {
  const dataDir = temporaryFolder();
  const clock = createFakeClock();
  const log = recordingLog();
  const started: WorkerCalls<WriterCalls>[] = [];
  const start = (): WorkerCalls<WriterCalls> => {
    const next = startWorker<WriterCalls>('writer', dataDir, () => undefined);
    started.push(next);
    return next;
  };
  const first = start();
  await openAgain(first, { dataDir, utcMs: 0, settings: [], how: 'first' });
  const writer = keepWriter(first, { log, start, open: (next) => openAgain(next, { dataDir, utcMs: 0, settings: [], how: 'again' }) });
  const journal = createJournal({ clock, log, write: (batch) => writer.call('write_rows', { ...batch, secrets: [] }), changed: () => undefined });
  const read = <T>(sql: string): T[] => {
    const db = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
    try {
      return db.prepare(sql).raw().all() as T[];
    } finally {
      db.close();
    }
  };
  onTestFinished(() => writer.end());
  return { log, started, writer, journal, read };
}

// SPEC 12.3
test('a writer thread that has died is started again; what waits is written, and what is in flight stays in flight', async () => {
  const { log, started, journal, read } = await threads();
  journal.note({ kind: 'started', id: 'running', row: rowWith({ id: 'running', state: 'in_flight', outcome: null }) });
  await journal.flush();
  await started[0]!.terminate();
  journal.note({ kind: 'finished', id: 'b', row: rowWith({ id: 'b' }) });
  expect(await journal.flush()).toBe(true);
  expect(started).toHaveLength(2);
  expect(read('SELECT id, state FROM gateway_logs ORDER BY id')).toEqual([['b', 'done'], ['running', 'in_flight']]);
  expect(journal.losses()).toMatchObject({ rows: 0, waiting: false });
  expect(log.lines.map(({ level }) => level)).toEqual(['info']);
});

test('a batch that was on its way when the thread died is written by the next one, once', async () => {
  const { started, journal, read } = await threads();
  for (let n = 0; n < 500; n++) journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}` }) });
  const flushed = journal.flush();
  await started[0]!.terminate();
  await flushed;
  expect(await journal.flush()).toBe(true);
  expect(read('SELECT count(*) FROM gateway_logs')).toEqual([[500]]);
  expect(read('SELECT sum(requests), sum(first_try) FROM gateway_figures WHERE minutes = 1')).toEqual([[500, 500]]);
  expect(journal.losses().rows).toBe(0);
});

test('calls made while a thread is started again wait for it and share it', async () => {
  const { started, writer } = await threads();
  await started[0]!.terminate();
  await Promise.all([
    writer.call('write_configuration', { state: [{ key: 'a', value: '1' }] }),
    writer.call('write_configuration', { state: [{ key: 'b', value: '2' }] }),
  ]);
  expect(started).toHaveLength(2);
});
