import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNDO_MS, type NewUpstream, type RouteDraft, type UpstreamDraft } from '../../shared/upstream-edits.ts';
import type { Store } from '../../main/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

const given = (name: string, part: Partial<NewUpstream> = {}): NewUpstream => ({ preset: 'generic', name, base_url: 'https://llm.example.com/v1', formats: ['chat'], credential: { kind: 'stored', value: `sk-secret-of-${name}` }, ...part });
const routeTo = (pattern: string, ...upstreams: readonly string[]): RouteDraft => ({ id: null, pattern, strategy: 'priority', candidates: upstreams.map((upstream) => ({ upstream, model: null })), policy: null });

function draftOf(store: Store, id: string, part: Partial<UpstreamDraft> = {}): UpstreamDraft {
  const found = store.config.upstream(id);
  if (found === null) throw new Error(`no ${id}`);
  const { name, preset, baseUrl: base_url, formats, headers, proxy, models, maxInFlight: max_in_flight, enabled } = found;
  return { name, preset, base_url, formats, headers, proxy, models, max_in_flight, enabled, credential: null, ...part };
}
const keyOf = (store: Store, id: string) => store.credentials.of(store.config.upstream(id)!);
const idsOf = (store: Store) => store.config.upstreams().map((one) => one.id);
const secrets = (dataDir: string) => readFileSync(join(dataDir, 'secrets.json'), 'utf8');

// SPEC 2.1, 2.3
test('renaming keeps the id, the key and the secret header; a new key takes the place of the old one on disk', async () => {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  await store.upstreams.add(given('one', { headers: { 'x-team-token': 'tok-1234567890abcdef', 'x-region': 'eu' } }));
  const shown = await store.upstreams.update('one', { ...draftOf(store, 'one'), name: 'Renamed', headers: { 'x-team-token': 'tok-...cdef', 'x-region': 'us' } });
  expect(shown).toMatchObject({ ok: true, upstream: { id: 'one', name: 'Renamed', credential: { kind: 'stored' }, headers: { 'x-team-token': 'tok-...cdef', 'x-region': 'us' } } });
  expect(keyOf(store, 'one')).toEqual({ kind: 'secret', value: 'sk-secret-of-one' });
  expect(store.config.upstream('one')!.headers).toEqual({ 'x-team-token': 'tok-1234567890abcdef', 'x-region': 'us' });

  await store.upstreams.update('one', draftOf(store, 'one', { credential: { kind: 'stored', value: ' sk-new-one ' } }));
  expect(keyOf(store, 'one')).toEqual({ kind: 'secret', value: 'sk-new-one' });
  expect(secrets(dataDir)).not.toContain('sk-secret-of-one');
  await store.upstreams.update('one', draftOf(store, 'one', { credential: { kind: 'client' }, headers: {} }));
  expect(keyOf(store, 'one')).toEqual({ kind: 'client' });
  expect(secrets(dataDir)).not.toMatch(/sk-new-one|tok-/);
});

test('a proxy password that is given back masked stays what it was', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one', { proxy: 'http://me:pass-word-1@proxy.example:3128' }));
  await store.upstreams.update('one', draftOf(store, 'one', { proxy: 'http://...@proxy.example:3128', models: ['m-*'] }));
  expect(store.config.upstream('one')).toMatchObject({ proxy: 'http://me:pass-word-1@proxy.example:3128', models: ['m-*'] });
});

test('an edit with a fault changes nothing and names the field; what is not there cannot be edited', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one'));
  const before = store.config.upstream('one');
  for (const [part, path] of [[{ base_url: 'nowhere' }, 'base_url'], [{ proxy: 'ftp://x' }, 'proxy'], [{ max_in_flight: -1 }, 'max_in_flight'], [{ headers: { host: 'x' } }, 'headers.host'], [{ formats: [] }, 'formats']] as const) {
    expect(await store.upstreams.update('one', draftOf(store, 'one', part))).toMatchObject({ ok: false, faults: [{ path }] });
  }
  expect(store.config.upstream('one')).toBe(before);
  expect(await store.upstreams.update('other', draftOf(store, 'one'))).toMatchObject({ ok: false });
  expect(await store.upstreams.setEnabled('other', true)).toBe(false);
});

test('a removal says which routes used it, and taking it back restores place, key and candidates', async () => {
  const store = await openedStore(temporaryFolder());
  for (const name of ['one', 'two', 'three']) await store.upstreams.add(given(name));
  await store.routes.save(routeTo('claude-*', 'two', 'one', 'three'));
  await store.routes.save(routeTo('only', 'one'));
  await store.routes.save(routeTo('without', 'three'));
  expect(store.upstreams.usedBy('one')).toEqual([{ id: 'claude', pattern: 'claude-*', only: false }, { id: 'only', pattern: 'only', only: true }]);

  const before = { upstreams: store.config.upstreams(), routes: store.config.routes() };
  const removed = await store.upstreams.remove('one');
  if (removed.kind !== 'removed') throw new Error('not removed');
  expect(removed.usedBy.map((use) => use.pattern)).toEqual(['claude-*', 'only']);
  expect(store.config.routes().map((route) => route.candidates.map((candidate) => candidate.upstream))).toEqual([['two', 'three'], [], ['three']]);
  // Its id is not given away meanwhile.
  await store.upstreams.add(given('one'));
  expect(idsOf(store)).toEqual(['two', 'three', 'one-2']);

  expect(await store.upstreams.restore(removed.undo)).toBe('restored');
  expect(idsOf(store)).toEqual(['one', 'two', 'three', 'one-2']);
  expect(store.config.routes()).toEqual(before.routes);
  expect(keyOf(store, 'one')).toEqual({ kind: 'secret', value: 'sk-secret-of-one' });
  expect(await store.upstreams.restore(removed.undo)).toBe('expired');
});

// SPEC 9.1: the order of the upstreams is the order of the attempts.
test.each([['one', 'two'], ['two', 'one'], ['three', 'one'], ['two', 'three']])('%s and %s are removed; taken back in either order, all stand where they stood', async (first, second) => {
  const store = await openedStore(temporaryFolder());
  for (const name of ['one', 'two', 'three']) {
    await store.upstreams.add(given(name));
  }
  for (const name of ['one', 'two', 'three']) await store.routes.save(routeTo(`m-${name}`, 'three', 'one', 'two'));
  const { routes } = structuredClone({ routes: store.config.routes() });
  for (const back of [[first, second], [second, first]]) {
    for (const edits of [{ part: store.upstreams, idOf: (name: string) => name }, { part: store.routes, idOf: (name: string) => store.config.routes().find((route) => route.pattern === `m-${name}`)?.id ?? '' }]) {
      const undo = new Map<string, string>();
      for (const name of [first, second]) {
        const removed = await edits.part.remove(edits.idOf(name));
        if (removed.kind === 'removed') undo.set(name, removed.undo);
      }
      for (const name of back) expect(await edits.part.restore(undo.get(name) ?? '')).toBe('restored');
    }
    expect(idsOf(store)).toEqual(['one', 'two', 'three']);
    expect(store.config.routes()).toEqual(routes);
  }
});

test('the key of what was removed is dropped when the removal cannot be taken back any more', async () => {
  const dataDir = temporaryFolder();
  const clock = createFakeClock();
  const store = await openedStore(dataDir, { clock });
  await store.upstreams.add(given('one'));
  const removed = await store.upstreams.remove('one');
  if (removed.kind !== 'removed') throw new Error('not removed');
  expect(removed.until).toBe(clock.utc() + UNDO_MS);
  await clock.advance(UNDO_MS - 1);
  expect(secrets(dataDir)).toContain('sk-secret-of-one');
  await clock.advance(1);
  expect(await store.upstreams.restore(removed.undo)).toBe('expired');
  expect(secrets(dataDir)).not.toContain('sk-secret-of-one');
});

test('after a crash within the time of undo the key is dropped at the next start', async () => {
  const dataDir = temporaryFolder();
  const crashed = temporaryFolder();
  const store = await openedStore(dataDir);
  await store.upstreams.add(given('one'));
  await store.upstreams.remove('one');
  // What the disk holds at this moment is what a crash would leave.
  cpSync(dataDir, crashed, { recursive: true });
  expect(secrets(crashed)).toContain('sk-secret-of-one');
  await openedStore(crashed);
  expect(secrets(crashed)).not.toContain('sk-secret-of-one');
});

test('an upstream that has come by import under the same id is not overwritten by an undo', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one'));
  const removed = await store.upstreams.remove('one');
  await store.importDocument({ holdfast: 1, upstreams: [{ id: 'one', name: 'Other', preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['chat'], credential: { kind: 'none' } }] });
  expect(removed.kind === 'removed' && await store.upstreams.restore(removed.undo)).toBe('taken');
  expect(store.config.upstream('one')!.name).toBe('Other');
});

test('reordering keeps everybody, whatever the list says, and does not make new objects', async () => {
  const store = await openedStore(temporaryFolder());
  for (const name of ['one', 'two', 'three']) await store.upstreams.add(given(name));
  const two = store.config.upstream('two');
  await store.upstreams.reorder(['three', 'gone', 'three', 'one']);
  expect(idsOf(store)).toEqual(['three', 'one', 'two']);
  expect(store.config.upstream('two')).toBe(two);
  await store.upstreams.setEnabled('one', false);
  expect(store.config.upstreams().map((one) => one.enabled)).toEqual([true, false, true]);
});

// SPEC 9.1
test('a route to an upstream that is not there is refused by name, one without candidates too', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one'));
  expect(await store.routes.save(routeTo('m', 'one', 'ghost'))).toMatchObject({ ok: false, faults: [{ path: 'candidates[1].upstream', message: 'names no upstream: there is none with the id "ghost"' }] });
  expect(await store.routes.save(routeTo('m'))).toMatchObject({ ok: false, faults: [{ path: 'candidates' }] });
  expect(await store.routes.save({ ...routeTo(' ', 'one'), policy: { preset: 'patient', retry_wait_secs: 601 } })).toMatchObject({ ok: false, faults: [{ path: 'pattern' }, { path: 'policy.retry_wait_secs' }] });
  expect(await store.routes.save({ ...routeTo('m', 'one'), id: 'gone' })).toMatchObject({ ok: false });
  expect(store.config.routes()).toEqual([]);
});

test('routes are added behind the others, replaced in place, reordered, removed and taken back', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one'));
  await store.upstreams.add(given('two'));
  for (const pattern of ['gpt-*', 'claude-*', 'gpt-*']) await store.routes.save(routeTo(pattern, 'one', 'two'));
  const ids = () => store.config.routes().map((route) => route.id);
  expect(ids()).toEqual(['gpt', 'claude', 'gpt-2']);
  await store.routes.save({ ...routeTo('claude-opus-*', 'two', 'one'), id: 'claude' });
  expect(store.config.routes()[1]).toMatchObject({ id: 'claude', pattern: 'claude-opus-*' });
  await store.routes.reorder(['claude']);
  expect(ids()).toEqual(['claude', 'gpt', 'gpt-2']);
  const removed = await store.routes.remove('claude');
  await store.upstreams.remove('one');
  if (removed.kind !== 'removed') throw new Error('not removed');
  expect(await store.routes.restore(removed.undo)).toBe('restored');
  // The upstream that has gone meanwhile is not named again.
  expect(store.config.routes()[0]).toMatchObject({ id: 'claude', candidates: [{ upstream: 'two' }] });
  expect(await store.routes.remove('nobody')).toEqual({ kind: 'unknown' });
});

// SPEC 2.7
test('a draft is tested with the key that is saved, with one that is typed, or with that of the environment', async () => {
  const store = await openedStore(temporaryFolder());
  await store.upstreams.add(given('one'));
  const draft = draftOf(store, 'one', { name: '', formats: [] });
  expect(store.resolveProbe({ kind: 'saved', id: 'one' })).toMatchObject({ ok: true, credential: { value: 'sk-secret-of-one' } });
  expect(store.resolveProbe({ kind: 'draft', id: 'one', upstream: draft })).toMatchObject({ ok: true, credential: { value: 'sk-secret-of-one' } });
  expect(store.resolveProbe({ kind: 'draft', id: 'one', upstream: { ...draft, credential: { kind: 'stored', value: 'sk-typed' } } })).toMatchObject({ ok: true, credential: { value: 'sk-typed' } });
  expect(store.resolveProbe({ kind: 'draft', id: null, upstream: { ...draft, credential: { kind: 'env', name: 'HOLDFAST_TEST_NO_SUCH_KEY' } } })).toMatchObject({ ok: true, credential: { kind: 'unusable', code: 'credential.env_missing' } });
  expect(store.resolveProbe({ kind: 'draft', id: null, upstream: draft })).toMatchObject({ ok: true, credential: { kind: 'none' } });
  expect(store.resolveProbe({ kind: 'draft', id: null, upstream: { ...draft, base_url: 'x' } })).toMatchObject({ ok: false, faults: [{ path: 'base_url' }] });
  expect(store.resolveProbe({ kind: 'saved', id: 'gone' })).toMatchObject({ ok: false });
});
