import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BODY_TIMEOUT_MS, readBody } from '../../../main/gateway/downstream/read-body.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from './support/raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
let harness: Harness;
sharedHarness({ 'gateway.max_body_mb': 1 }, (made) => { harness = made; });

const MIB = 1_048_576;
const bytesOf = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8');

async function send(body: Uint8Array, headers: Record<string, string>, path = '/v1/messages') {
  const client = await rawClient(harness.port);
  client.send(requestText(`POST ${path}`, { ...KEY, 'content-type': 'application/json', 'content-length': String(body.length), connection: 'close', ...headers }));
  client.send(body);
  return parseResponse(await client.closed());
}

describe('bodies', () => {
  it('are kept byte for byte, and only the model is another one', async () => { // SPEC 1.6
    const body = '{ "messages":[{"model":"x","t":"\u00fc\ud83d\ude00"}],\n\t"model" : "m\\u002dtest" , "stream":false,"n":1.0e2}';
    await harness.ask(requestText('POST /v1/messages?beta=true&beta=%20', KEY, body));
    const { arrival } = await harness.whenRuns(1);
    expect(arrival).toMatchObject({ model: 'm-test', streamed: false, bodyBytes: Buffer.byteLength(body), format: 'anthropic', operation: 'generate', method: 'POST' });
    expect(bytesOf(arrival.body(null))).toBe(body);
    expect(bytesOf(arrival.body('m-test'))).toBe(body);
    expect(bytesOf(arrival.body('other "m"'))).toBe(body.replace('"m\\u002dtest"', '"other \\"m\\""'));
    expect(arrival.target('other')).toBe('/v1/messages?beta=true&beta=%20');
  });

  it('that come in single bytes are the same', async () => { // SPEC 1.6
    const body = '{"model":"m","messages":[{"content":"\u4f60\u597d \ud83d\ude00"}],"stream":true}';
    const client = await rawClient(harness.port);
    client.socket.setNoDelay(true);
    client.send(requestText('POST /v1/messages', { ...KEY, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
    for (const byte of Buffer.from(body)) client.send(Buffer.concat([Buffer.from('1\r\n'), Uint8Array.of(byte), Buffer.from('\r\n')]));
    client.send('0\r\n\r\n');
    const { arrival } = await harness.whenRuns(1);
    expect(bytesOf(arrival.body(null))).toBe(body);
    expect(arrival.streamed).toBe(true);
    client.reset();
  });

  it('of Gemini have their model in the path', async () => { // SPEC 1.2
    const body = '{"model":"stays","contents":[]}';
    await harness.ask(requestText('POST /v1beta/models/a%2Fb:streamGenerateContent?alt=sse&key=hf-test&x=1', {}, body));
    const { arrival } = await harness.whenRuns(1);
    expect(arrival).toMatchObject({ model: 'a/b', streamed: true, framing: 'sse', format: 'gemini', path: '/v1beta/models/a%2Fb:streamGenerateContent?alt=sse&x=1' });
    expect(arrival.target(null)).toBe('/v1beta/models/a%2Fb:streamGenerateContent?alt=sse&x=1');
    expect(arrival.target('c/d e')).toBe('/v1beta/models/c%2Fd%20e:streamGenerateContent?alt=sse&x=1');
    expect(bytesOf(arrival.body('c'))).toBe(body);
  });

  const text = '{"model":"m-test","input":"hi","stream":true}';
  it.each([
    ['gzip', zlib.gzipSync(text)], ['x-gzip', zlib.gzipSync(text)], ['deflate', zlib.deflateSync(text)], ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)], ['zstd', zlib.zstdCompressSync(text)], ['GZIP', zlib.gzipSync(text)], ['identity', Buffer.from(text)],
  ])('in %s are decoded once', async (encoding, body) => { // SPEC 1.6
    expect((await send(body, { 'content-encoding': encoding }, '/v1/responses')).status).toBe(200);
    const { arrival } = await harness.whenRuns(1);
    expect(bytesOf(arrival.body(null))).toBe(text);
    expect(arrival).toMatchObject({ model: 'm-test', streamed: true, bodyBytes: text.length });
    expect(arrival.headers['content-encoding']).toBeUndefined();
    expect(arrival.clientHeaders['content-encoding']).toBeUndefined();
  });

  it('in an unknown encoding get 415, broken ones 400, and both name it', async () => { // SPEC 1.6
    expect(await send(Buffer.from(text), { 'content-encoding': 'compress' })).toMatchObject({ status: 415, body: expect.stringContaining('compress') as string });
    expect(await send(Buffer.from(text), { 'content-encoding': 'gzip, br' })).toMatchObject({ status: 415 });
    expect(await send(Buffer.from(text), { 'content-encoding': 'gzip' })).toMatchObject({ status: 400, body: expect.stringContaining('not valid gzip') as string });
    expect(await send(zlib.gzipSync(text).subarray(0, 20), { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 });
    expect(harness.runs).toHaveLength(0);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('that grow beyond the limit when %s is undone get 413', async (encoding) => { // SPEC 1.6
    const big = Buffer.alloc(10 * MIB, 0x20);
    const bomb = encoding === 'gzip' ? zlib.gzipSync(big) : encoding === 'deflate' ? zlib.deflateSync(big) : encoding === 'br' ? zlib.brotliCompressSync(big) : zlib.zstdCompressSync(big);
    expect((await send(bomb, { 'content-encoding': encoding })).status).toBe(413);
  });

  it('up to the limit come in, one byte more gets 413 after it was read', async () => { // SPEC 1.6
    const fill = (size: number) => Buffer.from(`{"model":"m","x":"${'A'.repeat(size - 20)}"}`);
    const exact = fill(MIB);
    expect(exact.length).toBe(MIB);
    expect((await send(exact, {})).status).toBe(200);
    const { arrival } = await harness.whenRuns(1);
    expect(createHash('sha256').update(bytesOf(arrival.body(null))).digest('hex')).toBe(createHash('sha256').update(exact).digest('hex'));
    const over = await send(Buffer.alloc(MIB + 1, 0x20), {});
    expect(over).toMatchObject({ status: 413, body: expect.stringContaining('1 MiB') as string });
    expect(JSON.parse(over.body)).toMatchObject({ type: 'error', error: { type: 'request_too_large' } });
  });

  it('in chunks beyond the limit get 413 and the connection lives on', async () => { // SPEC 1.6
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { ...KEY, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
    for (let sent = 0; sent < 40; sent++) client.send(Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')]));
    client.send('0\r\n\r\n');
    expect(await client.seen('request_too_large')).toMatch(/^HTTP\/1\.1 413/);
    client.send(requestText('GET /healthz'));
    await client.seen('"status":"ok"');
    client.reset();
  });

  it.each(['', '{', '{"model":"m"} x', 'model=m', '{"model":"m",}', "{'model':'m'}", '\u0000{}'])('that are no JSON get 400: %j', async (body) => { // SPEC 1.6
    const answer = await harness.ask(requestText('POST /v1/chat/completions', { authorization: 'Bearer hf-test' }, body));
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('request.invalid_json') as string });
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('are asked for when the client waits for it', async () => { // SPEC 1.6
    const client = await rawClient(harness.port);
    const body = '{"model":"m"}';
    client.send(requestText('POST /v1/messages', { ...KEY, expect: '100-continue', 'content-type': 'application/json', 'content-length': String(body.length) }));
    await client.seen('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(body);
    await client.seen('{"ok":true}');
    expect(harness.runs[0]?.arrival.clientHeaders.expect).toBeUndefined();
    client.reset();
  });

  it.each([[KEY, 200], [{}, 401]])('are read and judged as ever when the client expects what nobody knows: %j', async (headers, status) => {
    const answer = await harness.ask(requestText('POST /v1/messages', { ...headers, expect: '200-maybe', 'content-type': 'application/json' }, '{"model":"m"}'));
    expect(answer.status).toBe(status);
  });

  it.each([[{ ...KEY, 'content-length': String(2 * MIB) }, '413'], [{ 'content-length': '10' }, '401']])('are not asked for when the request is refused anyway: %j', async (headers, status) => { // SPEC 1.6
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { ...headers, expect: '100-continue', 'content-type': 'application/json' }));
    const text = await client.closed();
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(parseResponse(text).headers.connection).toBe('close');
  });

  it('that are too slow get 408 and the connection ends', async () => { // SPEC 1.1
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { ...KEY, 'content-type': 'application/json', 'content-length': '100' }));
    client.send('{');
    await harness.clock.whenWaits((waits) => waits.includes(BODY_TIMEOUT_MS));
    await harness.clock.advance(BODY_TIMEOUT_MS - 1);
    expect(client.text()).toBe('');
    await harness.clock.advance(1);
    expect(parseResponse(await client.closed())).toMatchObject({ status: 408, headers: { connection: 'close' } });
  });

  it('that never end are not read for ever', async () => { // SPEC 1.6
    const clock = createFakeClock();
    const endless = Object.assign(new PassThrough(), { headers: {}, complete: false });
    const reading = readBody(endless as unknown as IncomingMessage, {} as unknown as ServerResponse, 10, clock);
    endless.write('more than ten');
    await clock.advance(BODY_TIMEOUT_MS);
    expect(await reading).toEqual({ kind: 'too_large', unread: true });
  });

  it('whose client leaves in the middle start no exchange', async () => { // SPEC 1.1
    for (const leave of [(client: Awaited<ReturnType<typeof rawClient>>) => { client.socket.end(); }, (client: Awaited<ReturnType<typeof rawClient>>) => { client.reset(); }]) {
      const client = await rawClient(harness.port);
      client.send(requestText('POST /v1/messages', { ...KEY, 'content-type': 'application/json', 'content-length': '100' }));
      client.send('{');
      await harness.clock.whenWaits((waits) => waits.length === 1);
      leave(client);
      await harness.clock.whenWaits((waits) => waits.length === 0);
      await client.closed();
    }
    expect(harness.runs).toHaveLength(0);
  });

  it('may be missing where a request is only forwarded', async () => { // SPEC 1.2
    expect((await harness.ask(requestText('GET /v1/responses/r1?stream=true&include=a', KEY))).status).toBe(200);
    expect((await harness.ask(requestText('POST /v1/responses/r1/cancel', { ...KEY, 'content-length': '0' }))).status).toBe(200);
    expect(harness.runs.map(({ arrival }) => [arrival.operation, arrival.method, arrival.target(null), arrival.streamed, arrival.model, arrival.bodyBytes])).toEqual([
      ['forward', 'GET', '/v1/responses/r1?stream=true&include=a', true, null, 0],
      ['forward', 'POST', '/v1/responses/r1/cancel', false, null, 0],
    ]);
  });

  it('tell the session where no header does', async () => { // SPEC 9.5
    await harness.ask(requestText('POST /v1/responses', { authorization: 'Bearer hf-test', 'user-agent': 'OpenAI/JS 6', 'x-stainless-retry-count': '2' }, '{"model":"m","prompt_cache_key":"conv-1"}'));
    expect(harness.runs[0]?.arrival).toMatchObject({ sessionId: 'conv-1', client: 'OpenAI SDK', clientRetry: 2, keyName: 'test' });
  });
});
