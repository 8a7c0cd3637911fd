import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { checkSettings } from '../../main/store/setting-check.ts';
import { withoutSecrets } from '../../main/store/upstream-secrets.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { openAt, openedStore, temporaryFolder } from '../support/store-parts.ts';

const anUpstream = { preset: 'generic', name: 'My Provider', base_url: 'http://127.0.0.1:9001/v1/', formats: ['anthropic'], credential: { kind: 'stored', value: '  sk-secret-1234567890abcd ' } } as const;

// SPEC 14
test('a setting that is allowed is on disk and in force when it is said to be saved', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const told: string[][] = [];
  store.config.onChange((parts) => told.push([...parts, String(store.config.settings()['gateway.retry_wait_secs'])]));
  expect(await store.settings.set('gateway.retry_wait_secs', 30)).toMatchObject({ ok: true, settings: { 'gateway.retry_wait_secs': 30 } });
  expect(told).toEqual([['settings', '30']]);
  const db = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
  expect(db.prepare(`SELECT value FROM settings WHERE key = 'gateway.retry_wait_secs'`).pluck().get()).toBe('30');
  db.close();
});

test.each([
  ['gateway.retry_wait_secs', 601, { reason: 'too_big', min: 0, max: 600, given: '601' }],
  ['gateway.retry_wait_secs', -1, { reason: 'too_small', min: 0, max: 600 }],
  ['gateway.retry_wait_secs', 1.5, { reason: 'not_whole' }],
  ['gateway.port', 0, { reason: 'too_small', min: 1_024, max: 65_535 }],
  ['gateway.no_such', 1, { reason: 'unknown_key', key: 'gateway.no_such' }],
  ['gateway.retry_rules', [{ class: 'request', pattern: '(unclosed' }], { reason: 'bad_pattern', path: '0.pattern' }],
  ['gateway.retry_rules', [{ class: 'request', pattern: '(?=look)ahead' }], { reason: 'bad_pattern' }],
])('%s = %j is refused with the reason', (key, value, issue) => {
  expect(checkSettings(defaultSettings(), { [key]: value }, false)).toEqual({ ok: false, issues: [expect.objectContaining(issue)] });
});

test('a refused setting changes nothing and tells nobody', async () => {
  const store = await openedStore(temporaryFolder());
  const before = store.config.settings();
  let told = 0;
  store.config.onChange(() => { told++; });
  expect(await store.settings.set('gateway.retry_wait_secs', 601)).toMatchObject({ ok: false, issues: [{ key: 'gateway.retry_wait_secs', max: 600 }] });
  expect(store.config.settings()).toBe(before);
  expect(told).toBe(0);
});

test('the key can be left out only on loopback, whichever of the two is changed last', async () => {
  const store = await openedStore(temporaryFolder());
  expect(await store.settings.set('gateway.bind', 'lan')).toMatchObject({ ok: true });
  expect(await store.settings.set('gateway.require_key', false)).toMatchObject({ ok: false, issues: [{ key: 'gateway.require_key' }] });
  await store.settings.set('gateway.bind', 'loopback');
  expect(await store.settings.set('gateway.require_key', false)).toMatchObject({ ok: true });
  expect(await store.settings.set('gateway.bind', 'lan')).toMatchObject({ ok: false, issues: [{ key: 'gateway.bind', allowed: ['loopback'] }] });
});

test('an object written in part keeps the defaults of the rest, on disk too', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  await store.settings.set('gateway.retry_policy', { baseMs: 100 });
  await store.close();
  expect((await openedStore(dataDir)).config.settings()['gateway.retry_policy']).toMatchObject({ baseMs: 100, maxMs: 16_000, jitter: 0.2 });
});

test('changes asked for at once are made one after the other, each on the newest state', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const added = await Promise.all(Array.from({ length: 8 }, () => store.upstreams.add(anUpstream)));
  expect(added.map((answer) => answer.ok && answer.upstream.id)).toEqual(['my-provider', ...[2, 3, 4, 5, 6, 7, 8].map((n) => `my-provider-${n}`)]);
  await store.close();
  expect((await openedStore(dataDir)).config.upstreams()).toEqual(added.map((answer) => answer.ok && answer.upstream));
});

test('a listener that throws stops neither the change nor the other listeners', async () => {
  const store = await openedStore(temporaryFolder());
  let told = 0;
  store.config.onChange(() => { throw new Error('listener'); });
  const end = store.config.onChange(() => { told++; });
  await store.settings.set('app.theme', 'dark');
  end();
  await store.settings.set('app.theme', 'light');
  expect(told).toBe(1);
});

// SPEC 2.2, 2.3
test('an added upstream is normalised, shows only a hint of its key, and the key stands in the secret file alone', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const answer = await store.upstreams.add(anUpstream);
  expect(answer).toMatchObject({ ok: true, upstream: { baseUrl: 'http://127.0.0.1:9001', credential: { kind: 'stored', hint: 'sk-...abcd' }, enabled: true, proxy: 'system' } });
  const upstream = store.config.upstreams()[0]!;
  expect(store.credentials.of(upstream)).toEqual({ kind: 'secret', value: 'sk-secret-1234567890abcd' });
  await store.close();
  const holding = readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes('sk-secret-1234567890abcd'));
  expect(holding).toEqual(['secrets.json']);
});

// SPEC 2.3, 12.5
test('secret headers and a proxy with a password are used as given, lie in the secret file alone, and are shown by hints', async () => {
  const dataDir = temporaryFolder();
  const secrets = ['Bearer canary-in-a-header', 'canary-password'];
  const store = await openedStore(dataDir);
  const headers = { 'Authorization': secrets[0]!, 'x-region': 'eu' };
  const proxy = `http://user:${secrets[1]}@127.0.0.1:8080`;
  const document = { id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9001', formats: ['chat'], credential: { kind: 'client' }, headers, proxy };
  await store.importDocument({ holdfast: 1, upstreams: [document] });
  await store.importDocument({ holdfast: 1, settings: { 'app.theme': 'dark' } });
  expect(store.config.upstream('a')).toMatchObject({ headers, proxy });
  expect(withoutSecrets(store.config.upstream('a')!)).toMatchObject({ headers: { 'Authorization': '...ader', 'x-region': 'eu' }, proxy: 'http://...@127.0.0.1:8080' });
  await store.close();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const secret of secrets) expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([join(dataDir, 'secrets.json')]);
  const again = await openedStore(dataDir);
  expect(again.config.upstream('a')).toMatchObject({ headers, proxy });
  await again.close();
  writeFileSync(join(dataDir, 'secrets.json'), '{"version":1,"secrets":{}}');
  // Without its password nothing goes out around the proxy.
  const bereft = await openedStore(dataDir);
  expect(bereft.config.upstream('a')).toMatchObject({ headers: { 'x-region': 'eu' }, proxy: expect.stringContaining('.invalid') });
  expect(bereft.config.upstream('a')!.headers).not.toHaveProperty('Authorization');
});

test('removing an upstream takes it out of the routes and its secret off the disk', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  await store.upstreams.add(anUpstream);
  await store.importDocument({ holdfast: 1, routes: [{ id: 'r', pattern: '*', candidates: [{ upstream: 'my-provider', model: null }] }] });
  expect(await store.upstreams.remove('my-provider')).toMatchObject({ kind: 'removed' });
  expect(await store.upstreams.remove('my-provider')).toEqual({ kind: 'unknown' });
  expect(store.config.upstreams()).toEqual([]);
  expect(store.config.routes()).toMatchObject([{ id: 'r', candidates: [] }]);
  // Until then it can be taken back.
  await store.close();
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('sk-secret');
});

test('an upstream with a fault is refused at the field, and nothing is kept', async () => {
  const store = await openedStore(temporaryFolder());
  for (const [change, path] of [
    [{ base_url: 'ftp://x' }, 'base_url'],
    [{ base_url: 'http://localhost:4653/v1' }, 'base_url'],
    [{ base_url: 'http://LOCALHOST.:4653' }, 'base_url'],
    [{ base_url: 'http://[::ffff:127.0.0.1]:4653' }, 'base_url'],
    [{ proxy: 'socks5://[::FFFF:127.0.0.2]:4653' }, 'proxy'],
    [{ base_url: 'http://[::1]:4653' }, 'base_url'],
    [{ name: ' ' }, 'name'],
    [{ formats: [] }, 'formats'],
    [{ preset: 'demo' }, 'preset'],
    [{ credential: { kind: 'stored', value: '   ' } }, 'credential.value'],
    [{ credential: { kind: 'env', name: 'not a name' } }, 'credential.name'],
  ] as const) {
    expect(await store.upstreams.add({ ...anUpstream, ...change }), JSON.stringify(change)).toMatchObject({ ok: false, faults: [{ path }] });
  }
  expect(store.config.upstreams()).toEqual([]);
});

// SPEC 14
test('a change that the disk does not take is in force nowhere: neither in memory, nor among the secrets, nor after a new start', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const other = new Database(join(dataDir, 'holdfast.db'));
  other.exec('BEGIN IMMEDIATE');
  await expect(store.upstreams.add(anUpstream)).rejects.toThrow(/locked/);
  await expect(store.settings.set('gateway.retry_wait_secs', 5)).rejects.toThrow(/locked/);
  other.close();
  expect(store.config.upstreams()).toEqual([]);
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(120);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  expect(await store.settings.set('gateway.retry_wait_secs', 7)).toMatchObject({ ok: true });
});

test('what the app remembers comes back after a new start', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  expect(store.appState.get('window')).toBeUndefined();
  await store.appState.set('window', { x: 1, nested: [null, 'ü'] });
  await store.close();
  expect((await openedStore(dataDir)).appState.get('window')).toEqual({ x: 1, nested: [null, 'ü'] });
});

test('everything asked for before closing is on disk after it', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  void store.settings.set('gateway.retry_wait_secs', 11);
  void store.keys.add('late');
  await store.close();
  const again = await openedStore(dataDir);
  expect(again.config.settings()['gateway.retry_wait_secs']).toBe(11);
  expect(again.keys.list().map((key) => key.name)).toEqual(['default', 'late']);
  expect((await openAt(dataDir)).kind).toBe('locked');
});
