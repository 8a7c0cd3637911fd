// SPEC 15: a clock that is set back, and a disk that is full while the configuration is written: a clear answer, nothing lost.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpDaily, listBackups } from '../../main/store/backup.ts';
import { readState } from '../../main/store/configuration-state.ts';
import type { SecretBox } from '../../main/store/secret-box.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import { openedStore, recordingLog, rowWith, temporaryFolder } from '../support/store-parts.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 30, 12);
const noSecrets: SecretBox = { kind: 'file', get: () => ({ kind: 'absent' }), put: () => undefined, delete: () => undefined };
const { state } = readState({ settings: [], upstreams: [], routes: [], keys: [], state: [] }, noSecrets, true);
const changed = { ...state, settings: { ...state.settings, 'gateway.retry_wait_secs': 1 } };

test('rows of before and after a clock that was set back are all there, across a restart, too', async () => {
  const dataDir = temporaryFolder();
  let utcMs = NOON;
  const clock = { ...systemClock, utc: () => utcMs };
  const store = await openedStore(dataDir, { clock });
  store.journal.note({ kind: 'finished', id: 'late', row: rowWith({ id: 'late', started_at: NOON }) });
  utcMs -= 2 * DAY_MS;
  store.journal.note({ kind: 'finished', id: 'early', row: rowWith({ id: 'early', started_at: utcMs }) });
  // An end that lies before its begin.
  store.journal.note({ kind: 'finished', id: 'turned', row: rowWith({ id: 'turned', started_at: NOON, ended_at: utcMs }) });
  await store.flush();
  await store.close();
  const again = await openedStore(dataDir, { clock });
  const { rows } = await again.logs.list({ view: 'requests', filter: {}, limit: 10 });
  expect(rows.map(({ id }) => id).sort()).toEqual(['early', 'late', 'turned']);
  expect(again.notices).toEqual([]);
});

test('the daily backup is made once in a day, and a clock that was set back keeps none away for longer than that', async () => {
  const dataDir = temporaryFolder();
  expect(await backUpDaily(dataDir, state, NOON)).toBe(true);
  expect(await backUpDaily(dataDir, changed, NOON + DAY_MS - 1)).toBe(false);
  // Nothing has changed: the ten that are kept are not pushed out by copies.
  expect(await backUpDaily(dataDir, state, NOON + DAY_MS)).toBe(false);
  expect(await backUpDaily(dataDir, changed, NOON + DAY_MS)).toBe(true);
  expect(await backUpDaily(dataDir, state, NOON - 5 * DAY_MS)).toBe(true);
  expect((await listBackups(dataDir)).map(({ kind }) => kind)).toEqual(['daily', 'daily', 'daily']);
});

test('a store that is open makes its daily backup by itself, and stops with it', async () => {
  const dataDir = temporaryFolder();
  const waits: number[] = [];
  let wake = (): void => undefined;
  const clock = { ...systemClock, sleep: (ms: number, until: AbortSignal) => {
    if (ms !== 60_000 && ms !== 3_600_000) return systemClock.sleep(ms, until);
    waits.push(ms);
    return new Promise<void>((resolve) => { wake = resolve; until.addEventListener('abort', () => { resolve(); }); });
  } };
  const store = await openedStore(dataDir, { clock });
  const first = waits.length;
  wake();
  await expect.poll(() => waits.length).toBeGreaterThan(first);
  await expect.poll(async () => (await store.documents.backups.list()).map(({ kind }) => kind)).toEqual(['daily']);
  await store.close();
});

test('a folder of backups that cannot be written stops an import, a restore and a reset before anything has changed', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  await store.settings.set('gateway.retry_wait_secs', 33);
  // A file in its place: nobody, not even root, can make a folder of it.
  writeFileSync(join(dataDir, 'backups'), '');
  const before = JSON.stringify([store.config.settings(), store.keys.list(), readFileSync(join(dataDir, 'secrets.json'), 'utf8')]);
  const now = () => JSON.stringify([store.config.settings(), store.keys.list(), readFileSync(join(dataDir, 'secrets.json'), 'utf8')]);
  await expect(store.importDocument({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 1 } })).rejects.toThrow();
  await expect(store.documents.import({ input: { holdfast: 1 }, secrets: null, mode: 'replace' })).rejects.toThrow();
  await expect(store.documents.reset('settings')).rejects.toThrow();
  await expect(store.documents.reset('configuration')).rejects.toThrow();
  await expect(store.documents.backups.make()).rejects.toThrow();
  expect(now()).toBe(before);
  rmSync(join(dataDir, 'backups'));
  expect((await store.importDocument({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 1 } })).kind).toBe('imported');
});

test('secrets that the disk does not take stop an import whole', async () => {
  const dataDir = temporaryFolder();
  const file = createSecretFile(join(dataDir, 'secrets.json'));
  let full = false;
  const log = recordingLog();
  const store = await openedStore(dataDir, { log, secretBox: { ...file, put: (id, value) => { if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }); file.put(id, value); } } });
  full = true;
  const keys = store.keys.list();
  await expect(store.importDocument({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 1 }, keys: [{ name: 'new', key: 'hf-new' }] })).rejects.toThrow(/ENOSPC/);
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(120);
  expect(store.keys.list()).toEqual(keys);
});

test('files in the folder of backups that are none of ours are left alone', async () => {
  const dataDir = temporaryFolder();
  mkdirSync(join(dataDir, 'backups'));
  writeFileSync(join(dataDir, 'backups', 'notes.txt'), 'mine');
  writeFileSync(join(dataDir, 'backups', 'configuration-mine.json'), '{}');
  chmodSync(join(dataDir, 'backups', 'notes.txt'), 0o400);
  for (let n = 0; n < 12; n++) await backUpDaily(dataDir, n % 2 === 0 ? state : changed, NOON + n * DAY_MS);
  expect((await listBackups(dataDir))).toHaveLength(10);
  expect(readFileSync(join(dataDir, 'backups', 'notes.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(dataDir, 'backups', 'configuration-mine.json'), 'utf8')).toBe('{}');
});
