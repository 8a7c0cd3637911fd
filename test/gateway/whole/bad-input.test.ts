// SPEC 15 line by line, as a client meets it: the whole gateway with its store on disk. Each line: a clear message in the client's format, a row
// where the request was let in, the next request is fine, and nothing that is stored has changed.
// The lines of a start stand in test/store/opening.test.ts, test/headless/process.test.ts and test/e2e/{refused-start,port,window,data}.test.ts;
// settings and documents in test/unit/settings and test/store/import-*.test.ts; a full disk and a clock set back in test/store/{rows,bad-moments}.test.ts.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startGatewayHere, type GatewayHere } from '../../support/gateway-here.ts';
import type { Call } from '../../support/scripted-upstream.ts';

const WHOLE = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'well' }, finish_reason: 'stop' }] });
const JSON_TYPE = { 'content-type': 'application/json' };
const well = async (call: Call): Promise<void> => {
  await call.body;
  await call.answer(200, JSON_TYPE, WHOLE);
};
const CHAT = '{"model":"m-test","messages":[{"role":"user","content":"hi"}]}';

interface Asked { readonly method?: string; readonly path?: string; readonly key?: string | null; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

async function ask({ url, key: own }: GatewayHere, { method = 'POST', path = '/v1/chat/completions', key = own, body = CHAT, headers = {} }: Asked = {}) {
  const response = await fetch(`${url}${path}`, { method, ...(method === 'POST' && { body }), headers: { ...JSON_TYPE, ...(key !== null && { authorization: `Bearer ${key}` }), ...headers } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const messageOf = (text: string): string => (JSON.parse(text) as { error: { message: string } }).error.message;
const OFF = { 'gateway.retry_preset': 'off', 'gateway.breaker': { enabled: false } };

// What a client does wrong: [line of SPEC 15, request, status, words of the message]
const CLIENT: readonly [string, Asked, number, RegExp][] = [
  ['malformed JSON', { body: '{"model":' }, 400, /JSON/],
  ['too large', { body: JSON.stringify({ model: 'm-test', messages: 'x'.repeat(1_200_000) }) }, 413, /1 MiB|larger|large/],
  ['unknown path', { path: '/v1/chat/completion' }, 404, /\/v1\/chat\/completions/],
  ['wrong method', { method: 'GET' }, 405, /POST/],
  ['wrong key', { key: 'hf-wrong' }, 401, /not one of this Holdfast/],
  ['no key', { key: null }, 401, /No key/],
];

test.each(CLIENT)('%s: a clear message in the format of the client, and the next request is fine', async (line, request, status, words) => {
  const gateway = await startGatewayHere({ ...OFF, 'gateway.max_body_mb': 1 }, well);
  const answer = await ask(gateway, request);
  expect(answer.status).toBe(status);
  expect(messageOf(answer.text)).toMatch(words);
  expect(messageOf(answer.text)).toMatch(/^\[Holdfast\] /);
  if (line === 'wrong method') expect(answer.headers.get('allow')).toContain('POST');
  expect(gateway.upstream.calls).toHaveLength(0);
  expect(await ask(gateway)).toMatchObject({ status: 200, text: WHOLE });
});

test('unknown model: 404 in the format of the client that names what there is', async () => {
  const gateway = await startGatewayHere(OFF, well);
  // The scripted upstream takes any model, so a model list of its own stands before it.
  const answer = await ask(gateway, { path: '/v1/models/nobody-has-this', method: 'GET' });
  expect(answer.status).toBe(404);
  expect(answer.text).toContain('model_not_found');
});

test('bytes that are no HTTP get 400 and end their connection alone', async () => {
  const gateway = await startGatewayHere(OFF, well);
  const { port } = new URL(gateway.url);
  const seen = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => { socket.write('\u0016\u0003\u0001 hello\r\n\r\n'); });
    socket.on('data', (bytes: Buffer) => { text += bytes.toString('latin1'); });
    socket.on('close', () => { resolve(text); });
    socket.on('error', reject);
  });
  expect(seen).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask(gateway)).status).toBe(200);
});

// What an upstream does wrong: [line of SPEC 15, script, status, words]
const UPSTREAM: readonly [string, (call: Call) => void | Promise<void>, number, RegExp][] = [
  ['garbage', async (call) => { await call.body; await call.raw('\u0000\u0001 this is no HTTP at all\r\n\r\n'); call.fin(); }, 502, /Scripted/],
  ['garbage in JSON', async (call) => { await call.body; await call.answer(200, JSON_TYPE, '\u0000not json'); }, 502, /Scripted/],
  ['a page in place of an answer', async (call) => { await call.body; await call.answer(200, { 'content-type': 'text/html' }, '<html>Sign in</html>'); }, 502, /Sign in/],
  ['endless headers', async (call) => { await call.body; await call.raw('HTTP/1.1 200 OK\r\n'); for (let n = 0; n < 5_000; n++) void call.raw(`x-${n}: ${'v'.repeat(50)}\r\n`); }, 502, /Scripted/],
  ['a bad gzip', async (call) => { await call.body; await call.answer(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'this was never compressed'); }, 502, /Scripted/],
  ['a wrong content-length', async (call) => { await call.body; await call.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${WHOLE.length + 50}\r\n\r\n${WHOLE}`); call.fin(); }, 502, /Scripted/],
  ['nothing at all', async (call) => { await call.body; call.fin(); }, 502, /Scripted/],
  ['an empty answer', async (call) => { await call.body; await call.answer(200, JSON_TYPE, ''); }, 502, /Scripted/],
];

test.each(UPSTREAM)('an upstream that sends %s: a clear message that names it, a row that says why, and the next request is fine', async (_line, script, status, words) => {
  const gateway = await startGatewayHere(OFF, script, well);
  const answer = await ask(gateway);
  expect(answer.status).toBe(status);
  expect(messageOf(answer.text)).toMatch(/^\[Holdfast\] /);
  expect(messageOf(answer.text)).toMatch(words);
  expect(await ask(gateway)).toMatchObject({ status: 200, text: WHOLE });
  const rows = await gateway.ended(2);
  expect(rows.map(({ outcome, status: seen }) => [outcome, seen])).toEqual([['failed', status], ['success', 200]]);
  expect(rows[0]?.error_code).toBeTruthy();
  expect(rows[0]?.error_message).toBeTruthy();
});

test('an upstream that sends an event of 10 MiB: it goes through whole, or ends with an error, but never looks complete when it is not', async () => {
  const event = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: 'x'.repeat(10 * 1024 * 1024) } }] })}\n\n`;
  const gateway = await startGatewayHere(OFF, async (call) => {
    await call.body;
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(event);
    await call.write('data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    await call.end();
  }, well);
  const answer = await ask(gateway, { body: CHAT.replace('{', '{"stream":true,') });
  const [row] = await gateway.ended(1);
  if (answer.text.includes('[DONE]')) expect(answer.text.length).toBeGreaterThan(10 * 1024 * 1024);
  expect(answer.text.includes('[DONE]')).toBe(row?.outcome === 'success');
  expect((await ask(gateway)).status).toBe(200);
});
