import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCredentials } from '../../main/store/credentials.ts';
import type { Memory } from '../../main/store/memory.ts';
import { secretHint } from '../../main/store/secret-hint.ts';
import { createSecretFile, type Keychain } from '../../main/system/secret-file.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

const ours: Keychain = {
  seal: (value) => Buffer.from(`sealed:${Buffer.from(value).toString('base64')}`),
  unseal: (sealed) => {
    const text = Buffer.from(sealed).toString();
    if (!text.startsWith('sealed:')) throw new Error('not mine');
    return Buffer.from(text.slice(7), 'base64').toString();
  },
};

// SPEC 2.3
test('a secret is in the file of its owner alone when put returns, and comes back in another process', () => {
  const path = join(temporaryFolder(), 'data', 'secrets.json');
  const box = createSecretFile(path);
  box.put('a', 'sk-one');
  box.put('b', 'zwei ü');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const again = createSecretFile(path);
  expect([again.get('a'), again.get('b'), again.get('c')]).toEqual([{ kind: 'value', value: 'sk-one' }, { kind: 'value', value: 'zwei ü' }, { kind: 'absent' }]);
  again.delete('a');
  again.delete('never there');
  expect(createSecretFile(path).get('a')).toEqual({ kind: 'absent' });
  expect(readFileSync(path, 'utf8')).not.toContain('sk-one');
});

test('a file that others could read is theirs no more after the next write', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const box = createSecretFile(path);
  box.put('a', 'x');
  chmodSync(path, 0o644);
  box.put('b', 'y');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

// SPEC 15: a disk that takes only a part of a write says so at the next one, and not before.
test.skipIf(process.platform === 'win32')('a disk that takes the file in part leaves the old one whole, and put throws', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  createSecretFile(path).put('a', 'sk-one');
  const program = `
    const { createSecretFile } = await import(${JSON.stringify(new URL('../../main/system/secret-file.ts', import.meta.url).href)});
    try { createSecretFile(${JSON.stringify(path)}).put('b', 'x'.repeat(60_000)); console.log('put'); } catch (error) { console.log(error.code); }`;
  // A file may have so many blocks and no more, as on a disk that is nearly full.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('EFBIG');
  expect(createSecretFile(path).get('a')).toEqual({ kind: 'value', value: 'sk-one' });
});

test('names of the language are ids like others', () => {
  const box = createSecretFile(join(temporaryFolder(), 'secrets.json'));
  expect(box.get('constructor')).toEqual({ kind: 'absent' });
  box.put('toString', 'v');
  expect(box.get('toString')).toEqual({ kind: 'value', value: 'v' });
});

test('sealed secrets are clear to the keychain that sealed them, sealed to a process without it, and left alone by it', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const app = createSecretFile(path, ours);
  expect(app.kind).toBe('keychain');
  app.put('a', 'sk-one');
  expect(readFileSync(path, 'utf8')).not.toContain('sk-one');
  const headless = createSecretFile(path);
  expect(headless.kind).toBe('file');
  expect(headless.get('a')).toEqual({ kind: 'sealed' });
  headless.put('b', 'plain');
  const later = createSecretFile(path, ours);
  expect([later.get('a'), later.get('b')]).toEqual([{ kind: 'value', value: 'sk-one' }, { kind: 'value', value: 'plain' }]);
  const stranger: Keychain = { seal: ours.seal, unseal: () => { throw new Error('another user'); } };
  expect(createSecretFile(path, stranger).get('a')).toEqual({ kind: 'sealed' });
});

test('secrets from before there was a keychain are counted, and sealed all at once or not at all', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const headless = createSecretFile(path);
  headless.put('a', 'sk-one');
  headless.put('b', 'sk-two');
  expect(headless.inClear()).toBe(0);
  const refusing = createSecretFile(path, { ...ours, seal: (value) => { if (value === 'sk-two') throw new Error('locked'); return ours.seal(value); } });
  expect(() => { refusing.sealAll(); }).toThrow('locked');
  expect([refusing.inClear(), readFileSync(path, 'utf8').includes('sk-one')]).toEqual([2, true]);
  const app = createSecretFile(path, ours);
  app.sealAll();
  expect([app.inClear(), app.get('a'), app.get('b')]).toEqual([0, { kind: 'value', value: 'sk-one' }, { kind: 'value', value: 'sk-two' }]);
  expect(readFileSync(path, 'utf8')).not.toMatch(/sk-/);
});

test('a file that cannot be read is sealed, and moved aside, not written over, by the first write', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'secrets.json');
  writeFileSync(path, '{ half a fi');
  const box = createSecretFile(path);
  expect(box.get('a')).toEqual({ kind: 'sealed' });
  box.put('a', 'new');
  expect(box.get('a')).toEqual({ kind: 'value', value: 'new' });
  const aside = readdirSync(folder).filter((name) => name.startsWith('secrets.json.unreadable-'));
  expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['{ half a fi']);
});

test('a put that the disk refuses throws and changes nothing', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const box = createSecretFile(path);
  box.put('a', 'one');
  // A folder where the draft would be.
  mkdirSync(`${path}.${process.pid}.tmp`);
  expect(() => { box.put('b', 'two'); }).toThrow();
  expect(box.get('b')).toEqual({ kind: 'absent' });
  expect(createSecretFile(path).get('a')).toEqual({ kind: 'value', value: 'one' });
});

// SPEC 2.3
test.each([
  ['sk-ant-api03-abcdefghijkl', 'sk-...ijkl'], ['hf-test', 'hf-...'], ['AIzaSyABCDEFGHIJKLMNOP', '...MNOP'], ['short', '...'], ['', '...'],
])('of %s the hint shows %s', (secret, hint) => { expect(secretHint(secret)).toBe(hint); });

const upstream = (credential: object) => ({ id: 'a', credential }) as never;
const memoryWith = (id: string | null): Memory => ({ state: () => ({ upstreams: [{ upstream: { id: 'a' }, secretIds: id === null ? {} : { credential: id } }] }) }) as never;

// SPEC 2.4
test('each kind of credential is looked up at the moment it is asked for', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const box = createSecretFile(path);
  box.put('place', 'sk-one');
  const environment: Record<string, string> = {};
  const credentials = createCredentials(memoryWith('place'), box, environment);
  expect(credentials.of(upstream({ kind: 'stored', hint: '' }))).toEqual({ kind: 'secret', value: 'sk-one' });
  expect(credentials.of(upstream({ kind: 'client' }))).toEqual({ kind: 'client' });
  expect(credentials.of(upstream({ kind: 'none' }))).toEqual({ kind: 'none' });
  const env = upstream({ kind: 'env', name: 'MY_KEY' });
  expect(credentials.of(env)).toEqual({ kind: 'unusable', code: 'credential.env_missing' });
  environment['MY_KEY'] = ' \n';
  expect(credentials.of(env)).toEqual({ kind: 'unusable', code: 'credential.env_missing' });
  environment['MY_KEY'] = ' sk-two\n';
  expect(credentials.of(env)).toEqual({ kind: 'secret', value: 'sk-two' });
  box.delete('place');
  expect(credentials.of(upstream({ kind: 'stored', hint: '' }))).toEqual({ kind: 'unusable', code: 'credential.missing' });
});

test('a sealed credential is reported as sealed', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  createSecretFile(path, ours).put('place', 'sk-one');
  const credentials = createCredentials(memoryWith('place'), createSecretFile(path), {});
  expect(credentials.of(upstream({ kind: 'stored', hint: '' }))).toEqual({ kind: 'unusable', code: 'credential.sealed' });
  expect(createCredentials(memoryWith(null), createSecretFile(path), {}).of(upstream({ kind: 'stored', hint: '' }))).toEqual({ kind: 'unusable', code: 'credential.missing' });
});

// SPEC 2.3: what cannot be read here is not overwritten. A keychain may be back at the next start.
test('headers and a proxy that are sealed come through edits, and are there again with the keychain', async () => {
  const dataDir = temporaryFolder();
  const opened = (keychain: Keychain | null) => openedStore(dataDir, { secretBox: createSecretFile(join(dataDir, 'secrets.json'), keychain) });
  const upstream = (id: string, more: object = {}) => ({ id, name: id, preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['chat'], credential: { kind: 'none' }, ...more });
  const sealing = await opened(ours);
  await sealing.importDocument({ holdfast: 1, upstreams: [upstream('a', { headers: { 'x-api-token': 'of-a', 'x-team': 'red' }, proxy: 'http://user:word@127.0.0.1:9002' }), upstream('b')] });
  const before = sealing.config.upstream('a');
  await sealing.close();

  const without = await opened(null);
  await without.upstreams.setEnabled('b', false);
  const { baseUrl, proxy, headers } = without.config.upstream('a')!;
  expect(headers).toEqual({ 'x-team': 'red' });
  expect(await without.upstreams.update('a', { preset: 'generic', name: 'a', base_url: baseUrl, formats: ['chat'], credential: null, headers, proxy, models: [], max_in_flight: 0, enabled: true })).toMatchObject({ ok: true });
  expect((await without.documents.export(null)).text).toContain('header:x-api-token');
  await without.close();

  const again = await opened(ours);
  expect(again.config.upstream('a')).toEqual(before);
});
