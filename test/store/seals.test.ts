import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { SealPatch } from '../../main/store/protocol.ts';
import { createSealMemory } from '../../main/store/seals.ts';
import { MIGRATIONS } from '../../main/store/writer/migrations.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { readSeals, writeSeals } from '../../main/store/writer/seals.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, recordingLog, temporaryFolder } from '../support/store-parts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const databaseOf = (dataDir: string) => join(dataDir, 'holdfast.db');

/** The memory alone, with what it would have written. */
function memory(write: (patch: SealPatch) => Promise<unknown> = () => Promise.resolve(null)) {
  const clock = createFakeClock();
  const log = recordingLog();
  const patches: SealPatch[] = [];
  const seals = createSealMemory({ clock, log, stored: [], write: (patch) => { patches.push(patch); return write(patch); } });
  return { clock, log, patches, seals };
}

// SPEC 9.5
test('what was learned is known at once, and after a restart; on disk there are only hashes', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  expect(store.seals.any()).toBe(false);
  store.seals.learn('the-seal-itself', 'a');
  store.seals.learn('another', 'b');
  store.seals.learn('another', 'c');
  expect([store.seals.any(), store.seals.upstreamOf('the-seal-itself'), store.seals.upstreamOf('another'), store.seals.upstreamOf('unknown')]).toEqual([true, 'a', 'c', null]);
  await store.close();

  const db = new Database(databaseOf(dataDir), { readonly: true });
  expect(JSON.stringify(db.prepare('SELECT * FROM sealed_history').all())).not.toContain('the-seal-itself');
  db.close();
  const again = await openedStore(dataDir);
  expect([again.seals.any(), again.seals.upstreamOf('the-seal-itself'), again.seals.upstreamOf('another'), again.seals.upstreamOf('unknown')]).toEqual([true, 'a', 'c', null]);
});

test('seals reach the disk by themselves, in one batch, started by the clock and not by the exchange', async () => {
  const { clock, patches, seals } = memory();
  for (let n = 0; n < 20; n++) seals.learn(`s${n}`, 'a');
  expect(patches).toHaveLength(0);
  const [firstMs] = clock.waits();
  expect(firstMs).toBeLessThanOrEqual(100);
  await clock.advance(100);
  expect(patches.map((patch) => patch.seals.length)).toEqual([20]);
  expect(clock.pending()).toBe(0);
});

test('a seal is forgotten after 24 hours, in memory and on disk', async () => {
  const dataDir = temporaryFolder();
  const clock = createFakeClock();
  const store = await openedStore(dataDir, { clock });
  store.seals.learn('early', 'a');
  clock.jumpWall(DAY_MS - HOUR_MS);
  store.seals.learn('late', 'b');
  expect([store.seals.upstreamOf('early'), store.seals.upstreamOf('late')]).toEqual(['a', 'b']);
  clock.jumpWall(2 * HOUR_MS);
  expect([store.seals.upstreamOf('early'), store.seals.upstreamOf('late')]).toEqual([null, 'b']);
  store.seals.learn('newest', 'c');
  await store.close();
  const opened = openDatabase(dataDir, 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  expect(readSeals(opened.db).map((entry) => entry.upstream)).toEqual(['b', 'c']);
  opened.db.close();
  opened.release();
});

test('the newest 4096 are kept, in memory and on disk', () => {
  const { seals } = memory();
  for (let n = 0; n < 4_097; n++) seals.learn(`s${n}`, 'a');
  expect([seals.upstreamOf('s0'), seals.upstreamOf('s1'), seals.upstreamOf('s4096')]).toEqual([null, 'a', 'a']);

  const opened = openDatabase(temporaryFolder(), 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const entry = (n: number) => ({ seal: `s${n}`, upstream: 'a', learned_at: n });
  writeSeals(opened.db, { seals: Array.from({ length: 10 }, (_, n) => entry(n)), keptSince: 0, most: 4_096 });
  writeSeals(opened.db, { seals: [entry(3), entry(11)].map((one) => ({ ...one, learned_at: 20 })), keptSince: 2, most: 4 });
  expect(readSeals(opened.db).map((one) => one.seal)).toEqual(['s8', 's9', 's11', 's3']);
  opened.db.close();
  opened.release();
});

test('a disk that refuses costs nothing but the restart: told once, tried again, newer knowledge wins', async () => {
  let refuses = true;
  const { clock, log, patches, seals } = memory(() => (refuses ? Promise.reject(new Error('disk full')) : Promise.resolve(null)));
  seals.learn('x', 'a');
  seals.learn('y', 'a');
  await clock.advance(100);
  seals.learn('x', 'b');
  await clock.advance(60_000);
  expect([seals.upstreamOf('x'), seals.upstreamOf('y')]).toEqual(['b', 'a']);
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  refuses = false;
  await clock.advance(60_000);
  expect(patches.at(-1)?.seals.map(({ upstream }) => upstream)).toEqual(['a', 'b']);
  expect(log.lines.filter(({ level }) => level === 'info')).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

test('what is learned while a batch is being written, and refused, is newer than the batch', async () => {
  const writes: PromiseWithResolvers<null>[] = [];
  const { clock, patches, seals } = memory(() => {
    const write = Promise.withResolvers<null>();
    writes.push(write);
    return write.promise;
  });
  seals.learn('x', 'a');
  seals.learn('y', 'a');
  await clock.advance(100);
  seals.learn('x', 'b');
  seals.learn('z', 'c');
  expect(clock.pending()).toBe(0);
  writes[0]?.reject(new Error('disk full'));
  await clock.advance(60_000);
  expect(patches[1]?.seals.map(({ upstream }) => upstream)).toEqual(['a', 'b', 'c']);
  writes[1]?.resolve(null);
  await seals.flush();
  expect([patches.length, clock.pending()]).toEqual([2, 0]);
});

test('closing while the disk refuses ends, and leaves no timer', async () => {
  const { clock, seals } = memory(() => Promise.reject(new Error('gone')));
  seals.learn('x', 'a');
  await seals.close();
  expect(clock.pending()).toBe(0);
});

test('a database of the first version gets the table, and keeps what it has', async () => {
  const dataDir = temporaryFolder();
  const db = new Database(databaseOf(dataDir));
  db.exec(MIGRATIONS[0]!);
  db.exec(`INSERT INTO app_state VALUES ('old', '"kept"'); PRAGMA user_version = 1`);
  db.close();
  const store = await openedStore(dataDir);
  expect(store.appState.get('old')).toBe('kept');
  store.seals.learn('x', 'a');
  await store.close();
  expect((await openedStore(dataDir)).seals.upstreamOf('x')).toBe('a');
});
