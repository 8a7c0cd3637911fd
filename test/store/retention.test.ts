import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createCheckpoints } from '../../main/store/writer/checkpoint.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { retain } from '../../main/store/writer/retention.ts';
import { createRowWriter } from '../../main/store/writer/rows.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, rowWith, temporaryFolder } from '../support/store-parts.ts';

const DAY_MS = 86_400_000;

function filled(rows: number, bytesPerRow: number, changes: (n: number) => object = () => ({})) {
  const dataDir = temporaryFolder();
  const opened = openDatabase(dataDir, 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const writer = createRowWriter(opened.db, () => undefined);
  for (let from = 0; from < rows; from += 1_000) {
    writer.write({ contents: [], rows: Array.from({ length: Math.min(1_000, rows - from) }, (_, index) => {
      const n = from + index;
      const id = `r${String(n).padStart(6, '0')}`;
      return { kind: 'finished' as const, id, row: rowWith({ id, started_at: n, error_message: 'x'.repeat(bytesPerRow), ...changes(n) }) };
    }) });
  }
  opened.db.pragma('wal_checkpoint(TRUNCATE)');
  return { db: opened.db, file: join(dataDir, 'holdfast.db'), end: () => { opened.db.close(); opened.release(); } };
}

const sweep = (db: Database.Database, limits: Parameters<typeof retain>[1]): { steps: number; longestMs: number } => {
  let longestMs = 0;
  for (let steps = 1; ; steps++) {
    const startedMs = performance.now();
    const { more } = retain(db, limits);
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    if (more) continue;
    // As the writer does at the end of a sweep.
    db.pragma('wal_checkpoint(TRUNCATE)');
    return { steps, longestMs };
  }
};

// SPEC 12.4
test('rows older than the limit go in small steps, the others stay, and the file shrinks', () => {
  const { db, file, end } = filled(6_000, 2_000);
  const before = statSync(file).size;
  const { steps } = sweep(db, { utcMs: 0, beforeUtcMs: 5_000, bodiesBeforeUtcMs: 0, maxBytes: 1e12 });
  // Some ms each: rows and settings get their turn in between.
  expect(steps).toBeGreaterThan(3);
  expect(db.prepare('SELECT count(*), min(started_at) FROM gateway_logs').raw().get()).toEqual([1_000, 5_000]);
  expect(statSync(file).size).toBeLessThan(before / 3);
  end();
});

test('what the user deletes is in the file no more', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  for (let n = 0; n < 100; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, started_at: n, error_message: `canary ${n}` }) });
  await store.flush();
  await store.logs.clear('all');
  await store.close();
  expect(readFileSync(join(dataDir, 'holdfast.db'), 'latin1')).not.toContain('canary');
});

test('above the size the oldest rows go until the rest fits', () => {
  const { db, file, end } = filled(6_000, 2_000);
  const maxBytes = 6 * 1024 * 1024;
  sweep(db, { utcMs: 0, beforeUtcMs: 0, bodiesBeforeUtcMs: 0, maxBytes });
  expect(statSync(file).size).toBeLessThan(maxBytes * 1.2);
  const [count, oldest, newest] = db.prepare('SELECT count(*), min(started_at), max(started_at) FROM gateway_logs').raw().get() as number[];
  expect(count).toBeGreaterThan(1_300);
  expect([oldest, newest]).toEqual([6_000 - count!, 5_999]);
  end();
});

test('what is in flight stays, however old and large, and the sweep ends', () => {
  const { db, end } = filled(300, 50_000, (n) => (n < 150 ? { state: 'in_flight', outcome: null } : {}));
  sweep(db, { utcMs: 0, beforeUtcMs: 1e15, bodiesBeforeUtcMs: 0, maxBytes: 1 });
  expect(db.prepare(`SELECT count(*), count(*) FILTER (WHERE state = 'in_flight') FROM gateway_logs`).raw().get()).toEqual([150, 150]);
  end();
});

test('a running store keeps to the limits by itself, by those in force at the time', async () => {
  const clock = createFakeClock();
  const store = await openedStore(temporaryFolder(), { clock });
  const age = (days: number): number => clock.utc() - days * DAY_MS;
  for (const [id, days] of [['old', 31], ['week', 8], ['new', 1]] as const) store.journal.note({ kind: 'finished', id, row: rowWith({ id, started_at: age(days) }) });
  await store.flush();
  const ids = async (): Promise<string[]> => (await store.logs.list({ view: 'requests', filter: {}, limit: 10 })).rows.map((row) => row.id);
  /** Until the worker has done the step that the clock has started. */
  const swept = async (ms: number): Promise<string[]> => {
    await clock.advance(ms);
    await store.appState.set('after', ms);
    return ids();
  };
  expect(await swept(30_000)).toEqual(['new', 'week']);
  await store.settings.set('logs.retention_days', 7);
  await clock.whenWaits((waits) => waits.includes(600_000));
  expect(await swept(600_000)).toEqual(['new']);
});

// R55
test('a log that grows past its size is swept at once, not at the next turn', async () => {
  const clock = createFakeClock();
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir, { clock });
  await store.settings.set('logs.max_mb', 50);
  await clock.advance(30_000);
  await clock.whenWaits((waits) => waits.includes(600_000));
  await clock.advance(5_000);
  const fill = async (from: number): Promise<void> => {
    for (let n = from; n < from + 3_000; n++) store.journal.note({ kind: 'finished', id: `r${n}`, row: rowWith({ id: `r${n}`, started_at: clock.utc() + n, error_message: 'x'.repeat(10_000) }) });
    await store.flush();
  };
  const swept = async (): Promise<void> => {
    // Each step is followed by a breath of 25 ms; the sweep is over when only its next turn is waited for.
    while (!clock.waits().includes(600_000)) {
      await clock.whenWaits((waits) => waits.includes(25) || waits.includes(600_000));
      if (clock.waits().includes(25)) await clock.advance(25);
    }
  };
  await fill(0);
  expect(clock.waits().at(-1)).toBeGreaterThan(500_000);
  await fill(3_000);
  await swept();
  const size = (await store.logStatus.get()).sizeBytes;
  expect(size).toBeGreaterThan(30 * 1024 * 1024);
  expect(size).toBeLessThan(50 * 1024 * 1024 * 1.2);
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 1 })).rows[0]!.id).toBe('r5999');
});

// R55
test('the write-ahead file stays small while somebody reads without a pause', async () => {
  const { db, file, end } = filled(50, 100);
  const checkpoints = createCheckpoints(db, 2_000);
  // Reads for 20 ms at a time, as the reader of the log does, and begins again at once.
  const reader = new Worker(`
    const Database = require('better-sqlite3');
    const { workerData, parentPort } = require('node:worker_threads');
    const db = new Database(workerData, { readonly: true });
    let going = true;
    parentPort.on('message', () => { going = false; });
    const slice = () => {
      if (!going) { db.close(); parentPort.close(); return; }
      db.exec('BEGIN');
      db.prepare('SELECT count(*) FROM gateway_logs').get();
      const end = performance.now() + 20;
      while (performance.now() < end);
      db.exec('COMMIT');
      setImmediate(slice);
    };
    parentPort.postMessage('reading');
    slice();`, { eval: true, workerData: file });
  await once(reader, 'message');
  const writer = createRowWriter(db, () => undefined);
  let largest = 0;
  for (let batch = 0; batch < 120; batch++) {
    writer.write({ contents: [], rows: Array.from({ length: 100 }, (_, n) => ({ kind: 'finished' as const, id: `b${batch}-${n}`, row: rowWith({ id: `b${batch}-${n}`, error_message: 'x'.repeat(10_000) }) })) });
    checkpoints.afterWrite();
    largest = Math.max(largest, statSync(`${file}-wal`).size);
  }
  reader.postMessage('enough');
  await once(reader, 'exit');
  expect(statSync(file).size).toBeGreaterThan(100 * 1024 * 1024);
  expect(largest).toBeLessThan(64 * 1024 * 1024);
  end();
});
