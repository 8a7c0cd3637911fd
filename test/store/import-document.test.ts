import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { readState } from '../../main/store/configuration-state.ts';
import { checkDocument } from '../../main/store/document-check.ts';
import { parseDocumentText } from '../../main/store/import-document.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

const upstream = (changes: object = {}) => ({
  id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9001', formats: ['anthropic', 'chat', 'responses', 'gemini'],
  credential: { kind: 'stored', value: 'sk-test' }, headers: {}, proxy: 'none', models: ['m-test'], max_in_flight: 0, enabled: true, ...changes,
});
const route = (changes: object = {}) => ({ id: 'r', pattern: '*', strategy: 'priority', candidates: [{ upstream: 'a', model: null }], policy: null, ...changes });
const document = (changes: object = {}) => ({
  holdfast: 1,
  settings: {
    'gateway.port': 0, 'gateway.retry_wait_secs': 5, 'gateway.retry_preset': 'custom',
    'gateway.retry_policy': {
      backoff: 'exponential', baseMs: 100, maxMs: 16_000, jitter: 0, maxAttempts: 0, hint: 'follow', hintMinMs: 250,
      statuses: [500, 502, 503, 504, 529], retryOnTimeout: false, attemptTimeoutMs: 0,
    },
  },
  upstreams: [upstream()], routes: [route()], keys: [{ name: 'test', key: 'hf-test' }], ...changes,
});

// SPEC 18.2
test('the document of the specification is taken over whole, and in force at once', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir, { anyPort: true });
  expect(await store.importDocument(document())).toMatchObject({ kind: 'imported', settings: 4, upstreams: 1, routes: 1, keys: 1 });
  expect(store.config.settings()).toMatchObject({ 'gateway.port': 0, 'gateway.retry_wait_secs': 5, 'gateway.retry_preset': 'custom' });
  expect(store.config.upstreams()).toMatchObject([{ id: 'a', baseUrl: 'http://127.0.0.1:9001', credential: { kind: 'stored', hint: 'sk-...' }, maxInFlight: 0 }]);
  expect(store.credentials.of(store.config.upstream('a')!)).toEqual({ kind: 'secret', value: 'sk-test' });
  expect(store.config.routes()).toEqual([route()]);
  expect(store.keys.list().map((key) => key.name)).toEqual(['default', 'test']);
  expect(store.keys.check('hf-test')).toMatchObject({ kind: 'valid', name: 'test' });
  await store.close();
  const again = await openedStore(dataDir, { anyPort: true });
  expect(again.notices).toEqual([]);
  expect(again.config.upstreams()).toEqual(store.config.upstreams());
  expect(again.credentials.of(again.config.upstream('a')!)).toEqual({ kind: 'secret', value: 'sk-test' });
  expect(again.keys.check('hf-test')).toMatchObject({ kind: 'valid' });
});

test('importing the same document twice leaves everything as after the first time', async () => {
  const store = await openedStore(temporaryFolder(), { anyPort: true });
  await store.importDocument(document());
  const [upstreams, keys] = [store.config.upstreams(), store.keys.list()];
  await store.importDocument(document());
  expect(store.config.upstreams()).toEqual(upstreams);
  expect(store.keys.list()).toEqual(keys);
});

test('upstreams with the same id are replaced in their place, others stay; routes are replaced when the document names any; what it does not name stays', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir, { anyPort: true });
  await store.importDocument(document({ upstreams: [upstream(), upstream({ id: 'b', credential: { kind: 'stored', value: 'sk-old-secret-of-b' } }), upstream({ id: 'c' })] }));
  await store.importDocument({ holdfast: 1, upstreams: [upstream({ id: 'd' }), upstream({ id: 'b', name: 'B2', credential: { kind: 'none' } })] });
  expect(store.config.upstreams().map(({ id, name }) => [id, name])).toEqual([['a', 'A'], ['b', 'B2'], ['c', 'A'], ['d', 'A']]);
  expect(store.config.routes()).toHaveLength(1);
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(5);
  await store.importDocument({ holdfast: 1, routes: [] });
  expect(store.config.routes()).toEqual([]);
  // Kept as long as the import could be taken back.
  await store.close();
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('sk-old-secret-of-b');
});

test('before anything changes the configuration is kept beside, for its owner alone, without secrets', async () => {
  const store = await openedStore(temporaryFolder(), { anyPort: true });
  await store.importDocument(document());
  const outcome = await store.importDocument({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 99 } });
  if (outcome.kind !== 'imported') throw new Error('refused');
  const kept = readFileSync(outcome.backup, 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 5 }, upstreams: [{ id: 'a', base_url: 'http://127.0.0.1:9001' }], routes: [{ id: 'r' }] });
  expect(kept).not.toContain('sk-test');
  expect(kept).not.toContain('"hf-test"');
  expect(statSync(outcome.backup).mode & 0o777).toBe(0o600);
});

const { state } = readState({ settings: [], upstreams: [], routes: [], keys: [], state: [] }, { kind: 'file', get: () => ({ kind: 'absent' }), put: () => undefined, delete: () => undefined }, true);
const faultsOf = (input: unknown, anyPort = true) => {
  const checked = checkDocument(input, state, anyPort);
  if (checked.ok) throw new Error('taken over');
  expect(JSON.stringify(checked.faults)).not.toMatch(/sk-|hf-x/);
  return checked.faults;
};

// SPEC 18.2: [what is wrong, the document, path, words of what is allowed]
const FAULTS: readonly [string, unknown, string, RegExp][] = [
  ['no object', 'holdfast', '', /must be an object/],
  ['null', null, '', /must be an object/],
  ['another version', { holdfast: 2 }, 'holdfast', /must be 1/],
  ['no version', {}, 'holdfast', /must be 1/],
  ['an unknown field', document({ upsteams: [] }), 'upsteams', /is not a known field/],
  ['an unknown field of an upstream', document({ upstreams: [upstream({ colour: 'red' })] }), 'upstreams[0].colour', /is not a known field/],
  ['an unknown field of a credential', document({ upstreams: [upstream({ credential: { kind: 'client', value: 'sk-x' } })] }), 'upstreams[0].credential.value', /is not a known field/],
  ['an unknown kind of credential', document({ upstreams: [upstream({ credential: { kind: 'magic' } })] }), 'upstreams[0].credential.kind', /stored, env, client, none/],
  ['a stored credential without value', document({ upstreams: [upstream({ credential: { kind: 'stored' } })] }), 'upstreams[0].credential.value', /is missing: must be a text/],
  ['an unknown field of a route', document({ routes: [route({ when: 1 })] }), 'routes[0].when', /is not a known field/],
  ['an unknown field of a policy', document({ settings: { 'gateway.retry_policy': { base: 1 } } }), 'settings.gateway.retry_policy.base', /not known/],
  ['an unknown setting', document({ settings: { 'gateway.retry_wait': 5 } }), 'settings.gateway.retry_wait', /gateway\.retry_wait is not a setting/],
  ['a setting out of range', document({ settings: { 'gateway.retry_wait_secs': 601 } }), 'settings.gateway.retry_wait_secs', /cannot be 601: allowed is 0 to 600/],
  ['a setting of the wrong type', document({ settings: { 'gateway.metrics': 'on' } }), 'settings.gateway.metrics', /cannot be "on"/],
  ['a bad pattern', document({ settings: { 'gateway.retry_rules': [{ pattern: '(', class: 'request' }] } }), 'settings.gateway.retry_rules.0.pattern', /not a valid pattern/],
  ['settings that are no object', document({ settings: [] }), 'settings', /must be an object/],
  ['a key not asked for beyond loopback', document({ settings: { 'gateway.bind': 'lan', 'gateway.require_key': false } }), 'settings.gateway.bind', /loopback/],
  ['an id of the wrong form', document({ upstreams: [upstream(), upstream({ id: '../x' })] }), 'upstreams[1].id', /letters, digits/],
  ['an id twice', document({ upstreams: [upstream(), upstream()] }), 'upstreams[1].id', /same as that of upstreams\[0\]/],
  ['a route id twice', document({ routes: [route(), route()] }), 'routes[1].id', /same as that of routes\[0\]/],
  ['a key twice', document({ keys: [{ name: 'a', key: 'hf-x' }, { name: 'b', key: 'hf-x' }] }), 'keys[1].key', /same as that of keys\[0\]/],
  ['a key name twice', document({ keys: [{ name: 'a', key: 'hf-x1' }, { name: 'a', key: 'hf-x2' }] }), 'keys[1].name', /same as that of keys\[0\]/],
  ['a key of the wrong form', document({ keys: [{ name: 'a', key: 'sk-x' }] }), 'keys[0].key', /hf- followed by/],
  ['a route to nowhere', document({ routes: [route({ candidates: [{ upstream: 'a' }, { upstream: 'z' }] })] }), 'routes[0].candidates[1].upstream', /none with the id "z"/],
  ['a format that is none', document({ upstreams: [upstream({ formats: ['openai'] })] }), 'upstreams[0].formats[0]', /anthropic, chat, responses, gemini/],
  ['no format', document({ upstreams: [upstream({ formats: [] })] }), 'upstreams[0].formats', /at least 1 entry/],
  ['a base URL that is none', document({ upstreams: [upstream({ base_url: 'not a url' })] }), 'upstreams[0].base_url', /./],
  ['a base URL of another scheme', document({ upstreams: [upstream({ base_url: 'ftp://x' })] }), 'upstreams[0].base_url', /http/],
  ['the gateway as its own upstream', document({ settings: { 'gateway.port': 5_000 }, upstreams: [upstream({ base_url: 'http://localhost:5000/v1' })] }), 'upstreams[0].base_url', /this gateway/],
  ['a proxy that is none', document({ upstreams: [upstream({ proxy: 'ftp://x' })] }), 'upstreams[0].proxy', /system, none/],
  ['the gateway as a proxy', document({ settings: { 'gateway.port': 5_000 }, upstreams: [upstream({ proxy: 'http://127.0.0.1:5000' })] }), 'upstreams[0].proxy', /this gateway/],
  ['a header of the connection', document({ upstreams: [upstream({ headers: { Host: 'x' } })] }), 'upstreams[0].headers.Host', /cannot be set/],
  ['a stored credential of two lines', document({ upstreams: [upstream({ credential: { kind: 'stored', value: 'sk-a\r\nx-b: c' } })] }), 'upstreams[0].credential.value', /single line/],
  ['a stored credential with a letter that no header carries', document({ upstreams: [upstream({ credential: { kind: 'stored', value: 'sk-\u200babc' } })] }), 'upstreams[0].credential.value', /header can carry/],
  ['an upstream without a name', document({ upstreams: [upstream({ name: ' ' })] }), 'upstreams[0].name', /at least 1 character long/],
  ['a header value of two lines', document({ upstreams: [upstream({ headers: { 'x-a': 'b\r\nc: d' } })] }), 'upstreams[0].headers.x-a', /single line/],
  ['a header name that is none', document({ upstreams: [upstream({ headers: { 'x a': 'b' } })] }), 'upstreams[0].headers.x a', /name a header can have/],
  ['a cap below zero', document({ upstreams: [upstream({ max_in_flight: -1 })] }), 'upstreams[0].max_in_flight', /at least 0/],
  ['the demo', document({ upstreams: [upstream({ preset: 'demo' })] }), 'upstreams[0].preset', /demo/],
  ['lists that are none', document({ upstreams: {}, routes: [] }), 'upstreams', /must be a list/],
];

test.each(FAULTS)('%s is refused by its path with what is allowed', (_name, input, path, words) => {
  const faults = faultsOf(input);
  expect(faults).toContainEqual(expect.objectContaining({ path, message: expect.stringMatching(words) }));
  // A fault causes no others.
  expect(faults).toHaveLength(1);
});

test('every fault is named at once, those of the schema and those of the meaning', () => {
  const faults = faultsOf({
    holdfast: 1, extra: true, settings: { 'gateway.port': 80, nonsense: 1 },
    upstreams: [upstream({ name: '' }), upstream({ id: 'b', base_url: 'http://' }), 'no upstream'],
    routes: [route({ candidates: [{ upstream: 'nobody' }] })], keys: [{ name: 'k' }],
  });
  expect(faults.map((fault) => fault.path).sort()).toEqual([
    'extra', 'keys[0].key', 'routes[0].candidates[0].upstream', 'settings.gateway.port', 'settings.nonsense', 'upstreams[0].name', 'upstreams[1].base_url', 'upstreams[2]',
  ]);
});

// SPEC 14
test('port 0 is refused where there is a window', () => {
  expect(faultsOf(document(), false)).toMatchObject([{ path: 'settings.gateway.port', message: expect.stringContaining('1024 to 65535') }]);
});

test('a text that is no JSON is told by its place, not by its words', () => {
  expect(parseDocumentText('{\n  "keys": [],\n}')).toMatchObject({ ok: false, faults: [{ path: '', code: 'not_json', values: { line: 3, column: 1 }, message: 'the document is not valid JSON at line 3, column 1' }] });
  expect(JSON.stringify(parseDocumentText('{\n  "keys": [ hf-secret ]\n}'))).not.toContain('hf');
  expect(parseDocumentText('')).toMatchObject({ ok: false });
  expect(parseDocumentText('\uFEFF{"holdfast":1}')).toEqual({ ok: true, input: { holdfast: 1 } });
});

test('a document with faults changes nothing, though most of it is right', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir, { anyPort: true });
  const all = (): unknown[] => [store.config.settings(), store.config.upstreams(), store.config.routes(), store.keys.list(), readFileSync(join(dataDir, 'secrets.json'), 'utf8')];
  const before = all();
  expect(await store.importDocument(document({ routes: [route(), route({ id: 's', candidates: [{ upstream: 'z' }] })] }))).toMatchObject({ kind: 'refused', faults: [{ path: 'routes[1].candidates[0].upstream' }] });
  expect(all()).toEqual(before);
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
});

// SPEC 18.2: what is exported or backed up is the same document, and has to be read back.
test('an import that would leave more than a document can hold is refused before anything has changed', async () => {
  const store = await openedStore(temporaryFolder(), { anyPort: true });
  const upstreams = (from: number, count: number) => Array.from({ length: count }, (_, n) => upstream({ id: `u${from + n}` }));
  const keys = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ name: `k${from + n}`, key: `hf-k${from + n}` }));
  expect(await store.importDocument({ holdfast: 1, upstreams: upstreams(0, 200), keys: keys(0, 99) })).toMatchObject({ kind: 'imported' });
  const more = { holdfast: 1, upstreams: upstreams(199, 2), keys: keys(98, 2) };
  const faults = [{ path: 'upstreams', code: 'too_many_together', values: { max: 200 } }, { path: 'keys', code: 'too_many_together', values: { max: 100 } }];
  expect(await store.importDocument(more)).toMatchObject({ kind: 'refused', faults });
  expect(store.documents.preview({ input: more, secrets: null, mode: 'merge' })).toMatchObject({ kind: 'refused', faults });
  expect([store.config.upstreams().length, store.keys.list().length]).toEqual([200, 100]);
  expect(await store.importDocument({ holdfast: 1, upstreams: upstreams(199, 1), keys: keys(98, 1) })).toMatchObject({ kind: 'imported' });
});

test('an import that the disk does not take changes nothing', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir, { anyPort: true });
  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const other = new Database(join(dataDir, 'holdfast.db'));
  other.exec('BEGIN IMMEDIATE');
  await expect(store.importDocument(document())).rejects.toThrow(/locked/);
  other.close();
  expect(store.config.upstreams()).toEqual([]);
  expect(store.keys.check('hf-test')).toEqual({ kind: 'unknown' });
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
});
