import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/store-parts.ts';
import { startHeadless } from './headless-process.ts';

const rowsOf = (dataDir: string): Record<string, unknown>[] => query(dataDir, 'SELECT * FROM gateway_logs ORDER BY started_at, id') as Record<string, unknown>[];
function query(dataDir: string, sql: string): unknown[] {
  const db = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** An upstream that leaves every answer to the test. */
async function upstream() {
  const waiting: ServerResponse[] = [];
  let came = (): void => undefined;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      waiting.push(response);
      came();
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: () => new Promise<ServerResponse>((resolve) => {
      came = () => { const response = waiting.shift(); if (response !== undefined) resolve(response); };
      came();
    }),
  };
}

function documentFile(folder: string, upstreamUrl: string, settings: object = {}): string {
  const file = join(folder, 'import.json');
  writeFileSync(file, JSON.stringify({
    holdfast: 1, settings,
    upstreams: [{ id: 'a', name: 'A', preset: 'generic', base_url: upstreamUrl, formats: ['chat'], credential: { kind: 'stored', value: 'sk-test' }, proxy: 'none' }],
    keys: [{ name: 'test', key: 'hf-test' }],
  }));
  return file;
}

const ask = (url: string, key: string, model: string, stream = false): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model, stream, messages: [] }) });

const chunk = (delta: object, finish: string | null = null): string => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

// SPEC 18.1
test('when it listens it says so in the one line of its stdout, with an address and a key that work, and ends with 0 when told to stop', async () => {
  const dataDir = join(temporaryFolder(), 'new', 'folder');
  const gateway = startHeadless(['--data-dir', dataDir, '--port', '0']);
  const line = await gateway.listening;
  expect(line).toEqual({ event: 'listening', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), key: expect.stringMatching(/^hf-[A-Za-z0-9_-]{43}$/) });
  expect(await (await fetch(`${line.url}/healthz`)).json()).toMatchObject({ status: 'ok', version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version });
  expect((await ask(line.url, 'hf-wrong', 'demo/ok')).status).toBe(401);
  const answer = await ask(line.url, line.key, 'demo/ok');
  expect(answer.status).toBe(200);
  await answer.text();
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(gateway.stdout().trimEnd().split('\n')).toHaveLength(1);
  expect(gateway.stderr()).not.toContain(line.key);
  expect(rowsOf(dataDir)).toMatchObject([{ state: 'done', outcome: 'refused' }, { state: 'done', outcome: 'success', key_name: 'default', model_asked: 'demo/ok', upstream: 'Demo', status: 200, retries: 0 }]);
});

test('a document is taken over before it listens, and its upstream takes the place of the demo', async () => {
  const folder = temporaryFolder();
  const real = await upstream();
  const gateway = startHeadless(['--data-dir', folder, '--import', documentFile(folder, real.url, { 'gateway.port': 0, 'gateway.retry_wait_secs': 5 })]);
  const { url } = await gateway.listening;
  const answer = ask(url, 'hf-test', 'any-model');
  const incoming = await real.next();
  expect(incoming.req.headers['authorization']).toBe('Bearer sk-test');
  incoming.writeHead(200, { 'content-type': 'application/json' });
  incoming.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] }));
  expect((await answer).status).toBe(200);
  const models = await (await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer hf-test' } })).text();
  expect(models).not.toContain('demo');
  gateway.signal('SIGINT');
  expect(await gateway.ended).toBe(0);
  expect(query(folder, `SELECT value FROM settings WHERE key = 'gateway.retry_wait_secs'`)).toEqual([{ value: '5' }]);
});

// SPEC 18.1
test('a second process on the same data folder is refused with 3 and words, and the first goes on', async () => {
  const dataDir = temporaryFolder();
  const first = startHeadless(['--data-dir', dataDir, '--port', '0']);
  const { url } = await first.listening;
  const second = startHeadless(['--data-dir', dataDir, '--port', '0']);
  expect(await second.ended).toBe(3);
  expect(second.stderr()).toContain(`the data folder ${dataDir} is in use by another Holdfast`);
  expect(second.stdout()).toBe('');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('after kill -9 the next process takes the folder at once', async () => {
  const dataDir = temporaryFolder();
  const first = startHeadless(['--data-dir', dataDir, '--port', '0']);
  const { key } = await first.listening;
  first.signal('SIGKILL');
  await first.ended;
  expect((await startHeadless(['--data-dir', dataDir, '--port', '0']).listening).key).toBe(key);
});

// SPEC 18.1, 15
test('a port in use is told with 4, a free one offered, and the settings say what they said', async () => {
  const dataDir = temporaryFolder();
  const holder = createPlainServer();
  await new Promise<void>((resolve) => { holder.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { holder.close(); });
  const { port } = holder.address() as AddressInfo;
  const gateway = startHeadless(['--data-dir', dataDir, '--port', String(port)]);
  expect(await gateway.ended).toBe(4);
  expect(gateway.stderr()).toMatch(new RegExp(`port ${port} is in use.*port \\d+ is free`));
  expect(query(dataDir, `SELECT value FROM settings WHERE key = 'gateway.port'`)).toEqual([{ value: '4653' }]);
});

// SPEC 18.1
test('a bad document is told with 2 and every fault, and nothing of it is taken over', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'bad.json');
  writeFileSync(file, JSON.stringify({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 601, 'gateway.colour': 1 }, upstreams: [{ id: 'a' }], keys: [{ name: 'k', key: 'hf-good' }] }));
  const gateway = startHeadless(['--data-dir', folder, '--port', '0', '--import', file]);
  expect(await gateway.ended).toBe(2);
  for (const words of ['settings.gateway.retry_wait_secs: gateway.retry_wait_secs cannot be 601: allowed is 0 to 600', 'settings.gateway.colour: ', 'upstreams[0].base_url: is missing']) {
    expect(gateway.stderr()).toContain(words);
  }
  expect(gateway.stdout()).toBe('');
  expect(query(folder, 'SELECT name FROM gateway_keys')).toEqual([{ name: 'default' }]);
});

test('a document that is not there or no JSON is told with 2', async () => {
  const folder = temporaryFolder();
  const missing = startHeadless(['--data-dir', folder, '--import', join(folder, 'nowhere.json')]);
  expect(await missing.ended).toBe(2);
  expect(missing.stderr()).toContain('cannot be read');
  writeFileSync(join(folder, 'broken.json'), '{"holdfast": 1,');
  const broken = startHeadless(['--data-dir', folder, '--import', join(folder, 'broken.json')]);
  expect(await broken.ended).toBe(2);
  expect(broken.stderr()).toContain('not valid JSON');
});

// SPEC 15
test('a database from a newer version is told with 1 and what to do', async () => {
  const dataDir = temporaryFolder();
  const db = new Database(join(dataDir, 'holdfast.db'));
  db.pragma('user_version = 12');
  db.close();
  const gateway = startHeadless(['--data-dir', dataDir]);
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr()).toMatch(/written by a newer version.*nothing was changed/);
});

test('a data folder that cannot be written is told with 1 and the reason', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const gateway = startHeadless(['--data-dir', join(file, 'data')]);
  expect(await gateway.ended).toBe(1);
  expect(gateway.stderr()).toMatch(/cannot be written \(ENOTDIR/);
});

// SPEC 8.7
test('the environment stands above the settings without changing them, and what makes no sense is left out with one warning', async () => {
  const dataDir = temporaryFolder();
  const gateway = startHeadless([], { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0', HOLDFAST_RETRY_WAIT_SECS: '0', HOLDFAST_RETRY_MAX_ATTEMPTS: 'many' });
  const { url, key } = await gateway.listening;
  const answer = await ask(url, key, 'demo/flaky');
  expect(answer.status).toBe(503);
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(gateway.stderr().match(/HOLDFAST_RETRY_MAX_ATTEMPTS/g)).toHaveLength(1);
  expect(query(dataDir, `SELECT value FROM settings WHERE key = 'gateway.retry_wait_secs'`)).toEqual([{ value: '120' }]);
});

// SPEC 2.8
test('the demo that fails twice is answered after two retries, and the row says so', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'quick.json');
  writeFileSync(file, JSON.stringify({ holdfast: 1, settings: { 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { baseMs: 5, maxMs: 10 } } }));
  const gateway = startHeadless(['--data-dir', folder, '--port', '0', '--import', file]);
  const { url, key } = await gateway.listening;
  const answers = await Promise.all(['demo/flaky', 'demo/flaky', 'demo/overloaded-stream'].map((model) => ask(url, key, model, true)));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/\[DONE\]/);
  }
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(rowsOf(folder).map(({ outcome, retries, attempts }) => [outcome, retries, attempts])).toEqual([['success', 2, 3], ['success', 2, 3], ['success', 2, 3]]);
});

test('with --no-retry a failure comes straight back', async () => {
  const gateway = startHeadless(['--data-dir', temporaryFolder(), '--port', '0', '--no-retry']);
  const { url, key } = await gateway.listening;
  expect((await ask(url, key, 'demo/flaky')).status).toBe(503);
});

// SPEC 17
test('told to stop it takes no more, ends pauses at once, and lets a running answer come to its end', async () => {
  const folder = temporaryFolder();
  const real = await upstream();
  const gateway = startHeadless(['--data-dir', folder, '--port', '0', '--import', documentFile(folder, real.url)]);
  const { url } = await gateway.listening;
  const streaming = ask(url, 'hf-test', 'stream', true);
  const running = await real.next();
  running.writeHead(200, { 'content-type': 'text/event-stream' });
  running.write(chunk({ role: 'assistant', content: 'one ' }));
  const answer = await streaming;
  const pausing = ask(url, 'hf-test', 'pauses');
  const failing = await real.next();
  failing.writeHead(503, { 'content-type': 'application/json', 'retry-after': '60' });
  failing.end('{"error":{"message":"overloaded","type":"server_error"}}');
  gateway.signal('SIGTERM');
  expect((await pausing).status).toBe(503);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  running.end(`${chunk({ content: 'two' })}${chunk({}, 'stop')}data: [DONE]\n\n`);
  expect(await answer.text()).toContain('two');
  expect(await gateway.ended).toBe(0);
  expect(rowsOf(folder).map(({ model_asked, state, outcome, give_up }) => [model_asked, state, outcome, give_up])).toEqual([
    ['stream', 'done', 'success', null], ['pauses', 'done', 'failed', 'stopping'],
  ]);
});

// SPEC 17
test('a second signal ends at once, and the row of what was cut is written', async () => {
  const folder = temporaryFolder();
  const real = await upstream();
  const gateway = startHeadless(['--data-dir', folder, '--port', '0', '--import', documentFile(folder, real.url)]);
  const { url } = await gateway.listening;
  const waiting = ask(url, 'hf-test', 'hangs').then((response) => response.text(), () => 'cut');
  await real.next();
  gateway.signal('SIGTERM');
  await gateway.says('stopping');
  gateway.signal('SIGINT');
  expect(await gateway.ended).toBe(1);
  await waiting;
  const [row] = rowsOf(folder);
  expect(row).toMatchObject({ model_asked: 'hangs', state: 'done' });
});
