import { statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';
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
    if (!more) return { steps, longestMs };
  }
};

// SPEC 12.4
test('rows older than the limit go in small steps, the others stay, and the file shrinks', () => {
  const { db, file, end } = filled(6_000, 2_000);
  const before = statSync(file).size;
  const { steps } = sweep(db, { beforeUtcMs: 5_000, bodiesBeforeUtcMs: 0, maxBytes: 1e12 });
  expect(steps).toBeGreaterThan(49);
  expect(db.prepare('SELECT count(*), min(started_at) FROM gateway_logs').raw().get()).toEqual([1_000, 5_000]);
  expect(statSync(file).size).toBeLessThan(before / 3);
  end();
});

test('above the size the oldest rows go until the rest fits', () => {
  const { db, file, end } = filled(6_000, 2_000);
  const maxBytes = 6 * 1024 * 1024;
  sweep(db, { beforeUtcMs: 0, bodiesBeforeUtcMs: 0, maxBytes });
  expect(statSync(file).size).toBeLessThan(maxBytes * 1.2);
  const [count, oldest, newest] = db.prepare('SELECT count(*), min(started_at), max(started_at) FROM gateway_logs').raw().get() as number[];
  expect(count).toBeGreaterThan(1_300);
  expect([oldest, newest]).toEqual([6_000 - count!, 5_999]);
  end();
});

test('what is in flight stays, however old and large, and the sweep ends', () => {
  const { db, end } = filled(300, 50_000, (n) => (n < 150 ? { state: 'in_flight', outcome: null } : {}));
  sweep(db, { beforeUtcMs: 1e15, bodiesBeforeUtcMs: 0, maxBytes: 1 });
  expect(db.prepare(`SELECT count(*), count(*) FILTER (WHERE state = 'in_flight') FROM gateway_logs`).raw().get()).toEqual([150, 150]);
  end();
});

test('a running store keeps to the limits by itself, by those in force at the time', async () => {
  const clock = createFakeClock();
  const store = await openedStore(temporaryFolder(), { clock });
  const age = (days: number): number => clock.utc() - days * DAY_MS;
  for (const [id, days] of [['old', 31], ['week', 8], ['new', 1]] as const) store.journal.note({ kind: 'finished', id, row: rowWith({ id, started_at: age(days) }) });
  await store.flush();
  const ids = async (): Promise<string[]> => (await store.logs.list({ limit: 10 })).rows.map((row) => row.id);
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
