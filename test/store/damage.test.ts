import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../main/store/writer/open.ts';
import { retain } from '../../main/store/writer/retention.ts';
import { createRowWriter } from '../../main/store/writer/rows.ts';
import { openedStore, recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

const KIB = 1024;

/** Writes garbage over everything behind the first pages of a database. */
function damage(dataDir: string): void {
  const file = join(dataDir, 'holdfast.db');
  const descriptor = openSync(file, 'r+');
  for (let at = 16 * KIB; at < statSync(file).size; at += 4 * KIB) writeSync(descriptor, Buffer.alloc(4 * KIB, 0xa5), 0, 4 * KIB, at);
  closeSync(descriptor);
}

const batchOf = (from: number, to: number) => ({
  contents: [], rows: Array.from({ length: to - from }, (_, n) => ({ kind: 'finished' as const, id: `r${from + n}`, row: rowWith({ id: `r${from + n}`, error_message: 'x'.repeat(500) }) })),
});

// R57
test('a page that is damaged while the app runs makes rows wait and says why; it throws nothing and takes no thread down', () => {
  const dataDir = temporaryFolder();
  const opened = openDatabase(dataDir, 0);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const { db } = opened;
  onTestFinished(() => {
    db.close();
    opened.release();
  });
  const writer = createRowWriter(db, () => undefined);
  expect(writer.write(batchOf(0, 500))).toMatchObject({ kind: 'written', lost: 0 });
  db.pragma('wal_checkpoint(TRUNCATE)');
  damage(dataDir);
  // What the connection still knows of the file is forgotten.
  db.pragma('shrink_memory');
  expect(writer.write(batchOf(500, 600))).toEqual({ kind: 'later', reason: 'database disk image is malformed' });
  expect(writer.write(batchOf(500, 600)).kind).toBe('later');
  expect(() => retain(db, { utcMs: 0, beforeUtcMs: 1e15, bodiesBeforeUtcMs: 0, maxBytes: 1e12 })).toThrow('malformed');
});

// SPEC 15
test('the next start sets the damaged database aside and begins a new one', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  for (const { id, row } of batchOf(0, 500).rows) store.journal.note({ kind: 'finished', id, row });
  await store.flush();
  await store.close();
  damage(dataDir);
  const log = recordingLog();
  const next = await openedStore(dataDir, { log });
  expect(next.notices).toMatchObject([{ kind: 'corrupt_set_aside' }]);
  next.journal.note({ kind: 'finished', id: 'new', row: rowWith({ id: 'new' }) });
  expect(await next.flush()).toBe(true);
});

// R57. Windows does not let a file go that is open.
test.runIf(process.platform !== 'win32').each([['alone', ['']], ['with its write-ahead files', ['', '-wal', '-shm']]])('a database file that is removed %s while the app runs is put back with all that was in it', async (_, parts) => {
  const dataDir = temporaryFolder();
  const log = recordingLog();
  const store = await openedStore(dataDir, { log });
  await store.settings.set('gateway.retry_wait_secs', 77);
  const note = (from: number, to: number): void => { for (const { id, row } of batchOf(from, to).rows) store.journal.note({ kind: 'finished', id, row }); };
  const count = async (): Promise<number> => (await store.logs.count('requests', {})).rows;
  note(0, 200);
  await store.flush();
  expect(await count()).toBe(200);
  for (const part of parts) rmSync(join(dataDir, `holdfast.db${part}`));
  await store.settings.set('gateway.retry_wait_secs', 78);
  note(200, 300);
  expect(await store.flush()).toBe(true);
  expect(await count()).toBe(300);
  note(300, 350);
  expect(await store.flush()).toBe(true);
  expect(await count()).toBe(350);
  expect(log.lines.map(({ message }) => message)).toEqual(['the database file had been removed: it was put back']);
  expect(statSync(join(dataDir, 'holdfast.db')).mode & 0o777).toBe(0o600);
  await store.close();
  const next = await openedStore(dataDir);
  expect(next.notices).toEqual([]);
  expect(next.config.settings()['gateway.retry_wait_secs']).toBe(78);
  expect((await next.logs.count('requests', {})).rows).toBe(350);
});

test('another file in the place of the database is left alone: rows wait, and the log says why', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const file = join(dataDir, 'holdfast.db');
  renameSync(file, `${file}.away`);
  writeFileSync(file, 'of somebody else');
  store.journal.note({ kind: 'finished', id: 'a', row: rowWith({ id: 'a' }) });
  expect(await store.flush()).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('of somebody else');
  rmSync(file);
  renameSync(`${file}.away`, file);
  expect(await store.flush()).toBe(true);
});
