import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { SeenBody, SeenContents } from '../../main/gateway/ports.ts';
import { createContentsWriter, removeOldBodies } from '../../main/store/writer/contents.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { MOST_KEPT_BYTES } from '../../shared/contents.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { openedStore, rowWith, temporaryFolder } from '../support/store-parts.ts';

const body = (text: string | Uint8Array, bytes?: number): SeenBody => {
  const kept = new Uint8Array(Buffer.from(text));
  return { bytes: bytes ?? kept.byteLength, kept };
};
const seen = (part: Partial<SeenContents> = {}): SeenContents => ({
  method: 'POST', requestHeaders: 'Host\n127.0.0.1\nAuthorization\nBearer abcdefgh\nX-Empty\n\n', answerHeaders: 'content-type\napplication/json\n', request: null, answer: null, ...part,
});

async function opened() {
  const dataDir = temporaryFolder();
  const store = await openedStore(dataDir);
  return {
    store, file: join(dataDir, 'holdfast.db'),
    keep: (id: string, contents: SeenContents, row: Partial<ExchangeRow> = {}) => {
      store.journal.note({ kind: 'finished', id, row: rowWith({ id, ...row }) });
      store.journal.keep(id, contents, 1_000);
    },
  };
}

// SPEC 12.4
test('contents come back as they were, with secrets masked, whatever the headers are', async () => {
  const { store, keep } = await opened();
  keep('a', seen({ request: body('{"model":"m","password":"abc"}'), answer: body('Größe 你好') }));
  keep('b', seen({ requestHeaders: '', answerHeaders: null, answer: body('') }));
  await store.flush();
  expect(await store.logs.contents('a')).toEqual({
    method: 'POST', requestHeaders: [['Host', '127.0.0.1'], ['Authorization', 'Bearer [masked]'], ['X-Empty', '']], answerHeaders: [['content-type', 'application/json']],
    request: { bytes: 30, text: '{"model":"m","password":"[masked]"}', cut: false }, answer: { bytes: 14, text: 'Größe 你好', cut: false },
  });
  expect(await store.logs.contents('b')).toEqual({ method: 'POST', requestHeaders: [], answerHeaders: null, request: null, answer: { bytes: 0, text: '', cut: false } });
  expect(await store.logs.contents('nobody')).toBeNull();
});

test('what is no text is told by its length alone', async () => {
  const { store, keep } = await opened();
  // The frames of Amazon's event streams.
  keep('zeros', seen({ answer: body(Uint8Array.from([0, 0, 0, 81, 0, 0, 0, 62, 65, 66, 67])) }));
  keep('bytes', seen({ answer: body(Uint8Array.from({ length: 200 }, (_, n) => 128 + (n % 100))) }));
  keep('one', seen({ answer: body(Buffer.concat([Buffer.from('x'.repeat(500)), Buffer.from([0xff]), Buffer.from('y')])) }));
  await store.flush();
  expect((await store.logs.contents('zeros'))?.answer).toEqual({ bytes: 11, text: null, cut: false });
  expect((await store.logs.contents('bytes'))?.answer).toEqual({ bytes: 200, text: null, cut: false });
  // One broken character does not take the others with it.
  expect((await store.logs.contents('one'))?.answer?.text).toBe(`${'x'.repeat(500)}\ufffdy`);
});

test('a cut body is marked, ends in a whole character, and is packed', async () => {
  const { store, keep, file } = await opened();
  const text = '€'.repeat(MOST_KEPT_BYTES);
  keep('a', seen({ request: body(Buffer.from(text).subarray(0, MOST_KEPT_BYTES), 3 * MOST_KEPT_BYTES) }));
  await store.flush();
  const kept = (await store.logs.contents('a'))?.request;
  expect(kept).toMatchObject({ bytes: 3 * MOST_KEPT_BYTES, cut: true });
  expect(kept?.text).toBe('€'.repeat(Math.floor(MOST_KEPT_BYTES / 3)));
  await store.close();
  expect(statSync(file).size).toBeLessThan(MOST_KEPT_BYTES + 64 * 1024);
});

// SPEC 12.5
test('the secrets of this installation are masked by their value, also one that was replaced a moment ago', async () => {
  const { store, keep } = await opened();
  const [key] = store.keys.list();
  const before = store.keys.valueOf(key?.id ?? '') ?? '';
  await store.keys.rotate(key?.id ?? '');
  const after = store.keys.valueOf(key?.id ?? '') ?? '';
  expect(before).not.toBe(after);
  keep('a', seen({ request: body(`x${before}y${after}z`) }));
  await store.flush();
  const { request } = (await store.logs.contents('a'))!;
  expect(request?.text).toBe('x[masked]y[masked]z');
});

test('a secret that the exchange itself names in a header is masked in its bodies, and in no others', async () => {
  const { store, keep } = await opened();
  keep('a', seen({ requestHeaders: 'Authorization\nBearer quiteplain\nCookie\na=crumbcrumb; b=x\n', answer: body('no such key: quiteplain, crumbcrumb') }));
  keep('b', seen({ requestHeaders: '', answer: body('no such key: quiteplain') }));
  await store.flush();
  expect((await store.logs.contents('a'))?.answer?.text).toBe('no such key: [masked], [masked]');
  expect((await store.logs.contents('b'))?.answer?.text).toBe('no such key: quiteplain');
});

test('a secret that a model speaks in several events is masked in each of them', async () => {
  const { store, keep } = await opened();
  const event = (text: string): string => `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', delta: { type: 'text_delta', text } })}\n\n`;
  const words = ['Your key is sk-', 'ant-api', '03-abc', 'defghijk', ', and that is "it".'];
  keep('a', seen({ answerHeaders: 'content-type\ntext/event-stream\n', answer: body(words.map(event).join('')) }));
  await store.flush();
  const text = (await store.logs.contents('a'))?.answer?.text ?? '';
  expect(text).toBe(['Your key is [masked]', '[masked]', '[masked]', '[masked]', ', and that is "it".'].map(event).join(''));
});

test('contents go with their row, and are not kept of one that is not there', async () => {
  const { store, keep, file } = await opened();
  keep('a', seen({ request: body('x') }), { started_at: 1 });
  keep('b', seen({ request: body('x') }));
  store.journal.keep('nobody', seen({ request: body('x') }), 1_000);
  await store.flush();
  const db = new Database(file);
  db.prepare('DELETE FROM gateway_logs WHERE id = ?').run('a');
  const ids = (table: string): unknown[] => db.prepare(`SELECT id FROM ${table}`).pluck().all();
  expect(ids('gateway_log_contents')).toEqual(['b']);
  expect(ids('gateway_log_bodies')).toEqual(['b']);
  db.close();
});

test('bodies have an age of their own and go in small steps, while headers stay', () => {
  const opening = openDatabase(temporaryFolder(), 0);
  if (opening.kind !== 'open') throw new Error(opening.kind);
  const { db } = opening;
  const writer = createContentsWriter(db);
  for (let n = 0; n < 60; n++) {
    db.prepare(`INSERT INTO gateway_logs (id, started_at, state, format, path, streamed, retries, attempts, failovers, detail) VALUES (?, ?, 'done', 'chat', '/', 0, 0, 0, 0, '{}')`).run(`r${n}`, n);
    writer.write({ id: `r${n}`, characters: 1, seen: seen({ request: body('x') }) });
  }
  const steps: number[] = [];
  for (let more = true; more;) {
    const step = removeOldBodies(db, 40);
    steps.push(step.removed);
    ({ more } = step);
  }
  expect(steps).toEqual([25, 15]);
  expect(db.prepare('SELECT count(*), min(started_at) FROM gateway_log_bodies').raw().get()).toEqual([20, 40]);
  expect(db.prepare('SELECT count(*) FROM gateway_log_contents').pluck().get()).toBe(60);
  db.close();
  opening.release();
});

test('the log can be cleared: of its bodies alone, or of all that has finished', async () => {
  const { store, keep } = await opened();
  for (let n = 0; n < 250; n++) keep(`r${n}`, seen({ request: body('x') }));
  store.journal.note({ kind: 'started', id: 'running', row: { ...rowWith({ id: 'running' }), state: 'in_flight', outcome: null, ended_at: null } });
  await store.flush();
  await store.logs.clear('bodies');
  expect(await store.logs.contents('r249')).toMatchObject({ method: 'POST', request: null });
  expect(await store.logs.get('r249')).not.toBeNull();
  await store.logs.clear('all');
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 500 })).rows.map((row) => row.id)).toEqual(['running']);
  expect(await store.logs.contents('r249')).toBeNull();
});

test('clearing reaches what is not written yet, and what a clock that was ahead has dated later than now', async () => {
  const { store, keep } = await opened();
  store.journal.note({ kind: 'finished', id: 'ahead', row: rowWith({ id: 'ahead', started_at: Date.now() + 86_400_000 }) });
  await store.flush();
  keep('unwritten', seen({ request: body('x') }));
  await store.logs.clear('all');
  await store.flush();
  expect((await store.logs.list({ view: 'requests', filter: {}, limit: 500 })).rows.map((row) => row.id)).toEqual([]);
  expect(await store.logs.contents('unwritten')).toBeNull();
});
