import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../main/store/writer/migrations.ts';
import { systemClock } from '../../main/system/clock.ts';
import { defaultSettings, SETTING_KEYS } from '../../shared/settings.ts';
import { openAt, openedStore, recordingLog, temporaryFolder } from '../support/store-parts.ts';

const database = (dataDir: string): string => join(dataDir, 'holdfast.db');

// SPEC 14
test('a first start seeds every setting with its default, the retry wait with 120', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  expect(store.config.settings()).toEqual(defaultSettings());
  const db = new Database(database(dataDir), { readonly: true });
  expect(db.prepare(`SELECT value FROM settings WHERE key = 'gateway.retry_wait_secs'`).pluck().get()).toBe('120');
  expect(db.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(SETTING_KEYS.length);
  db.close();
});

// SPEC 1.4
test('a first start makes one key named default, whose secret is not in the database', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const [key, ...others] = store.keys.list();
  expect(others).toEqual([]);
  expect(key).toMatchObject({ name: 'default', disabled: false });
  const value = store.keys.valueOf(key!.id)!;
  expect(value).toMatch(/^hf-[A-Za-z0-9_-]{43}$/);
  expect(key!.hint).toBe(`hf-...${value.slice(-4)}`);
  await store.close();
  for (const name of readdirSync(dataDir)) {
    if (name !== 'secrets.json') expect(readFileSync(join(dataDir, name)).includes(value), name).toBe(false);
  }
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(statSync(database(dataDir)).mode & 0o777).toBe(0o600);
});

test('a second start finds the same key and makes none, also when the user has deleted every key', async () => {
  const dataDir = temporaryFolder();
  const first = await openedStore(dataDir);
  const key = first.keys.list()[0]!;
  const value = first.keys.valueOf(key.id)!;
  await first.close();
  const second = await openedStore(dataDir);
  expect(second.keys.list()).toEqual([key]);
  expect(second.keys.check(value)).toMatchObject({ kind: 'valid', name: 'default' });
  await second.keys.remove(key.id);
  await second.close();
  const third = await openedStore(dataDir);
  expect(third.keys.list()).toEqual([]);
});

// SPEC 18.1
test('a second store on the same data folder is refused while the first lives, and opens after it', async () => {
  const dataDir = temporaryFolder();
  const first = await openedStore(dataDir);
  expect(await openAt(dataDir)).toEqual({ kind: 'locked', dataDir });
  await first.close();
  await openedStore(dataDir);
});

// SPEC 15
test('a database from a newer version is refused, byte for byte unchanged, and says what is supported', async () => {
  const dataDir = temporaryFolder();
  await (await openedStore(dataDir)).close();
  const db = new Database(database(dataDir));
  db.pragma('user_version = 99');
  db.close();
  const before = readFileSync(database(dataDir));
  const names = readdirSync(dataDir);
  expect(await openAt(dataDir)).toEqual({ kind: 'newer_version', file: database(dataDir), found: 99, supported: SCHEMA_VERSION });
  expect(readFileSync(database(dataDir)).equals(before)).toBe(true);
  expect(readdirSync(dataDir)).toEqual(names);
});

test('a newer version that still lies in the write-ahead file is refused, too, and its database is not touched', async () => {
  const dataDir = temporaryFolder();
  await (await openedStore(dataDir)).close();
  const newer = new Database(database(dataDir));
  newer.pragma('wal_autocheckpoint = 0');
  newer.pragma('user_version = 99');
  const left = ['', '-wal'].map((part) => readFileSync(database(dataDir) + part));
  newer.close();
  // As after a crash: both files as they were while the newer version ran.
  writeFileSync(database(dataDir), left[0]!);
  writeFileSync(`${database(dataDir)}-wal`, left[1]!);
  expect(await openAt(dataDir)).toMatchObject({ kind: 'newer_version', found: 99 });
  expect(readFileSync(database(dataDir)).equals(left[0]!)).toBe(true);
  expect(readFileSync(`${database(dataDir)}-wal`).equals(left[1]!)).toBe(true);
});

// SPEC 15
test('a data folder that cannot be made is refused with the reason', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'not a folder');
  expect(await openAt(join(file, 'data'))).toMatchObject({ kind: 'not_writable', dataDir: join(file, 'data'), reason: expect.stringContaining('ENOTDIR') });
});

test('a data folder in which no file can be made is refused', async () => {
  // /proc takes no files, not even from root.
  expect(await openAt('/proc/self')).toMatchObject({ kind: 'not_writable' });
});

const GARBAGE: readonly [string, (file: string) => void][] = [
  ['garbage', (file) => { writeFileSync(file, 'this is no database at all, but it is long enough to be read as one '.repeat(40)); }],
  ['a cut file', (file) => { truncateSync(file, Math.floor(statSync(file).size / 2)); }],
  ['a damaged page', (file) => { const bytes = readFileSync(file); bytes.fill(0xa5, 8_200, 12_000); writeFileSync(file, bytes); }],
  ['the tables of another program', (file) => { writeFileSync(file, ''); const db = new Database(file); db.exec('CREATE TABLE theirs (a); PRAGMA user_version = 1'); db.close(); }],
];

// SPEC 15
test.each(GARBAGE)('a database that is %s is set aside under a dated name, a new one begun, and the user told', async (_name, damage) => {
  const dataDir = temporaryFolder();
  await (await openedStore(dataDir)).close();
  damage(database(dataDir));
  const damaged = readFileSync(database(dataDir));
  const store = await openedStore(dataDir, { clock: { ...systemClock, utc: () => Date.UTC(2026, 10, 30, 1, 2, 3) } });
  const file = `${database(dataDir)}.corrupt-2026-11-30T01-02-03`;
  expect(store.notices).toContainEqual({ kind: 'corrupt_set_aside', file });
  expect(readFileSync(file).equals(damaged)).toBe(true);
  expect(store.config.settings()).toEqual(defaultSettings());
  expect(store.keys.list()).toHaveLength(1);
});

test('an empty database file is a new one', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(database(dataDir), '');
  const store = await openedStore(dataDir);
  expect(store.notices).toEqual([]);
  expect(existsSync(database(dataDir))).toBe(true);
});

// SPEC 14
test('settings out of their range are brought to the nearest end, unreadable ones to the default, with one warning each and nothing written back', async () => {
  const dataDir = temporaryFolder();
  await (await openedStore(dataDir)).close();
  const db = new Database(database(dataDir));
  const write = db.prepare('UPDATE settings SET value = ? WHERE key = ?');
  write.run('9999', 'gateway.retry_wait_secs');
  write.run('-3', 'gateway.max_body_mb');
  write.run('"sometimes"', 'gateway.require_key');
  write.run('{not json', 'app.theme');
  write.run('0', 'gateway.port');
  db.prepare(`INSERT INTO settings (key, value) VALUES ('gateway.from_the_future', '1')`).run();
  db.close();
  const log = recordingLog();
  const store = await openedStore(dataDir, { log });
  expect(store.config.settings()).toMatchObject({
    'gateway.retry_wait_secs': 600, 'gateway.max_body_mb': 1, 'gateway.require_key': true, 'app.theme': 'system', 'gateway.port': 4_653,
  });
  expect(store.notices.map((notice) => notice.kind === 'setting_repaired' && [notice.key, notice.how]).sort()).toEqual([
    ['app.theme', 'default'], ['gateway.max_body_mb', 'clamped'], ['gateway.port', 'default'], ['gateway.require_key', 'default'], ['gateway.retry_wait_secs', 'clamped'],
  ]);
  expect(log.lines.filter((line) => line.level === 'warn')).toHaveLength(5);
  await store.close();
  const after = new Database(database(dataDir), { readonly: true });
  expect(after.prepare(`SELECT value FROM settings WHERE key = 'gateway.retry_wait_secs'`).pluck().get()).toBe('9999');
  after.close();
});

test('without a window port 0 is read as it is', async () => {
  const dataDir = temporaryFolder();
  const first = await openedStore(dataDir, { anyPort: true });
  expect(await first.settings.set('gateway.port', 0)).toMatchObject({ ok: true });
  await first.close();
  expect((await openedStore(dataDir, { anyPort: true })).config.settings()['gateway.port']).toBe(0);
});
