// SPEC 15, 18.2: documents that mean harm, or were made by a program gone wrong, are refused with clear words, at once, and change nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readState } from '../../main/store/configuration-state.ts';
import { checkDocument } from '../../main/store/document-check.ts';
import { parseDocumentText } from '../../main/store/import-document.ts';
import { MOST_ENTRIES } from '../../shared/document.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

const upstream = (changes: object = {}) => ({
  id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9001', formats: ['chat'], credential: { kind: 'none' }, ...changes,
});
const { state } = readState({ settings: [], upstreams: [], routes: [], keys: [], state: [] }, { kind: 'file', get: () => ({ kind: 'absent' }), put: () => undefined, delete: () => undefined }, true);
const faultsOf = (input: unknown) => {
  const checked = checkDocument(input, state, true);
  return checked.ok ? [] : checked.faults;
};
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const many = (count: number, one: (n: number) => unknown): unknown[] => Array.from({ length: count }, (_, n) => one(n));

test.each([
  ['a million upstreams', { holdfast: 1, upstreams: many(1_000_000, () => 1) }, 'upstreams', 'list_long'],
  ['a million keys', { holdfast: 1, keys: many(1_000_000, (n) => ({ name: `k${n}`, key: `hf-${n}` })) }, 'keys', 'list_long'],
  ['a million unknown settings', { holdfast: 1, settings: Object.fromEntries(many(1_000_000, (n) => [`s${n}`, n]) as [string, number][]) }, 'settings', 'list_long'],
  ['a million models', { holdfast: 1, upstreams: [upstream({ models: many(1_000_000, (n) => `m${n}`) })] }, '', 'too_many_values'],
  ['a value nested 100,000 deep', { holdfast: 1, settings: { 'gateway.port': deep(100_000) } }, 'settings.gateway.port[0]', 'too_deep'],
  ['an unknown field nested 100,000 deep', { holdfast: 1, extra: deep(100_000) }, 'extra[0][0]', 'too_deep'],
])('%s are one fault, without looking at each', (_name, input, path, code) => {
  expect(faultsOf(input)).toMatchObject([{ path, code }]);
});

test('at most 200 faults are told, and how many more there are', () => {
  const faults = faultsOf({ holdfast: 1, upstreams: many(MOST_ENTRIES.upstreams, () => ({ id: '../x' })), keys: [] });
  expect(faults).toHaveLength(200);
  expect(faults.at(-1)).toMatchObject({ code: 'more', path: '' });
});

test.each(['', 'settings', 'upstreams[0]', 'upstreams[0].headers', 'upstreams[0].credential'])('the name __proto__ is refused by its path in "%s", and nothing gets it', (place) => {
  const evil = '"__proto__": {"polluted": true, "enabled": false}';
  const text = (here: string): string => (here === place ? evil : '"x-a": "b"');
  const parsed = parseDocumentText(`{"holdfast": 1${place === '' ? `, ${evil}` : ''}, "settings": {${place === 'settings' ? evil : ''}},
    "upstreams": [{"id": "a", "name": "A", "preset": "generic", "base_url": "http://h", "formats": ["chat"], "credential": {"kind": "none"${place === 'upstreams[0].credential' ? `, ${evil}` : ''}}, "headers": {${text('upstreams[0].headers')}}${place === 'upstreams[0]' ? `, ${evil}` : ''}}]}`);
  if (!parsed.ok) throw new Error('no JSON');
  expect(faultsOf(parsed.input)).toContainEqual(expect.objectContaining({ path: `${place}${place === '' ? '' : '.'}__proto__`, code: 'unknown_field' }));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])('an id and a header that are called %s are like any other', async (name) => {
  const store = await openedStore(temporaryFolder(), { anyPort: true });
  const outcome = await store.importDocument({ holdfast: 1, upstreams: [upstream({ id: name, name, headers: { [name]: 'x' } })], routes: [{ id: name, pattern: name, candidates: [{ upstream: name }] }], keys: [{ name, key: `hf-${name}` }] });
  expect(outcome).toMatchObject({ kind: 'imported', upstreams: 1, routes: 1, keys: 1 });
  expect(store.config.upstream(name)).toMatchObject({ id: name, headers: { [name]: 'x' } });
  expect(faultsOf({ holdfast: 1, settings: { [name]: 1 } })).toMatchObject([{ code: 'setting', issue: { reason: 'unknown_key' } }]);
});

test.each([
  ['a line end', 'A\nB'], ['an escape of the terminal', 'A\u001b[2J'], ['a zero byte', 'A\u0000'], ['text turned around', 'A\u202Egnp.exe'], ['a hidden direction', 'A\u2066B'], ['a line separator', 'A\u2028B'],
])('a name with %s is refused, for upstreams and keys', (_name, name) => {
  expect(faultsOf({ holdfast: 1, upstreams: [upstream({ name })] })).toMatchObject([{ path: 'upstreams[0].name', code: 'bad_name' }]);
  expect(faultsOf({ holdfast: 1, keys: [{ name, key: 'hf-a' }] })).toMatchObject([{ path: 'keys[0].name', code: 'bad_name' }]);
});

test('names that a document makes up are shown short and without anything that steers a terminal', () => {
  const faults = faultsOf({ holdfast: 1, ['\u001b[2J\r\nfaked line']: 1, ['x'.repeat(10_000)]: 1, routes: [{ id: 'r', pattern: '*', candidates: [{ upstream: '\u001b]0;owned\u0007' }] }] });
  expect(faults).toHaveLength(3);
  for (const fault of faults) {
    expect(fault.path.length).toBeLessThan(100);
    for (const shown of [fault.path, fault.message, ...Object.values(fault.values)]) expect(String(shown)).not.toMatch(/\p{Cc}/u);
  }
});

test.each(['../../etc/passwd', '/etc/passwd', 'C:\\Windows', 'a/b', '..', '.hidden', 'a\u0000b'])('an id that looks like a path is refused: %s', (id) => {
  expect(faultsOf({ holdfast: 1, upstreams: [upstream({ id })] })).toMatchObject([{ path: 'upstreams[0].id', code: 'bad_id' }]);
});

test('words that a template would fill in stay words', async () => {
  const store = await openedStore(temporaryFolder(), { anyPort: true });
  const name = '{{count}} $t(native.tray.quit) ${process.env.HOME} <img src=x onerror=alert(1)>';
  expect(await store.importDocument({ holdfast: 1, upstreams: [upstream({ name })] })).toMatchObject({ kind: 'imported' });
  expect(store.config.upstreams()[0]?.name).toBe(name);
});

test.each([
  ['text', 'x'], ['number', 1], ['true', true], ['null', null], ['list', [1]], ['object', { a: 1 }],
])('a wrong type in every place is a fault and never a throw: %s', (_name, value) => {
  for (const field of ['settings', 'upstreams', 'routes', 'keys', 'secrets', 'holdfast']) expect(() => faultsOf({ holdfast: 1, [field]: value }), field).not.toThrow();
  for (const field of Object.keys(upstream())) expect(() => faultsOf({ holdfast: 1, upstreams: [upstream({ [field]: value })] }), field).not.toThrow();
  for (const list of ['upstreams', 'routes', 'keys']) expect(faultsOf({ holdfast: 1, [list]: [value] }).length, list).toBeGreaterThan(0);
});

// SPEC 18.2: every fault.
test('a fault of a route hides neither where it leads nor its other faults', () => {
  expect(faultsOf({ holdfast: 1, routes: [{ id: '../r', pattern: '', colour: 'red', candidates: [{ upstream: 'nobody', weight: 0 }, { upstream: 'noone' }] }] }).map(({ path }) => path).sort())
    .toEqual(['routes[0].candidates[0].upstream', 'routes[0].candidates[0].weight', 'routes[0].candidates[1].upstream', 'routes[0].colour', 'routes[0].id', 'routes[0].pattern']);
});

test('a fault of an upstream does not hide those of its address, proxy and headers', () => {
  expect(faultsOf({ holdfast: 1, upstreams: [upstream({ name: '', base_url: 'ftp://x', proxy: 'gopher://x', headers: { Host: 'a' } })] }).map(({ path }) => path).sort())
    .toEqual(['upstreams[0].base_url', 'upstreams[0].headers.Host', 'upstreams[0].name', 'upstreams[0].proxy']);
});

test('a hostile document leaves everything as it was, without even a backup', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  const before = JSON.stringify([store.config.settings(), store.config.upstreams(), store.config.routes(), store.keys.list()]);
  expect(await store.importDocument({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 1, 'gateway.port': deep(5_000) }, upstreams: [upstream()] })).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify([store.config.settings(), store.config.upstreams(), store.config.routes(), store.keys.list()])).toBe(before);
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
});

test('what a document would open and where it leads is told before it is taken over, and not again once it is so', async () => {
  const store = await openedStore(temporaryFolder());
  await store.importDocument({ holdfast: 1, upstreams: [upstream({ id: 'mine', name: 'Mine' }), upstream({ id: 'same', name: 'Same' })], keys: [{ name: 'shut', key: 'hf-shut', disabled: true }] });
  const document = {
    holdfast: 1,
    settings: { 'gateway.bind': 'lan', 'gateway.require_key': true, 'gateway.allowed_origins': ['https://evil.example'], 'gateway.allowed_hosts': ['evil.example'], 'logs.bodies': 'all' },
    upstreams: [
      upstream({ id: 'mine', name: 'Mine', base_url: 'https://evil.example', credential: { kind: 'env', name: 'AWS_SECRET' } }),
      upstream({ id: 'same', name: 'Other name' }), upstream({ id: 'new', name: 'New', proxy: 'http://user:word@proxy.example:8080' }),
    ],
    keys: [{ name: 'theirs', key: 'hf-theirs' }, { name: 'shut', key: 'hf-shut', disabled: false }],
  };
  const warnings = () => {
    const looked = store.documents.preview({ input: document, secrets: null, mode: 'merge' });
    return looked.kind === 'ready' ? looked.preview.warnings : looked.faults;
  };
  expect(warnings()).toEqual([
    { kind: 'lan', names: [] }, { kind: 'bodies', names: [] }, { kind: 'origins', names: ['https://evil.example'] }, { kind: 'hosts', names: ['evil.example'] },
    { kind: 'keys', names: ['shut', 'theirs'] }, { kind: 'places', names: ['Mine (evil.example)', 'New (127.0.0.1:9001, proxy.example:8080)'] }, { kind: 'environment', names: ['AWS_SECRET (Mine)'] },
  ]);
  expect(JSON.stringify(warnings())).not.toContain('word');
  expect(await store.importDocument(document)).toMatchObject({ kind: 'imported' });
  expect(warnings()).toEqual([]);
  const open = store.documents.preview({ input: { holdfast: 1, settings: { 'gateway.bind': 'loopback', 'gateway.require_key': false } }, secrets: null, mode: 'merge' });
  expect(open).toMatchObject({ kind: 'ready', preview: { warnings: [{ kind: 'no_key', names: [] }] } });
});
