// Requests that are cut or named in ways that two readers could take differently, and paths that lead somewhere else (SPEC 1.2, 1.6, 15).
import { describe, expect, it } from 'vitest';
import type { Harness } from '../downstream/support/harness.ts';
import { sharedHarness } from '../downstream/support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from '../downstream/support/raw-client.ts';

let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

const BODY = '{"model":"m"}';
const LINE = 'POST /v1/messages HTTP/1.1\r\n';
const NAMED = 'host: localhost\r\nx-api-key: hf-test\r\ncontent-type: application/json\r\n';
const HEAD = LINE + NAMED;
const SMUGGLED = 'POST /v1/files HTTP/1.1\r\nhost: localhost\r\nx-api-key: hf-test\r\ncontent-length: 0\r\n\r\n';

describe('a request of two minds', () => {
  it.each([
    ['bare line feeds', 'POST /v1/messages HTTP/1.1\nhost: localhost\nx-api-key: hf-test\ncontent-length: 13\n\n{"model":"m"}'],
    ['a bare CR at the end of the line', `${LINE.replace('\r\n', '\r')}${NAMED}content-length: 13\r\n\r\n${BODY}`],
    ['a header that begins with a blank', `${LINE} ${NAMED}content-length: 13\r\n\r\n${BODY}`],
    ['a header without a colon', `${HEAD}nothing\r\ncontent-length: 13\r\n\r\n${BODY}`],
    ['a header without a name', `${HEAD}: x\r\ncontent-length: 13\r\n\r\n${BODY}`],
    ['a NUL in a name', `${HEAD}x\0y: z\r\ncontent-length: 13\r\n\r\n${BODY}`],
    ['chunks that are coded once more', `${HEAD}transfer-encoding: chunked, gzip\r\n\r\n${SMUGGLED}`],
    ['chunks behind a vertical tab', `${HEAD}transfer-encoding:\x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk size beyond all numbers', `${HEAD}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${SMUGGLED}`],
    ['a chunk that ends with a line feed alone', `${HEAD}transfer-encoding: chunked\r\n\r\nd\n${BODY}\n0\n\n${SMUGGLED}`],
    ['a length beyond all numbers', `${HEAD}content-length: 99999999999999999999999\r\n\r\n${BODY}`],
    ['a length among the trailers', `${HEAD}transfer-encoding: chunked\r\n\r\nd\r\n${BODY}\r\n0\r\ncontent-length: 5\r\n\r\n${SMUGGLED}`],
    ['a line of three words and one more', `${HEAD.replace(' HTTP', ' x HTTP')}content-length: 13\r\n\r\n${BODY}`],
  ])('is refused once, and its connection ends: %s', async (_how, bytes) => { // SPEC 1.6, 15
    const client = await rawClient(harness.port);
    client.send(bytes);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(harness.runs).toHaveLength(0);
  });

  it('is one request with what the rules of HTTP allow: extensions of chunks and trailers change nothing', async () => { // SPEC 1.6
    const client = await rawClient(harness.port);
    client.send(`${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n6;a=b;c="d"\r\n{"mode\r\n7;x\r\nl":"m"}\r\n0;y=z\r\nx-api-key: hf-other\r\nhost: evil.example\r\n\r\n`);
    expect(parseResponse(await client.closed()).status).toBe(200);
    expect(harness.runs).toHaveLength(1);
    const { arrival } = harness.runs[0]!;
    expect(Buffer.concat(arrival.body(null)).toString()).toBe(BODY);
    expect(arrival.keyName).toBe('test');
    expect(JSON.stringify(arrival.headers)).not.toMatch(/evil|other/);
  });

  it('with endless extensions of a chunk is cut', async () => { // SPEC 15
    const client = await rawClient(harness.port);
    client.send(`${HEAD}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(200_000)}`);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 4(?:00|13|31) /);
    expect(harness.runs).toHaveLength(0);
  });

  it('with two hosts is refused, however they are written and however far behind the second stands', async () => { // SPEC 1.5
    const many = Array.from({ length: 200 }, (_, n) => `x-${n}: y\r\n`).join('');
    for (const headers of ['host: localhost\r\nHOST: evil.example\r\n', `Host: localhost\r\n${many}hOsT: localhost\r\n`]) {
      const answer = await harness.ask(`${LINE}${headers}x-api-key: hf-test\r\n\r\n`);
      expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('request.bad_host') as string });
    }
  });

  it('with more headers than anybody sends is refused, and none of them is passed over', async () => { // SPEC 1.1
    const many = (count: number) => Array.from({ length: count }, (_, n) => `a${n}:\r\n`).join('');
    expect((await harness.ask(`${HEAD}content-length: 13\r\n${many(200)}\r\n${BODY}`)).status).toBe(200);
    for (const count of [300, 2_500]) {
      expect(await harness.ask(`${HEAD}content-length: 13\r\n${many(count)}origin: https://evil.example\r\n\r\n${BODY}`)).toMatchObject({ status: 431, body: expect.stringContaining('request.too_many_headers') as string });
    }
    expect(harness.runs).toHaveLength(1);
  });

  it('keeps to itself what is named twice: two keys, two types, two encodings', async () => { // SPEC 1.4, 1.5
    expect((await harness.ask(`${LINE}host: localhost\r\nx-api-key: nope\r\nx-api-key: hf-test\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n${BODY}`)).status).toBe(401);
    expect((await harness.ask(`${LINE}host: localhost\r\nx-api-key: hf-test\r\ncontent-type: text/plain\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n${BODY}`)).status).toBe(415);
    expect((await harness.ask(`${HEAD}content-encoding: gzip\r\ncontent-encoding: br\r\ncontent-length: 13\r\n\r\n${BODY}`)).status).toBe(415);
    expect(harness.runs).toHaveLength(0);
  });
});

describe('a path', () => {
  const ask = (path: string, method = 'POST') => harness.ask(requestText(`${method} ${path}`, { 'x-api-key': 'hf-test' }, method === 'POST' ? BODY : null));

  it.each([
    '/v1/files/../messages', '/v1/files/..', '/v1/files/%2e%2e/admin', '/v1/files/%2E%2e%2Fadmin', '/v1/files/..%2fadmin', '/v1/files/..%5cadmin', '/v1/files/..\\admin', '/v1/files/.%2e/x', '/v1/batches/./x',
    '/../v1/messages', '//v1/messages', '/v1//messages', '/v1/messages/..', '\\v1\\messages', '/v1\\messages', '/V1/messages', '/v1/messages%00', '/v1/messages;x=y', '/v1/messages%20', '/%76%31/messages',
    '/v1beta/models/../../admin:generateContent', '/v1beta/models/..%2f..%2fadmin:generateContent', '/v1beta/models/%ff:generateContent', '/v1beta/models/:generateContent', '/.env', '/etc/passwd', '/v1/v1/v1/messages',
  ])('that leads somewhere else is not there: %s', async (path) => { // SPEC 1.2
    const answer = await ask(path);
    expect([400, 404, 405]).toContain(answer.status);
    expect(harness.runs).toHaveLength(0);
  });

  it('of an absolute form counts with its host, and of another scheme not at all', async () => { // SPEC 1.5
    expect((await ask('http://evil.example/v1/messages')).status).toBe(403);
    expect((await ask('http://evil.example@localhost/v1/messages')).status).toBe(403);
    expect((await ask('http://localhost@evil.example/v1/messages')).status).toBe(403);
    for (const path of ['https://localhost/v1/messages', 'file:///etc/passwd', 'ftp://localhost/v1/messages', '*', 'v1/messages']) expect([400, 404]).toContain((await ask(path)).status);
    expect(harness.runs).toHaveLength(0);
  });

  it('of 60 KB is answered, not repeated; of more it is too large a head', async () => { // SPEC 1.1
    const long = await ask(`/v1/${'a'.repeat(60_000)}`);
    expect(long.status).toBe(404);
    expect(long.body.length).toBeLessThan(2_000);
    expect((await ask(`/v1/${'a'.repeat(70_000)}`)).status).toBe(431);
  });

  it('of a model may hold what a model may, and stays one segment for the upstream', async () => { // SPEC 1.2
    const { status } = await ask('/v1beta/models/a%2Fb%3Fc%23d:generateContent');
    expect(status).toBe(200);
    const { arrival } = harness.runs[0]!;
    expect(arrival.model).toBe('a/b?c#d');
    expect(arrival.target(null)).toBe('/v1beta/models/a%2Fb%3Fc%23d:generateContent');
    expect(arrival.target('../../x?y')).toBe('/v1beta/models/..%2F..%2Fx%3Fy:generateContent');
  });
});
