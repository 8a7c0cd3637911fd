import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient } from '../downstream/support/raw-client.ts';
import { ask, goodStream, pathOf, skipPauses } from './support/talk.ts';

const ENCODERS: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ['gzip', (text) => zlib.gzipSync(text)], ['br', (text) => zlib.brotliCompressSync(text)], ['deflate', (text) => zlib.deflateSync(text)], ['zstd', (text) => zlib.zstdCompressSync(text)],
];
const encoded = (status: number, name: string, body: Buffer): Script => (call) => call.answer(status, { 'content-type': 'application/json', 'content-encoding': name }, body);

describe('R31: compressed errors are read like any others (SPEC 1.7)', () => {
  const offers = [{ 'accept-encoding': 'gzip, br' }, { 'accept-encoding': 'identity' }];
  it.each(ENCODERS)('%s: a refusal reaches the client and the log as text', async (name, encode) => {
    const gateway = await startWholeGateway();
    for (const [turn, headers] of offers.entries()) {
      const body = JSON.stringify(wordsOf.anthropic.error(400, 'max_tokens is missing'));
      gateway.upstream().script(encoded(400, name, encode(body)));
      const answer = await ask(gateway, 'anthropic', true, { headers });
      expect([answer.status, answer.headers.get('content-encoding'), await answer.text()]).toEqual([400, null, body]);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
      expect((await gateway.ended(turn + 1))[turn]).toMatchObject({ error_message: 'max_tokens is missing', error_code: 'invalid_request_error' });
    }
    expect((await gateway.upstream().call(0)).header('accept-encoding')).toBe('identity');
  });
  it.each(ENCODERS)('%s: an overload is retried, a 500 that names a fault of the request is not', async (name, encode) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    gateway.upstream().script(encoded(529, name, encode(JSON.stringify(wordsOf.anthropic.error(529, 'Overloaded')))), answersWith('Hello'));
    expect(await (await ask(gateway, 'anthropic', true)).text()).toBe(goodStream('anthropic', 'Hello'));
    gateway.upstream().script(encoded(500, name, encode(JSON.stringify({ error: { message: 'bad tool', type: 'invalid_request_error', param: null, code: null } }))));
    expect((await ask(gateway, 'chat', false)).status).toBe(500);
    expect((await gateway.ended(2)).map((row) => [row.attempts, row.give_up])).toEqual([[2, null], [1, 'not_transient']]);
  });
  it('a body that is not what its label says breaks nothing, and its status decides', async () => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    gateway.upstream().script(encoded(503, 'gzip', Buffer.from('{"error":{"message":"plain text"}}')), encoded(400, 'br', Buffer.from('no brotli')));
    const answer = await ask(gateway, 'chat', false);
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([400, null]);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(/^\[Holdfast\] /);
    expect((await gateway.ended())[0]?.detail.attempts.map((attempt) => attempt.class)).toEqual(['transient', 'request']);
  });
});

describe('R32: what was decoded is not announced as encoded (SPEC 1.7)', () => {
  it.each(FORMAT_NAMES.flatMap((format) => ENCODERS.map(([name, encode]) => [format, name, encode] as const)))('%s, %s: whole', async (format, name, encode) => {
    const gateway = await startWholeGateway();
    const body = JSON.stringify(wordsOf[format].whole('m-1', 'Hello 数据'));
    gateway.upstream().script(encoded(200, name, encode(body)));
    const answer = await ask(gateway, format, false, { headers: { 'accept-encoding': 'br' } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('content-length'), await answer.text()]).toEqual([null, String(Buffer.byteLength(body)), body]);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', input_tokens: 31, output_tokens: 7 });
  });
  it.each<FormatName>([...FORMAT_NAMES])('%s: a stream in gzip comes event by event, with its usage', async (format) => {
    const gateway = await startWholeGateway();
    const seen = Promise.withResolvers<undefined>();
    const words = wordsOf[format];
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const gzip = zlib.createGzip();
      const flushed = async (text: string) => {
        gzip.write(text);
        await new Promise<void>((resolve) => { gzip.flush(zlib.constants.Z_SYNC_FLUSH, resolve); });
        await call.write(gzip.read() as Buffer);
      };
      await flushed(words.opening('m-1').join('') + (words.answer('m-1', 'Hello there')[0] ?? ''));
      await seen.promise;
      await flushed(words.answer('m-1', 'Hello there').slice(1).join(''));
      gzip.end();
      for await (const rest of gzip) await call.write(rest as Buffer);
      await call.end();
    });
    const answer = await ask(gateway, format, true, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBeNull();
    let text = '';
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('Hello ')) seen.resolve(undefined);
    }
    expect(text).toBe(goodStream(format, 'Hello there'));
    expect((await gateway.ended())[0]).toMatchObject({ input_tokens: 31, output_tokens: 7 });
  });
});

describe('R33: compressed requests (SPEC 1.6)', () => {
  const send = (gateway: Awaited<ReturnType<typeof startWholeGateway>>, encoding: string, body: Buffer) => fetch(`${gateway.url}/v1/responses`, {
    method: 'POST', body: new Uint8Array(body), headers: { 'content-type': 'application/json', 'content-encoding': encoding, authorization: 'Bearer hf-test' },
  });
  const body = JSON.stringify({ model: 'm-1', stream: false, input: 'Hello 数据' });
  it.each(ENCODERS)('%s go on decoded, without the header and with the right length', async (name, encode) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(answersWith('Hello'));
    expect((await send(gateway, name, encode(body))).status).toBe(200);
    const call = await gateway.upstream().call(0);
    expect([(await call.body).toString(), call.header('content-encoding'), call.header('content-length')]).toEqual([body, undefined, String(Buffer.byteLength(body))]);
    expect((await gateway.ended())[0]).toMatchObject({ model_asked: 'm-1', request_bytes: Buffer.byteLength(body) });
  });
  it('in an encoding that nobody knows they are refused in the client’s format', async () => {
    const gateway = await startWholeGateway();
    const answer = await send(gateway, 'x-lzma', Buffer.from(body));
    expect(answer.status).toBe(415);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(/^\[Holdfast\] .*x-lzma/);
    expect(gateway.upstream().calls).toHaveLength(0);
  });
  it.each(ENCODERS)('%s that unpack to more than the limit stop there', async (name, encode) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.max_body_mb': 1 } });
    expect((await send(gateway, name, encode(`{"model":"m-1","input":"${'\0'.repeat(10_000_000)}"}`))).status).toBe(413);
    expect(gateway.upstream().calls).toHaveLength(0);
  });
});

describe('R35: clients that ask before they send (SPEC 1.6)', () => {
  const head = (length: number) => `POST ${pathOf('chat', false)} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer hf-test\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`;
  it('are told to go on, and the upstream is not asked', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(answersWith('Hello'));
    const body = `{"model":"m-1","input":"${'x'.repeat(2_000_000)}"}`;
    const client = await rawClient(gateway.port);
    client.send(head(body.length));
    expect(await client.seen('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(body);
    expect(await client.seen('"Hello"')).toContain('HTTP/1.1 200 ');
    const call = await gateway.upstream().call(0);
    expect([(await call.body).length, call.header('expect')]).toEqual([body.length, undefined]);
    client.reset();
  });
  it.each([['too large', 2_000_000, 413, ''], ['without a key', 100, 401, 'x']])('%s: they are refused without their body', async (_what, length, status, noKey) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.max_body_mb': 1 } });
    const client = await rawClient(gateway.port);
    client.send(noKey === '' ? head(length) : head(length).replace('hf-test', 'wrong'));
    const answer = await client.seen('"error"');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('100 Continue');
    client.reset();
  });
});
