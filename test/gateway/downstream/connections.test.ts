import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { answerOk, drivenAnswer, NOTES, startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { endsProperly, parseResponse, rawClient, requestText } from './support/raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
const BODY = '{"model":"m"}';
let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

const HEAD = 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nx-api-key: hf-test\r\ncontent-type: application/json\r\n';
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';

describe('requests that two readers could take for different ones', () => {
  it.each([
    ['a length and chunks', `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks and a length', `transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['two lengths', `content-length: 13\r\ncontent-length: 14\r\n\r\n${BODY}${SMUGGLED}`],
    ['a list of lengths', `content-length: 13, 14\r\n\r\n${BODY}${SMUGGLED}`],
    ['a length with a sign', `content-length: +13\r\n\r\n${BODY}${SMUGGLED}`],
    ['a negative length', `content-length: -1\r\n\r\n${BODY}${SMUGGLED}`],
    ['a length in hex', `content-length: 0x0d\r\n\r\n${BODY}${SMUGGLED}`],
    ['chunks under another name', `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks twice, the second hidden', `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', `content-length : 13\r\n\r\n${BODY}${SMUGGLED}`],
    ['a folded header', `x-a: b\r\n content-length: 13\r\ncontent-length: 0\r\n\r\n${SMUGGLED}`],
    ['a bare CR in a header', `x-a: b\rcontent-length: 13\r\n\r\n${SMUGGLED}`],
    ['a NUL in a header', `x-a: b\u0000c\r\n\r\n${SMUGGLED}`],
    ['a chunk size that is none', `transfer-encoding: chunked\r\n\r\n0x5\r\n{"a":\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk longer than it says', `transfer-encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n${SMUGGLED}`],
  ])('get 400 and no second reading: %s', async (_name, rest) => { // SPEC 1.6, 15
    const client = await rawClient(harness.port);
    client.send(HEAD + rest);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).not.toContain('"status":"ok"');
    expect(parseResponse(text).headers.connection).toBe('close');
    expect(JSON.parse(parseResponse(text).body)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', message: '[Holdfast] The request is not valid HTTP.' } });
    expect(harness.runs).toHaveLength(0);
  });

  it.each(['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 'hello\r\n\r\n', '{"model":"m"}\r\n\r\n', 'GET /healthz HTTP/3.0\r\n\r\n'])('garbage gets 400 and the connection ends: %j', async (bytes) => { // SPEC 15
    const client = await rawClient(harness.port);
    client.send(bytes);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await harness.ask(requestText('GET /healthz'))).toMatchObject({ status: 200 });
  });
});

describe('heads', () => {
  it('of 20 KB come in, of more than 64 KiB get 431 in words', async () => { // SPEC 1.1
    expect((await harness.ask(requestText('POST /v1/messages', { ...KEY, 'x-big': 'b'.repeat(20_000) }, BODY))).status).toBe(200);
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { ...KEY, 'x-big': 'b'.repeat(70_000) }, BODY));
    const answer = parseResponse(await client.closed());
    expect(answer).toMatchObject({ status: 431, body: expect.stringContaining('64 KiB') as string });
  });

  it('that are too slow get 408 and the connection ends', async () => { // SPEC 1.1
    const slow = await startHarness(answerOk, {}, { headTimeoutMs: 50 });
    const client = await rawClient(slow.port);
    client.send('POST /v1/messages HTTP/1.1\r\nhost: loc');
    expect(parseResponse(await client.closed()).status).toBe(408);
    await slow.endpoint.close();
  });

  it('of pipelined requests are answered in order', async () => { // SPEC 1.1
    const gates: (() => void)[] = [];
    harness.script = async (run) => {
      await new Promise<void>((resolve) => { gates.push(resolve); });
      await answerOk(run);
    };
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', KEY, BODY) + requestText('POST /v1/chat/completions', KEY, BODY));
    await harness.whenRuns(2);
    gates[1]?.();
    await harness.clock.advance(0);
    expect(client.text()).toBe('');
    gates[0]?.();
    await client.seen('{"ok":true}HTTP/1.1 200 OK');
    client.reset();
  });

  it('of HTTP/1.0 are answered without chunks', async () => { // SPEC 15
    const client = await rawClient(harness.port);
    client.send('GET /healthz HTTP/1.0\r\nhost: localhost\r\n\r\n');
    expect(parseResponse(await client.closed())).toMatchObject({ status: 200, body: '{"status":"ok","version":"9.9.9"}' });
  });
});

describe('connections', () => {
  it('live on between requests and end when asked to', async () => { // SPEC 1.1
    const client = await rawClient(harness.port);
    for (let count = 1; count <= 3; count++) {
      client.send(requestText('POST /v1/messages', KEY, BODY));
      await harness.whenRuns(count);
      await client.seen('{"ok":true}');
    }
    expect(parseResponse(client.text()).headers['keep-alive']).toBe('timeout=75');
    client.send(requestText('POST /v1/messages', { ...KEY, connection: 'close' }, BODY));
    await client.closed();
    expect(client.text().match(/\{"ok":true\}/g)).toHaveLength(4);
  });

  it('break while a body is read without harm', async () => { // SPEC 15
    const client = await rawClient(harness.port);
    client.send(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"mod\r\nnot a size\r\n`);
    expect(parseResponse(await client.closed())).toMatchObject({ status: 400, body: expect.stringContaining('"type":"error"') as string });
    expect(harness.runs).toHaveLength(0);
  });

  it('that turn to garbage behind a running answer are cut, and the client is gone', async () => { // SPEC 15
    harness.script = ({ reply }) => new Promise((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); });
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', KEY, BODY));
    const { reply } = await harness.whenRuns(1);
    client.send('garbage\r\n\r\n');
    await client.closed();
    await new Promise<void>((resolve) => {
      if (reply.gone.aborted) resolve();
      else reply.gone.addEventListener('abort', () => { resolve(); });
    });
  });

  it('that turn to garbage behind an answer that has begun get nothing put into it', async () => { // SPEC 10.3
    const answer = drivenAnswer();
    harness.script = async ({ reply }) => {
      reply.gone.addEventListener('abort', () => { answer.end({ end: 'gone' }); });
      await reply.send(answer.opened, NOTES);
    };
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', KEY, '{"model":"m","stream":true}'));
    await harness.whenRuns(1);
    answer.write('data: 1\n\n');
    await client.seen('data: 1\n\n');
    client.send('garbage\r\n\r\n');
    const text = await client.closed();
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(endsProperly(text)).toBe(false);
  });

  it('that turn to garbage behind a waiting request get nothing put into the answer ahead of it', async () => { // SPEC 10.3
    const answer = drivenAnswer();
    harness.script = async ({ arrival, reply }) => {
      const gone = new Promise<void>((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); });
      if (!arrival.streamed) return gone;
      void gone.then(() => { answer.end({ end: 'gone' }); });
      await reply.send(answer.opened, NOTES);
    };
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', KEY, '{"model":"m","stream":true}'));
    await harness.whenRuns(1);
    answer.write('data: 1\n\n');
    await client.seen('data: 1\n\n');
    client.send(requestText('POST /v1/messages', KEY, BODY));
    await harness.whenRuns(2);
    client.send('garbage\r\n\r\n');
    const text = await client.closed();
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(endsProperly(text)).toBe(false);
  });

  it('leave no timer and no listener behind after 2,000 exchanges, some of them left in the middle', async () => { // law 10
    harness.script = (run) => (run.arrival.path.includes('leave') ? new Promise((resolve) => { run.reply.gone.addEventListener('abort', () => { resolve(); }); }) : answerOk(run));
    const sockets: Socket[] = [];
    const note = (message: unknown): void => { sockets.push((message as { socket: Socket }).socket); };
    subscribe('http.server.request.start', note);
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', KEY, BODY));
    await client.seen('{"ok":true}');
    const [socket] = sockets;
    await harness.clock.advance(0);
    const listeners = (): unknown => ['end', 'close', 'error', 'drain', 'data'].map((name) => socket?.listenerCount(name));
    const before = listeners();
    for (let round = 1; round <= 200; round++) {
      harness.runs.length = 0;
      client.send(requestText('POST /v1/messages', KEY, '{"model":"m","stream":true}').repeat(9));
      const leaver = await rawClient(harness.port);
      leaver.send(requestText('POST /v1/messages?leave', KEY, '{"model":"m","stream":true}'));
      await harness.whenRuns(10);
      const left = harness.runs.find(({ arrival }) => arrival.path.includes('leave'));
      leaver.reset();
      await new Promise<void>((resolve) => {
        if (left === undefined || left.reply.gone.aborted) resolve();
        else left.reply.gone.addEventListener('abort', () => { resolve(); });
      });
    }
    await harness.clock.advance(0);
    await harness.clock.whenWaits((waits) => waits.length === 0);
    unsubscribe('http.server.request.start', note);
    expect(sockets).toHaveLength(2_001);
    expect(socket).toBeDefined();
    expect(listeners()).toEqual(before);
    expect(harness.logged).toEqual([]);
    client.reset();
  });
});
