// SPEC 15, 18.2: a document between being opened and being taken over. A file that cannot be read is a fault like any other.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDocumentDesk } from '../../main/app/import.ts';
import { openedStore, temporaryFolder } from '../support/store-parts.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => { rmSync(folder, { recursive: true }); });
  const file = join(folder, 'document.json');
  writeFileSync(file, text);
  return file;
}

async function deskOver(file: string | null) {
  const store = await openedStore(temporaryFolder());
  return { store, desk: createDocumentDesk({ documents: store.documents, choose: () => Promise.resolve(file) }) };
}
const token = '00000000-0000-4000-8000-000000000000';

it('shows what a file would change, changes nothing before it is told to, and takes it over once', async () => {
  const { store, desk } = await deskOver(fileWith('\uFEFF{"holdfast":1,"settings":{"gateway.retry_wait_secs":9}}'));
  const opened = await desk.open();
  if (opened.kind !== 'ready') throw new Error(opened.kind);
  expect(opened).toMatchObject({ file: 'document.json', preview: { settings: { changed: 1 } } });
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(120);
  expect(await desk.apply(opened.token)).toMatchObject({ kind: 'applied', backup: expect.stringMatching(/^configuration-.*-before\.json$/) as string });
  expect(store.config.settings()['gateway.retry_wait_secs']).toBe(9);
  expect(await desk.apply(opened.token)).toEqual({ kind: 'gone' });
});

it('names the faults that the store finds, and keeps nothing of a refused document', async () => {
  const { desk } = await deskOver(fileWith('{"holdfast":1,"upstreams":[{"id":"a"}]}'));
  expect(await desk.open()).toMatchObject({ kind: 'refused', file: 'document.json', faults: expect.arrayContaining([expect.objectContaining({ path: 'upstreams[0].name', code: 'missing' })]) as unknown });
});

it('refuses what is no JSON, is not there, or is far too large', async () => {
  expect(await (await deskOver(fileWith('{"holdfast":'))).desk.open()).toMatchObject({ kind: 'refused', faults: [{ path: '', code: 'not_json' }] });
  expect(await (await deskOver('/nowhere/at-all.json')).desk.open()).toMatchObject({ kind: 'refused', file: 'at-all.json', faults: [{ code: 'file_unreadable' }] });
  const large = fileWith('');
  truncateSync(large, 17 * 1024 * 1024);
  expect(await (await deskOver(large)).desk.open()).toMatchObject({ kind: 'refused', faults: [{ code: 'file_too_large', values: { mib: 16 } }] });
});

it('asks for the password of a document with secrets, as often as it takes, and does without where the user wants to', async () => {
  const { store } = await deskOver(null);
  await store.importDocument({ holdfast: 1, upstreams: [{ id: 'a', name: 'A', preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['chat'], credential: { kind: 'stored', value: 'sk-of-the-file-1234' } }] });
  const file = fileWith((await store.documents.export('correct horse')).text);
  const { store: there, desk } = await deskOver(file);
  const opened = await desk.open();
  if (opened.kind !== 'locked') throw new Error(opened.kind);
  expect(opened.preview.needSecret).toEqual(['A']);
  expect(await desk.unlock(opened.token, 'wrong horse')).toEqual({ kind: 'wrong_password' });
  expect(await desk.unlock(token, 'correct horse')).toEqual({ kind: 'gone' });
  expect(await desk.unlock(opened.token, 'correct horse')).toMatchObject({ kind: 'ready', token: opened.token, preview: { needSecret: [] } });
  expect(await desk.apply(opened.token)).toMatchObject({ kind: 'applied' });
  expect(there.credentials.of(there.config.upstream('a')!)).toEqual({ kind: 'secret', value: 'sk-of-the-file-1234' });
});

it('lets go of a document that is put away, and of one when another is opened', async () => {
  const { desk } = await deskOver(fileWith('{"holdfast":1}'));
  const first = await desk.open();
  const second = await desk.open();
  if (first.kind !== 'ready' || second.kind !== 'ready') throw new Error('not ready');
  expect(await desk.apply(first.token)).toEqual({ kind: 'gone' });
  desk.forget(second.token);
  expect(await desk.apply(second.token)).toEqual({ kind: 'gone' });
});

it('opens a backup to replace what is there, and says when it is gone', async () => {
  const { store, desk } = await deskOver(null);
  await store.documents.backups.make();
  const [backup] = await store.documents.backups.list();
  expect(await desk.openBackup(backup!.name)).toMatchObject({ kind: 'ready', preview: { mode: 'replace' } });
  expect(await desk.openBackup('configuration-2020-01-01T00-00-00.000Z.json')).toMatchObject({ kind: 'refused', faults: [{ code: 'gone' }] });
  expect(await desk.open()).toEqual({ kind: 'cancelled' });
});
