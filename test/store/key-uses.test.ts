import { expect, test } from 'vitest';
import { createKeyHandlers } from '../../main/ipc/key-handlers.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

type Opened = Awaited<ReturnType<typeof openedStore>>;
const lastOf = (store: Opened, name: string) => store.keys.list().find((key) => key.name === name)?.lastUsedAt;

// SPEC 1.4
test('the last use of each key is known at once, outlives the process, and goes with its key', async () => {
  const folder = temporaryFolder();
  const store = await openedStore(folder);
  const [used, unused] = [await store.keys.add('used'), await store.keys.add('unused')];
  const value = store.keys.valueOf(used.id)!;
  expect([lastOf(store, 'used'), lastOf(store, 'unused')]).toEqual([null, null]);
  const before = Date.now();
  expect(store.keys.check(value).kind).toBe('valid');
  expect(store.keys.check(`${value}x`).kind).toBe('unknown');
  expect(lastOf(store, 'used')).toBeGreaterThanOrEqual(before);
  const at = lastOf(store, 'used');
  expect(lastOf(store, 'unused')).toBeNull();
  await store.keys.setDisabled(unused.id, true);
  expect(store.keys.check(store.keys.valueOf(unused.id)!).kind).toBe('disabled');
  await store.close();
  const again = await openedStore(folder);
  expect([lastOf(again, 'used'), lastOf(again, 'unused')]).toEqual([at, null]);
  expect(JSON.stringify(again.appState.get('key_uses'))).not.toContain(value);
  await again.keys.remove(used.id);
  again.keys.check(again.keys.valueOf(again.keys.list()[0]!.id)!);
  await again.keys.flush();
  expect(Object.keys(again.appState.get('key_uses') as object)).toEqual([again.keys.list()[0]!.id]);
});

test('a thousand uses are written at most once a minute, and the last ones when the store closes', async () => {
  const folder = temporaryFolder();
  const clock = createFakeClock();
  const store = await openedStore(folder, { clock });
  const key = await store.keys.add('busy');
  const value = store.keys.valueOf(key.id)!;
  const writes: unknown[] = [];
  store.config.onChange((parts) => { if (parts.has('appState')) writes.push(store.appState.get('key_uses')); });
  for (let n = 0; n < 500; n++) store.keys.check(value);
  await store.flush();
  await store.keys.rename(key.id, 'busier');
  expect(writes).toHaveLength(1);
  await clock.advance(59_000);
  for (let n = 0; n < 500; n++) store.keys.check(value);
  await store.keys.rename(key.id, 'busy');
  expect(writes).toHaveLength(1);
  await clock.advance(1_000);
  store.keys.check(value);
  await store.keys.rename(key.id, 'busiest');
  expect(writes).toHaveLength(2);
  await clock.advance(500);
  store.keys.check(value);
  const last = lastOf(store, 'busiest');
  await store.close();
  expect(lastOf(await openedStore(folder), 'busiest')).toBe(last);
});

// SPEC 1.4, 2.3: what the window can do
test('the window names keys apart, and no answer of it holds one', async () => {
  const store = await openedStore(temporaryFolder());
  const handlers = createKeyHandlers(store.keys);
  const added = await handlers['keys.add']({ name: '  laptop ' });
  expect(added).toMatchObject({ ok: true, key: { name: 'laptop', disabled: false, lastUsedAt: null } });
  const { id } = store.keys.list().find(({ name }) => name === 'laptop')!;
  for (const name of ['', '   ', 'x'.repeat(101), 'two\nlines', 'turned \u202e round']) {
    expect(await handlers['keys.add']({ name })).toEqual({ ok: false, reason: 'name_refused' });
    expect(await handlers['keys.rename']({ id, name })).toEqual({ ok: false, reason: 'name_refused' });
  }
  expect(await handlers['keys.add']({ name: 'default' })).toEqual({ ok: false, reason: 'name_taken' });
  expect(await handlers['keys.rename']({ id, name: 'default' })).toEqual({ ok: false, reason: 'name_taken' });
  expect(await handlers['keys.rename']({ id, name: 'laptop' })).toMatchObject({ ok: true });
  const old = store.keys.valueOf(id)!;
  const answers = [added, await handlers['keys.rotate']({ id }), await handlers['keys.set_disabled']({ id, disabled: true }), await handlers['keys.list'](null)];
  const value = store.keys.valueOf(id)!;
  expect(value).not.toBe(old);
  for (const secret of [old, value]) expect(JSON.stringify(answers)).not.toContain(secret.slice(3, 20));
  expect(await handlers['keys.remove']({ id })).toBe(true);
  expect(await handlers['keys.remove']({ id })).toBe(false);
  for (const edit of [handlers['keys.rotate']({ id }), handlers['keys.rename']({ id, name: 'x' }), handlers['keys.set_disabled']({ id, disabled: false })]) expect(await edit).toEqual({ ok: false, reason: 'gone' });
});

test('there are at most 100 keys', async () => {
  const store = await openedStore(temporaryFolder());
  await store.importDocument({ holdfast: 1, keys: Array.from({ length: 99 }, (_, n) => ({ name: `key ${n}`, key: `hf-${n}` })) });
  expect(await createKeyHandlers(store.keys)['keys.add']({ name: 'one more' })).toEqual({ ok: false, reason: 'too_many' });
});
