import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamFailure } from '../../../shared/failure.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import type { SentEnding } from '../../../main/gateway/ports.ts';
import { drivenAnswer, NOTES, RELAYED, startHarness, wholeAnswer } from './support/harness.ts';
import type { DrivenAnswer, Harness, Run } from './support/harness.ts';
import { endsProperly, parseResponse, rawClient, requestText } from './support/raw-client.ts';
import type { RawClient } from './support/raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
const STREAM = '{"model":"m","stream":true}';
let harness: Harness;

beforeAll(async () => { harness = await startHarness(); });
afterAll(async () => {
  await harness.endpoint.close();
  expect(harness.clock.pending()).toBe(0);
});
beforeEach(() => {
  harness.settings = defaultSettings();
  harness.runs.length = harness.logged.length = 0;
});

const FORMATS = {
  anthropic: '/v1/messages', chat: '/v1/chat/completions', responses: '/v1/responses', gemini: '/v1beta/models/m:streamGenerateContent?alt=sse', array: '/v1beta/models/m:streamGenerateContent',
};

interface Session { readonly client: RawClient; readonly answer: DrivenAnswer; readonly run: Run; readonly ending: Promise<SentEnding>; readonly send: () => void }

/** A client that asked for a stream, and an answer that the test writes once it calls `send`. */
async function session(path: string, headers: Record<string, string> = {}, body = STREAM, answer = drivenAnswer()): Promise<Session> {
  let send: () => void = () => undefined;
  let settle: (ending: SentEnding) => void = () => undefined;
  const ending = new Promise<SentEnding>((resolve) => { settle = resolve; });
  const gate = new Promise<void>((resolve) => { send = resolve; });
  harness.script = async ({ reply }) => {
    await Promise.race([gate, new Promise((resolve) => { reply.gone.addEventListener('abort', resolve); })]);
    if (!reply.gone.aborted) settle(await reply.send(answer.opened, { ...NOTES, retries: 2 }));
  };
  const client = await rawClient(harness.port);
  client.send(requestText(`POST ${path}`, { ...KEY, ...headers }, body));
  const run = await harness.whenRuns(1);
  return { client, answer, run, ending, send };
}

async function sent(path: string, headers?: Record<string, string>, answer?: DrivenAnswer): Promise<Session> {
  const all = await session(path, headers, STREAM, answer);
  all.send();
  await all.client.seen('\r\n\r\n');
  return all;
}

/** Writes more than the buffers of two sockets hold; returns the bytes. */
function fill(answer: DrivenAnswer): number {
  const piece = Buffer.from(`data: ${'x'.repeat(65_000)}\n\n`);
  for (let written = 0; written < 500; written++) answer.write(piece);
  return 500 * piece.length;
}

const failure = (more: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  class: 'transient', code: 'stream_broken', upstreamId: 'a', status: 502, type: null, message: 'the connection broke', hintMs: null, where: 'after_content', sentWhole: true, ...more,
});

describe('streams', () => {
  it('carry the upstream\u2019s head, what makes proxies let them through, and the facts of the exchange', async () => { // SPEC 1.7, 6.2
    const { client, answer, ending } = await sent(FORMATS.anthropic, {}, drivenAnswer({ headers: [['content-type', 'text/event-stream'], ['request-id', 'r9'], ['x-a', '1'], ['x-a', '2'], ['x-bad', 'a\nb'], ['x b', 'c']] }));
    answer.write('event: a\ndata: 1\n\n');
    answer.end();
    expect(await ending).toMatchObject({ status: 200, bytes: 18, clientGone: false });
    const text = await client.seen('0\r\n\r\n');
    expect(text.split('\r\n').filter((line) => !/^(?:date|keep-alive|connection):/i.test(line)).join('|')).toBe(
      'HTTP/1.1 200 OK|content-type: text/event-stream|request-id: r9|x-a: 1|x-a: 2|cache-control: no-cache|x-accel-buffering: no|x-holdfast-request-id: req-1|x-holdfast-upstream: A'
      + '|x-holdfast-retries: 2|Transfer-Encoding: chunked||12|event: a\ndata: 1\n\n|0||');
    client.reset();
  });

  it('keep the cache headers that the upstream sends', async () => { // SPEC 6.2
    const { client, answer } = await sent(FORMATS.chat, {}, drivenAnswer({ headers: [['cache-control', 'no-store'], ['x-accel-buffering', 'yes']] }));
    answer.end();
    const { headers } = parseResponse(await client.seen('0\r\n\r\n'));
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'yes' });
    client.reset();
  });

  it('send the head at once when nothing is held', async () => { // SPEC 6.2
    const { client, answer } = await sent(FORMATS.chat);
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    answer.end();
    await client.seen('0\r\n\r\n');
    client.reset();
  });

  it('name an upstream in any script', async () => { // SPEC 1.7
    harness.script = async ({ reply }) => { await reply.send(wholeAnswer('{}'), { ...NOTES, upstreamName: '\u4e0a\u6e38' }); };
    expect((await harness.ask(requestText('POST /v1/messages', KEY, '{"model":"m"}'))).headers['x-holdfast-upstream']).toBe('%E4%B8%8A%E6%B8%B8');
  });

  it('wait for a slow client', async () => { // SPEC 6.5
    const { client, answer, ending } = await sent(FORMATS.chat);
    client.socket.pause();
    const bytes = fill(answer);
    let drained = false;
    const resumed = answer.whenDrained().then(() => { drained = true; });
    await harness.clock.advance(0);
    expect(drained).toBe(false);
    client.socket.resume();
    await resumed;
    answer.end();
    expect((await ending).bytes).toBe(bytes);
    await client.seen('\r\n0\r\n\r\n');
    client.reset();
  });
});

describe('the early head', () => {
  it.each([['anthropic', FORMATS.anthropic], ['chat', FORMATS.chat], ['responses', FORMATS.responses]])('comes to %s clients after 15 s of silence with a comment, and a comment after every 15 s more', async (_name, path) => { // SPEC 6.2, 6.3
    const { client, answer, send } = await session(path);
    await harness.clock.advance(14_999);
    expect(client.text()).toBe('');
    await harness.clock.advance(1);
    const head = await client.seen(': keep-alive\n\n');
    expect(parseResponse(head)).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no', 'x-holdfast-request-id': expect.any(String) as string }, body: ': keep-alive\n\n' });
    expect(parseResponse(head).headers['x-holdfast-retries']).toBeUndefined();
    await harness.clock.advance(15_000);
    await client.seen('\r\n: keep-alive\n\n\r\ne\r\n: keep-alive\n\n\r\n');
    send();
    await harness.clock.advance(0);
    answer.write('data: 1\n\n');
    answer.end();
    const whole = await client.seen('0\r\n\r\n');
    expect(parseResponse(whole).body).toBe(': keep-alive\n\n: keep-alive\n\ndata: 1\n\n');
    client.reset();
  });

  it('comes after the time in the settings', async () => { // SPEC 6.2
    harness.settings = { ...harness.settings, 'gateway.keepalive_secs': 5 };
    const { client } = await session(FORMATS.chat);
    await harness.clock.advance(5_000);
    await client.seen(': keep-alive\n\n');
    client.reset();
  });

  it.each([
    ['anthropic', FORMATS.anthropic, {}, ': keep-alive\n\nevent: ping\ndata: {"type":"ping"}\n\n'],
    ['Codex', FORMATS.responses, { 'user-agent': 'codex_exec/0.169.0' }, ': keep-alive\n\nevent: keepalive\ndata: {"type":"keepalive"}\n\n'],
    ['Codex by originator', FORMATS.responses, { originator: 'codex_vscode' }, ': keep-alive\n\nevent: keepalive\ndata: {"type":"keepalive"}\n\n'],
    ['other Responses clients', FORMATS.responses, {}, ': keep-alive\n\n'],
    ['chat', FORMATS.chat, {}, ': keep-alive\n\n'],
  ])('is followed by data events after 120 s for %s', async (_name, path, headers, late) => { // SPEC 6.3
    const { client } = await session(path, headers);
    await harness.clock.advance(119_999);
    await client.seen(': keep-alive\n\n');
    expect(parseResponse(client.text()).body).toBe(': keep-alive\n\n'.repeat(7));
    await harness.clock.advance(1);
    await client.seen(late);
    await harness.clock.advance(15_000);
    await client.seen(`${late}\r\n`);
    const { body } = parseResponse(client.text());
    expect(body.slice(7 * 14)).toBe(late.repeat(2));
    client.reset();
  });

  it('comes to Gemini clients alone, and only a chunk with empty text follows after 120 s', async () => { // SPEC 6.3
    const { client } = await session(FORMATS.gemini);
    await harness.clock.advance(15_000);
    await client.seen('\r\n\r\n');
    await harness.clock.advance(104_999);
    expect(parseResponse(client.text())).toMatchObject({ status: 200, body: '' });
    await harness.clock.advance(1);
    await client.seen('"parts"');
    expect(parseResponse(client.text()).body).toBe('data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\r\n\r\n');
    client.reset();
  });

  it.each([['a Gemini array', FORMATS.array, STREAM], ['a whole answer', FORMATS.anthropic, '{"model":"m"}'], ['token counting', '/v1/messages/count_tokens', STREAM]])('never comes to a client that waits for %s', async (_name, path, body) => { // SPEC 6.2
    const { client, run } = await session(path, {}, body);
    await harness.clock.advance(600_000);
    expect(client.text()).toBe('');
    expect(harness.clock.pending()).toBe(0);
    client.reset();
    await new Promise((resolve) => { run.reply.gone.addEventListener('abort', resolve); });
  });

  it('turns a whole answer that comes after it into an error event', async () => { // SPEC 4.9
    const answer = drivenAnswer({ stream: false, whole: Buffer.from('{}'), headers: [['content-type', 'application/json']] });
    const { client, ending, send } = await session(FORMATS.anthropic, {}, STREAM, answer);
    await harness.clock.advance(15_000);
    send();
    await harness.clock.advance(0);
    answer.write('{}');
    answer.end();
    expect(await ending).toMatchObject({ status: 200, relayed: { end: 'error_event' } });
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toMatch(/^: keep-alive\n\nevent: error\ndata: \{"type":"error".*\n\n$/);
    client.reset();
  });
});

describe('keep-alives while a stream flows', () => {
  it('are comments between opening events, and stop at the first content for all but anthropic', async () => { // SPEC 6.3
    const { client, answer } = await sent(FORMATS.chat);
    answer.write('data: {"o":1}\n\n', { content: false });
    await harness.clock.advance(15_000);
    await client.seen(': keep-alive\n\n');
    answer.write('data: {"c":1}\n\n');
    await harness.clock.advance(600_000);
    answer.end();
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toBe('data: {"o":1}\n\n: keep-alive\n\ndata: {"c":1}\n\n');
    client.reset();
  });

  it('are pings for anthropic clients after 15 s of silence, never inside an event nor after the last one', async () => { // SPEC 6.3
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    const { client, answer, ending } = await sent(FORMATS.anthropic);
    answer.write('data: 1\n\n');
    await harness.clock.advance(14_000);
    answer.write('data: 2\n\n');
    await harness.clock.advance(14_999);
    expect(client.text()).not.toContain('ping');
    await harness.clock.advance(1);
    await client.seen(ping);
    await harness.clock.advance(15_000);
    await client.seen(`${ping}\r\n23\r\n${ping}`);
    answer.write('data: half', { boundary: false });
    await harness.clock.advance(60_000);
    answer.write(' done\n\n');
    answer.write('data: end\n\n', { terminal: true });
    await harness.clock.advance(60_000);
    answer.end();
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toBe(`data: 1\n\ndata: 2\n\n${ping}${ping}data: half done\n\ndata: end\n\n`);
    // Keep-alives are not counted as answer bytes (SPEC 6.4).
    expect((await ending).bytes).toBe('data: 1\n\ndata: 2\n\ndata: half done\n\ndata: end\n\n'.length);
    client.reset();
  });

  it('are not written on top of bytes that the client has not read', async () => { // SPEC 6.3
    const { client, answer, ending } = await sent(FORMATS.anthropic);
    client.socket.pause();
    const bytes = fill(answer);
    await harness.clock.advance(120_000);
    client.socket.resume();
    await answer.whenDrained();
    answer.end();
    expect((await ending).bytes).toBe(bytes);
    await client.seen('\r\n0\r\n\r\n');
    expect(client.text().includes('ping')).toBe(false);
    client.reset();
  });
});

describe('cut answers', () => {
  it.each([
    ['anthropic', FORMATS.anthropic, /^data: 1\n\nevent: error\ndata: (\{.*\})\n\n$/, { type: 'error', error: { type: 'api_error', message: '[Holdfast] A broke off in the middle of its answer: the connection broke' } }],
    ['chat', FORMATS.chat, /^data: 1\n\ndata: (\{.*\})\n\n$/, { error: { type: 'server_error', code: 'stream_broken' } }],
    ['responses', FORMATS.responses, /^data: 1\n\nevent: response\.failed\ndata: (\{.*\})\n\n$/, { type: 'response.failed', sequence_number: 8, response: { id: 'resp_1', status: 'failed', model: 'm-real', created_at: 1_795_996_801 } }],
    ['gemini', FORMATS.gemini, /^data: 1\n\ndata: (\{.*\})\r\n\r\n$/, { error: { code: 502 } }],
  ])('end with an error event of the format %s, and with no end mark', async (name, path, shape, error) => { // SPEC 10.3
    const { client, answer, ending } = await sent(path);
    answer.write('data: 1\n\n');
    answer.end({ end: 'cut', failure: failure(), position: { events: 1, sequence: 7, responseId: 'resp_1', model: 'm-real' } });
    expect(await ending).toMatchObject({ status: 200, clientGone: false });
    const text = await client.seen('0\r\n\r\n');
    const body = parseResponse(text).body;
    expect(body).toMatch(shape);
    expect(JSON.parse(shape.exec(body)?.[1] ?? '')).toMatchObject(name === 'responses' ? { ...error, response: { ...(error as { response: object }).response, created_at: expect.any(Number) as number } } : error);
    expect(text).not.toContain('invalid_request');
    expect(text).not.toContain('[DONE]');
    if (name === 'responses') await client.closed();
    client.reset();
  });

  it('of a Gemini array stay JSON and end with the error', async () => { // SPEC 10.3
    const { client, answer } = await sent(FORMATS.array, {}, drivenAnswer({ headers: [['content-type', 'application/json']] }));
    answer.write('[{"a":1}');
    answer.end({ end: 'cut', failure: failure({ class: 'timeout', code: 'timeout.idle' }), position: { events: 1, sequence: null, responseId: null, model: null } });
    expect(JSON.parse(parseResponse(await client.seen('0\r\n\r\n')).body)).toMatchObject([{ a: 1 }, { error: { code: 504, status: 'DEADLINE_EXCEEDED' } }]);
    client.reset();
  });

  it('that stop inside an event end without the end of the response', async () => { // SPEC 10.3
    const { client, answer, ending } = await sent(FORMATS.chat);
    answer.write('data: 1\n\ndata: {"half', { boundary: false });
    await client.seen('half');
    answer.end({ end: 'cut', failure: failure() });
    expect(await ending).toMatchObject({ status: 200, clientGone: false });
    expect(endsProperly(await client.closed())).toBe(false);
  });

  it.each([[[['content-type', 'application/json'], ['content-length', '100']] as const], [[['content-type', 'application/json']] as const]])('that are whole answers destroy the connection: %j', async (headers) => { // SPEC 10.3
    const answer = drivenAnswer({ stream: false, headers });
    const { client, ending, send } = await session(FORMATS.chat, {}, '{"model":"m"}', answer);
    send();
    await harness.clock.advance(0);
    answer.write('{"half":', { boundary: false });
    await client.seen('{"half":');
    answer.end({ end: 'cut', failure: failure() });
    expect(await ending).toMatchObject({ status: 200, bytes: 8, clientGone: false });
    expect(endsProperly(await client.closed())).toBe(false);
  });

  it('with the upstream\u2019s own error event get nothing of ours', async () => { // SPEC 10.3
    const { client, answer, ending } = await sent(FORMATS.responses);
    answer.write('data: 1\n\nevent: error\ndata: {"type":"error"}\n\n');
    answer.end({ end: 'error_event', failure: failure({ code: 'server_error' }) });
    expect(await ending).toMatchObject({ status: 200, relayed: { end: 'error_event' } });
    const text = await client.closed();
    expect(endsProperly(text)).toBe(true);
    expect(parseResponse(text).body).toBe('data: 1\n\nevent: error\ndata: {"type":"error"}\n\n');
  });

  it('with an error in a Gemini array get its bracket and no second one', async () => { // SPEC 10.3
    for (const tail of ['', ' \n]', ']']) {
      harness.runs.length = 0;
      const { client, answer } = await sent(FORMATS.array, {}, drivenAnswer({ headers: [] }));
      answer.write('[{"a":1},{"error":{"code":503}}');
      if (tail !== '') answer.write(tail);
      answer.end({ end: 'error_event', failure: failure() });
      expect(JSON.parse(parseResponse(await client.seen('\r\n0\r\n\r\n')).body)).toEqual([{ a: 1 }, { error: { code: 503 } }]);
      client.reset();
    }
  });

  it('that the gateway ends itself say so', async () => { // SPEC 17
    const { client, answer } = await sent(FORMATS.anthropic);
    answer.write('data: 1\n\n');
    answer.end({ ...RELAYED, end: 'gone' });
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toContain('"message":"[Holdfast] The gateway ended this answer');
    client.reset();
  });
});

describe('a client that leaves', () => {
  it.each(['reset', 'close', 'half-close'])('by %s is gone at once: waiting, relaying, blocked', async (way) => { // SPEC 1.1, 3
    const leave = (client: RawClient): void => {
      if (way === 'reset') client.reset();
      else if (way === 'close') client.socket.destroy();
      else client.socket.end();
    };
    const gone = (run: Run): Promise<void> => new Promise((resolve) => {
      if (run.reply.gone.aborted) resolve();
      else run.reply.gone.addEventListener('abort', () => { resolve(); });
    });
    const waiting = await session(FORMATS.anthropic);
    leave(waiting.client);
    await gone(waiting.run);
    harness.runs.length = 0;
    const relaying = await sent(FORMATS.anthropic);
    relaying.answer.write('data: 1\n\n');
    leave(relaying.client);
    await gone(relaying.run);
    expect(relaying.answer.write('data: 2\n\n')).toBe(true);
    relaying.answer.end({ end: 'gone' });
    expect(await relaying.ending).toMatchObject({ status: 499, clientGone: true, bytes: 9 });
    harness.runs.length = 0;
    const blocked = await sent(FORMATS.chat);
    blocked.client.socket.pause();
    fill(blocked.answer);
    leave(blocked.client);
    await gone(blocked.run);
    blocked.answer.end({ end: 'gone' });
    expect(await blocked.ending).toMatchObject({ status: 499, clientGone: true });
    expect(harness.clock.pending()).toBe(0);
  });

  it('behind a pipelined request is seen, too', async () => { // SPEC 1.1
    harness.script = ({ reply }) => new Promise((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); });
    const client = await rawClient(harness.port);
    client.send(requestText(`POST ${FORMATS.chat}`, KEY, STREAM).repeat(3));
    await harness.whenRuns(3);
    client.reset();
    await Promise.all(harness.runs.map(({ reply }) => new Promise<void>((resolve) => {
      if (reply.gone.aborted) resolve();
      else reply.gone.addEventListener('abort', () => { resolve(); });
    })));
  });

  it('after its answer has left nothing to end', async () => { // SPEC 12.1
    const client = await rawClient(harness.port);
    let ending: SentEnding | null = null;
    harness.script = async ({ reply }) => { ending = await reply.send(wholeAnswer('{"a":1}'), NOTES); };
    client.send(requestText(`POST ${FORMATS.chat}`, KEY, '{"model":"m"}'));
    await client.seen('{"a":1}');
    client.socket.end();
    await client.closed();
    expect(ending).toMatchObject({ status: 200, clientGone: false, bytes: 7 });
    expect(harness.runs[0]?.reply.gone.aborted).toBe(false);
  });
});
