// SPEC 18.2, UI Settings > Data: export, import with its password, what would change, undo, backups, reset.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPriceBook } from '../../main/prices/price-book.ts';
import { unsealSecrets } from '../../main/store/document-secrets.ts';
import type { Store } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { openedStore, rowWith, temporaryFolder } from '../support/store-parts.ts';

const SECRETS = ['sk-canary-credential-0001', 'canary-header-secret-0002', 'canary-proxy-password-0003', 'hf-canary-gateway-key-0004'];
const full = () => ({
  holdfast: 1,
  settings: { 'gateway.retry_wait_secs': 77 },
  upstreams: [
    { id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9001', formats: ['chat'], credential: { kind: 'stored', value: SECRETS[0] }, headers: { 'x-api-key': SECRETS[1], 'x-team': 'red' }, proxy: `http://user:${SECRETS[2]}@127.0.0.1:9002` },
    { id: 'b', name: 'B', preset: 'generic', base_url: 'http://127.0.0.1:9003', formats: ['chat'], credential: { kind: 'env', name: 'B_KEY' } },
  ],
  routes: [{ id: 'r', pattern: '*', candidates: [{ upstream: 'a' }] }],
  keys: [{ name: 'mine', key: SECRETS[3] }],
});
const filled = async (dataDir = temporaryFolder()): Promise<Store> => {
  const store = await openedStore(dataDir);
  expect((await store.importDocument(full())).kind).toBe('imported');
  return store;
};
const all = (store: Store) => ({ settings: store.config.settings(), upstreams: store.config.upstreams(), routes: store.config.routes(), keys: store.keys.list().map(({ name, hint, disabled }) => ({ name, hint, disabled })), credential: store.config.upstream('a') === null ? null : store.credentials.of(store.config.upstream('a')!) });
const merged = (text: string) => ({ input: JSON.parse(text) as unknown, secrets: null, mode: 'merge' as const });

test('without a password no secret is in the export, and it can be imported elsewhere: what is missing is named', async () => {
  const { text, secrets } = await (await filled()).documents.export(null);
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect(secrets).toBe(0);
  const there = await openedStore(temporaryFolder());
  const { preview } = ready(there, text);
  expect(preview).toMatchObject({ needSecret: ['A'], keysLost: expect.arrayContaining(['mine', 'default']), upstreams: { added: 2 } });
  expect((await there.documents.import(merged(text))).kind).toBe('imported');
  const a = there.config.upstream('a')!;
  expect(a).toMatchObject({ credential: { kind: 'stored', hint: 'sk-...0001' }, headers: { 'x-team': 'red' }, proxy: 'http://127.0.0.1:9002' });
  expect(a.headers).not.toHaveProperty('x-api-key');
  expect(there.credentials.of(a)).toEqual({ kind: 'unusable', code: 'credential.missing' });
});

test('with a password everything comes along, encrypted, and another password opens nothing', async () => {
  const here = await filled();
  const { text, secrets, unreadable } = await here.documents.export('correct horse');
  for (const secret of SECRETS) expect(text).not.toContain(secret);
  expect({ secrets, unreadable }).toEqual({ secrets: 5, unreadable: [] });
  const sealed = (JSON.parse(text) as { secrets: string }).secrets;
  expect(await unsealSecrets(sealed, 'correct hors')).toEqual({ kind: 'wrong_password' });
  expect(await unsealSecrets(`${sealed.slice(0, -6)}AAAAAA`, 'correct horse')).toEqual({ kind: 'wrong_password' });
  expect(await unsealSecrets('no jwe at all', 'correct horse')).toEqual({ kind: 'unreadable' });
  const open = await unsealSecrets(sealed, 'correct horse');
  if (open.kind !== 'open') throw new Error(open.kind);
  const there = await openedStore(temporaryFolder());
  expect(await there.documents.import({ ...merged(text), secrets: open.secrets })).toMatchObject({ kind: 'imported', preview: { needSecret: [], keysLost: [] } });
  expect(there.config.upstreams()).toEqual(here.config.upstreams());
  expect(there.credentials.of(there.config.upstream('a')!)).toEqual({ kind: 'secret', value: SECRETS[0] });
  expect(there.keys.check(SECRETS[3]!)).toMatchObject({ kind: 'valid', name: 'mine' });
});

test('a password may have any letters, composed in either way', async () => {
  const { text } = await (await filled()).documents.export('Passw\u00f6rt 密码');
  expect((await unsealSecrets((JSON.parse(text) as { secrets: string }).secrets, 'Passwo\u0308rt 密码')).kind).toBe('open');
});

test.each([
  ['gigabytes of memory', { alg: 'dir', enc: 'A256GCM', kdf: 'scrypt', n: 2 ** 30, r: 8, p: 1, salt: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['hardly any work', { alg: 'dir', enc: 'A256GCM', kdf: 'scrypt', n: 2, r: 8, p: 1, salt: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['another algorithm', { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 4_000_000_000, p2s: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ['no way to draw a key', { alg: 'dir', enc: 'A256GCM' }],
])('a document whose secrets ask for %s is refused at once', async (_name, header) => {
  const sealed = `${Buffer.from(JSON.stringify(header)).toString('base64url')}..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`;
  expect(await unsealSecrets(sealed, 'x')).toEqual({ kind: 'unreadable' });
});

test('a secret goes to no other address than its own: neither one that is stored here nor one that is encrypted in the file', async () => {
  const store = await filled();
  const { text } = await store.documents.export('correct horse');
  const document = JSON.parse(text) as { secrets: string; upstreams: { base_url: string }[] };
  document.upstreams[0]!.base_url = 'http://evil.example';
  const open = await unsealSecrets(document.secrets, 'correct horse');
  if (open.kind !== 'open') throw new Error(open.kind);
  expect(await store.documents.import({ input: document, secrets: open.secrets, mode: 'merge' })).toMatchObject({ kind: 'refused', faults: [{ path: 'upstreams[0].base_url', code: 'secrets_elsewhere' }] });
  // Without its password the stored one is not linked either.
  expect(await store.documents.import({ input: document, secrets: null, mode: 'merge' })).toMatchObject({ kind: 'imported', preview: { needSecret: ['A'] } });
  const a = store.config.upstream('a')!;
  expect(store.credentials.of(a)).toEqual({ kind: 'unusable', code: 'credential.missing' });
  expect(JSON.stringify(a)).not.toMatch(/canary/);
});

test('a proxy that was put in between is given no secret, either', async () => {
  const store = await filled();
  const document = JSON.parse((await store.documents.export(null)).text) as { upstreams: { proxy: string; withheld?: string[] }[] };
  document.upstreams[0]!.proxy = 'http://evil.example:8080';
  await store.documents.import({ input: document, secrets: null, mode: 'merge' });
  expect(store.credentials.of(store.config.upstream('a')!)).toEqual({ kind: 'unusable', code: 'credential.missing' });
});

const ready = (store: Store, text: string, mode: 'merge' | 'replace' = 'merge') => {
  const looked = store.documents.preview({ ...merged(text), mode });
  if (looked.kind !== 'ready') throw new Error(JSON.stringify(looked.faults));
  return looked;
};

test('what would change is counted before anything is', async () => {
  const store = await filled();
  const before = all(store);
  const { preview } = ready(store, JSON.stringify({ ...full(), settings: { 'gateway.retry_wait_secs': 78, 'app.theme': 'system' }, upstreams: [{ ...full().upstreams[0], name: 'A2' }, { ...full().upstreams[1], id: 'c' }, full().upstreams[1]], routes: [] }));
  expect(preview).toMatchObject({ mode: 'merge', settings: { changed: 1 }, upstreams: { added: 1, changed: 1, removed: 0, same: 1 }, routes: { removed: 1 }, keys: { added: 0, changed: 0, same: 2 } });
  expect(all(store)).toEqual(before);
  expect(ready(store, JSON.stringify(full())).preview).toMatchObject({ settings: { changed: 0 }, upstreams: { added: 0, changed: 0, same: 2 }, routes: { changed: 0, same: 1 } });
});

test('an import can be taken back whole, secrets included, once, and not when something was edited since', async () => {
  const dataDir = temporaryFolder();
  const store = await filled(dataDir);
  const before = all(store);
  const other = { holdfast: 1, settings: { 'gateway.retry_wait_secs': 5 }, upstreams: [{ ...full().upstreams[0], name: 'Other', credential: { kind: 'stored', value: 'sk-other-secret-9999' } }], routes: [], keys: [{ name: 'new', key: 'hf-new-key-9998' }] };
  const done = await store.importDocument(other);
  if (done.kind !== 'imported') throw new Error('refused');
  expect(store.keys.check('hf-new-key-9998').kind).toBe('valid');
  expect(await store.documents.undo(done.undo)).toBe('restored');
  expect(all(store)).toEqual(before);
  expect(store.keys.check('hf-new-key-9998').kind).toBe('unknown');
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toMatch(/sk-other-secret|hf-new-key/);
  expect(await store.documents.undo(done.undo)).toBe('expired');
  const again = await store.importDocument(other);
  if (again.kind !== 'imported') throw new Error('refused');
  await store.settings.set('gateway.retry_wait_secs', 6);
  expect(await store.documents.undo(again.undo)).toBe('changed');
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(6);
});

test('a backup comes back as it was: what was added since goes, what is still stored is linked again, and that can be undone, too', async () => {
  const dataDir = temporaryFolder();
  const store = await filled(dataDir);
  const before = all(store);
  await store.documents.backups.make();
  const [backup] = await store.documents.backups.list();
  expect(backup).toMatchObject({ kind: 'manual' });
  await store.upstreams.add({ preset: 'generic', name: 'C', base_url: 'http://127.0.0.1:9009', formats: ['chat'], credential: { kind: 'stored', value: 'sk-added-since-1234' } });
  await store.settings.set('app.theme', 'dark');
  await store.keys.add('since');
  const since = all(store);
  const text = await store.documents.backups.read(backup!.name);
  const { preview } = ready(store, text!, 'replace');
  expect(preview).toMatchObject({ mode: 'replace', settings: { changed: 1 }, upstreams: { removed: 1, same: 2 }, needSecret: [], keysLost: [] });
  const done = await store.documents.import({ ...merged(text!), mode: 'replace' });
  if (done.kind !== 'imported') throw new Error('refused');
  // A key that was made since stays: it could not come back.
  expect(all(store)).toEqual({ ...before, keys: since.keys });
  expect(await store.documents.undo(done.undo)).toBe('restored');
  expect(all(store)).toEqual(since);
  expect((await store.documents.backups.list()).some(({ kind }) => kind === 'before')).toBe(true);
});

test('backups have no secrets, are for their owner alone, and of each kind the last ten are kept', async () => {
  const dataDir = temporaryFolder();
  let utcMs = Date.UTC(2026, 10, 1);
  const store = await openedStore(dataDir, { clock: { ...systemClock, utc: () => utcMs } });
  await store.importDocument(full());
  for (let n = 0; n < 13; n++) {
    utcMs += 1_000;
    await store.documents.backups.make();
  }
  const backups = await store.documents.backups.list();
  expect(backups.filter(({ kind }) => kind === 'manual')).toHaveLength(10);
  expect(backups[0]).toMatchObject({ madeAt: utcMs, kind: 'manual' });
  expect(backups.at(-1)).toMatchObject({ kind: 'before' });
  for (const name of readdirSync(join(dataDir, 'backups'))) {
    const file = join(dataDir, 'backups', name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const secret of SECRETS) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  }
});

test.each(['../secrets.json', 'configuration-2026-11-30T00-00-00.000Z.json/../../secrets.json', 'secrets.json', '/etc/passwd', ''])('no name leads out of the folder of backups: %s', async (name) => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  mkdirSync(join(dataDir, 'backups'), { recursive: true });
  writeFileSync(join(dataDir, 'backups', 'secrets.json'), '{}');
  expect(await store.documents.backups.read(name)).toBeNull();
  expect(await store.documents.backups.list()).toEqual([]);
});

test('resetting the settings leaves the rest, after a backup, and can be undone', async () => {
  const store = await filled();
  const before = all(store);
  const done = await store.documents.reset('settings');
  expect(all(store)).toEqual({ ...before, settings: defaultSettings() });
  expect((await store.documents.backups.list()).map(({ name }) => name)).toContain(done.backup);
  expect(await store.documents.undo(done.undo!)).toBe('restored');
  expect(all(store)).toEqual(before);
});

test('resetting the configuration begins as at a first start, with another key, and can be undone with every secret and price', async () => {
  const store = await filled();
  const prices = openPriceBook(store.appState);
  await prices.set({ model: 'm', input: 7, output: 7, cacheRead: null, cacheWrite: null }, null);
  const before = all(store);
  const done = await store.documents.reset('configuration');
  expect(prices.list().own).toEqual([]);
  expect(all(store)).toMatchObject({ settings: defaultSettings(), upstreams: [], routes: [], keys: [{ name: 'default' }] });
  expect(store.keys.check(SECRETS[3]!)).toEqual({ kind: 'unknown' });
  expect(await store.documents.undo(done.undo!)).toBe('restored');
  expect(all(store)).toEqual(before);
  expect(prices.list().own).toMatchObject([{ model: 'm', input: 7 }]);
  expect(store.keys.check(SECRETS[3]!)).toMatchObject({ kind: 'valid' });
});

test('resetting everything leaves nothing: no row, no figure, no backup, no secret, no database that was set aside', async () => {
  const dataDir = temporaryFolder();
  const store = await filled(dataDir);
  writeFileSync(join(dataDir, 'holdfast.db.corrupt-2026-01-01T00-00-00'), 'old');
  const row = rowWith({ id: 'r', error_message: 'canary-of-a-row' });
  store.journal.note({ kind: 'finished', id: 'r', row });
  expect(await store.documents.reset('everything')).toEqual({ backup: null, undo: null });
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  expect(readdirSync(dataDir).filter((name) => name.includes('corrupt'))).toEqual([]);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toMatch(/canary/);
  expect((await store.logs.figures('30d', Date.now())).totals.requests).toBe(0);
  expect(store.config.upstreams()).toEqual([]);
  await store.close();
  const file = readFileSync(join(dataDir, 'holdfast.db'), 'latin1');
  expect(['canary-of-a-row', 'B_KEY', 'x-team'].filter((word) => file.includes(word))).toEqual([]);
});
