// SPEC 15: a start that cannot be says why, changes nothing, and ends.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import Database from 'better-sqlite3';
import { temporaryFolder } from './support/app.ts';
import { spawnApp } from './support/process.ts';
import { freePort, withStore } from './support/world.ts';

const REFUSED = 'the data folder cannot be opened';
const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

function folder(): string {
  const made = temporaryFolder();
  onTestFinished(() => { made.remove(); });
  return made.path;
}

/** Starts the app, waits for its refusal, closes its dialog by ending it. */
async function refusalOf(dataDir: string): Promise<Readonly<Record<string, unknown>>> {
  const app = await spawnApp(dataDir);
  onTestFinished(() => { app.child.kill('SIGKILL'); });
  const refusal = await app.logged(REFUSED);
  app.child.kill('SIGTERM');
  await app.ended;
  return refusal;
}

it('a data folder that cannot be written', async () => {
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  expect(await refusalOf(join(file, 'data'))).toMatchObject({ kind: 'not_writable', dataDir: join(file, 'data') });
}, 60_000);

it('a database of a newer version, left byte for byte as it is', async () => {
  const dataDir = folder();
  await withStore(dataDir, () => Promise.resolve());
  const file = join(dataDir, 'holdfast.db');
  const database = new Database(file);
  database.pragma('user_version = 999');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const before = hash(file);
  expect(await refusalOf(dataDir)).toMatchObject({ kind: 'newer_version', found: 999 });
  expect(hash(file)).toBe(before);
}, 60_000);

it('a data folder that another process has', async () => {
  const dataDir = folder();
  mkdirSync(dataDir, { recursive: true });
  await withStore(dataDir, async () => {
    expect(await refusalOf(dataDir)).toMatchObject({ kind: 'locked', dataDir });
  });
}, 60_000);

it('a database that cannot be read is set aside, told, and a new one begun', async () => {
  const dataDir = folder();
  const port = await freePort();
  await withStore(dataDir, (store) => store.settings.set('gateway.port', port));
  writeFileSync(join(dataDir, 'holdfast.db'), 'this is no database at all, but long enough to be taken for one'.repeat(100));
  const app = await spawnApp(dataDir);
  onTestFinished(() => { app.child.kill('SIGKILL'); });
  const told = await app.logged('the database could not be read');
  expect(readFileSync(String(told['file']), 'utf8')).toContain('this is no database');
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
}, 60_000);
