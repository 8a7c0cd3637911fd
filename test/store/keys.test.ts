import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

const valid = (check: { kind: string }) => {
  if (check.kind !== 'valid') throw new Error(`the key is ${check.kind}`);
  return check as Extract<ReturnType<Awaited<ReturnType<typeof openedStore>>['keys']['check']>, { kind: 'valid' }>;
};

// SPEC 1.4
test('valid, unknown and disabled keys are told apart', async () => {
  const store = await openedStore(temporaryFolder());
  const key = await store.keys.add('laptop');
  const value = store.keys.valueOf(key.id)!;
  expect(store.keys.check(value)).toMatchObject({ kind: 'valid', id: key.id, name: 'laptop' });
  for (const wrong of ['', 'hf-', `${value}x`, value.slice(0, -1), value.toUpperCase()]) expect(store.keys.check(wrong)).toEqual({ kind: 'unknown' });
  await store.keys.setDisabled(key.id, true);
  expect(store.keys.check(value)).toEqual({ kind: 'disabled' });
  await store.keys.setDisabled(key.id, false);
  expect(store.keys.check(value)).toMatchObject({ kind: 'valid' });
});

// SPEC 1.4: keys of any length come in by a document
test('keys are told apart by their last character and by their length, however long they are', async () => {
  const store = await openedStore(temporaryFolder());
  const keys = [1, 2, 43, 44, 199, 200].map((length) => `hf-${'k'.repeat(length)}`);
  const outcome = await store.importDocument({ holdfast: 1, keys: keys.map((key, n) => ({ name: `key ${n}`, key })) });
  expect(outcome.kind).toBe('imported');
  keys.forEach((key, n) => { expect(store.keys.check(key)).toMatchObject({ kind: 'valid', name: `key ${n}` }); });
  for (const key of keys) {
    for (const wrong of [`${key.slice(0, -1)}!`, key.slice(1), `${key}\0`, `${key}!`, key.padEnd(254, 'k'), key.padEnd(255, 'k'), key.padEnd(256, 'k'), key.padEnd(1_000, 'k'), `${key}é`]) expect(keys.includes(wrong) ? 'unknown' : store.keys.check(wrong).kind, wrong.slice(-10)).toBe('unknown');
  }
});

// SPEC 14
test('a key that is disabled, deleted or rotated ends what runs on it, once it is in force; a renamed one does not', async () => {
  const store = await openedStore(temporaryFolder());
  const signalOf = async (name: string) => {
    const key = await store.keys.add(name);
    const value = store.keys.valueOf(key.id)!;
    return { id: key.id, value, revoked: valid(store.keys.check(value)).revoked };
  };
  const [disabled, removed, rotated, renamed] = [await signalOf('a'), await signalOf('b'), await signalOf('c'), await signalOf('d')];
  await store.keys.setDisabled(disabled.id, true);
  expect([disabled, removed, rotated, renamed].map(({ revoked }) => revoked.aborted)).toEqual([true, false, false, false]);
  await store.keys.remove(removed.id);
  await store.keys.rotate(rotated.id);
  await store.keys.rename(renamed.id, 'desk');
  expect([removed, rotated, renamed].map(({ revoked }) => revoked.aborted)).toEqual([true, true, false]);
  expect(store.keys.check(removed.value)).toEqual({ kind: 'unknown' });
  expect(store.keys.check(rotated.value)).toEqual({ kind: 'unknown' });
  const fresh = store.keys.valueOf(rotated.id)!;
  expect(valid(store.keys.check(fresh)).revoked.aborted).toBe(false);
  expect(store.keys.list().find((key) => key.id === rotated.id)?.hint).toBe(`hf-...${fresh.slice(-4)}`);
  expect(store.keys.check(renamed.value)).toMatchObject({ kind: 'valid', name: 'desk' });
});

test('a new life of a key that was disabled has a signal of its own', async () => {
  const store = await openedStore(temporaryFolder());
  const { id } = store.keys.list()[0]!;
  const value = store.keys.valueOf(id)!;
  await store.keys.setDisabled(id, true);
  await store.keys.setDisabled(id, false);
  expect(valid(store.keys.check(value)).revoked.aborted).toBe(false);
});

test('edits of a key that is not there change nothing', async () => {
  const store = await openedStore(temporaryFolder());
  const before = store.keys.list();
  await store.keys.rename('nobody', 'x');
  await store.keys.remove('nobody');
  await store.keys.rotate('nobody');
  expect(store.keys.list()).toEqual(before);
  expect(store.keys.valueOf('nobody')).toBeNull();
});

// SPEC 2.3
test('a key whose secret is gone is told to the user and matches nothing; nothing is written over', async () => {
  const dataDir = temporaryFolder();
  const first = await openedStore(dataDir);
  const value = first.keys.valueOf(first.keys.list()[0]!.id)!;
  await first.close();
  writeFileSync(join(dataDir, 'secrets.json'), '{"version":1,"secrets":{}}');
  const second = await openedStore(dataDir);
  expect(second.notices).toEqual([{ kind: 'key_unreadable', name: 'default' }]);
  expect(second.keys.check(value)).toEqual({ kind: 'unknown' });
  expect(second.keys.list()).toHaveLength(1);
});
