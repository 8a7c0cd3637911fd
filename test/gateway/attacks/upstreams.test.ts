// Upstreams that attack the gateway or its clients (SPEC 1.7, 15).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answersWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient, requestText } from '../downstream/support/raw-client.ts';
import { liveMiB } from './support/process-facts.ts';

const ASK = { model: 'm-1', messages: [] };
const CANARY = 'sk-upstream';

/** A server that nobody should ever ask. */
async function trap() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.end('{"secret":"of the inner network"}');
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.close(); });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is never followed, wherever it leads: %d', async (status) => { // SPEC 1.7
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    const inner = await trap();
    for (const location of [inner.url, `${inner.url.replace('http:', '')}/x`, 'http://169.254.169.254/latest/meta-data/iam/security-credentials/', 'file:///etc/passwd', 'gopher://127.0.0.1/', `http://user:${CANARY}@127.0.0.1/`]) {
      gateway.upstream().script((call) => call.answer(status, { location, 'content-type': 'text/html' }, `<a href="${location}">moved</a>`));
      const answer = await gateway.post('/v1/messages', ASK, {});
      const text = await answer.text();
      expect(answer.status).toBe(502);
      expect(answer.headers.get('location')).toBeNull();
      expect(text).not.toContain('of the inner network');
      expect(text).not.toContain(CANARY);
    }
    expect(inner.asked).toEqual([]);
    expect(gateway.upstream().calls).toHaveLength(6);
    for (const row of gateway.rows()) expect(row).toMatchObject({ outcome: 'failed', attempts: 1 });
    expect(JSON.stringify(gateway.events)).not.toContain(CANARY);
  });

  it('in other words is none either: refresh, a base in a page, a content location', async () => { // SPEC 1.7
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    const inner = await trap();
    gateway.upstream().script((call) => call.answer(200, { 'refresh': `0; url=${inner.url}`, 'content-location': inner.url, 'content-type': 'text/html' }, `<meta http-equiv="refresh" content="0; url=${inner.url}">`));
    expect((await gateway.post('/v1/messages', ASK)).status).toBe(502);
    expect(inner.asked).toEqual([]);
  });
});

describe('headers of an upstream', () => {
  const through = async (headers: string, format = '/v1/messages') => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    const body = '{"id":"x","type":"message","role":"assistant","model":"m-1","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}';
    gateway.upstream().otherwise((call) => call.raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`));
    const client = await rawClient(gateway.port);
    client.send(requestText(`POST ${format}`, { 'x-api-key': 'hf-test', 'connection': 'close' }, JSON.stringify(ASK)));
    return { text: await client.closed(), gateway };
  };
  const headOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();

  it('say nothing for the gateway: no cookies, no rights for pages, no facts of ours, nothing of the hop', async () => { // SPEC 1.5, 1.7
    const { text } = await through([
      'set-cookie: a=b', 'set-cookie: c=d', 'access-control-allow-origin: *', 'access-control-allow-credentials: true', 'access-control-allow-private-network: true', 'x-holdfast-request-id: forged', 'x-holdfast-retries: 99',
      'keep-alive: timeout=9999', 'proxy-authenticate: Basic', 'upgrade: h2c', 'trailer: x', 'connection: x-hop', 'x-hop: y', 'x-plain: yes',
    ].map((line) => `${line}\r\n`).join(''));
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    const head = headOf(text);
    expect(head).toContain('x-plain: yes');
    expect(head).not.toMatch(/set-cookie|access-control|forged|x-holdfast-retries: 99|9999|proxy-auth|upgrade|trailer|x-hop/);
  });

  it.each([
    ['a bare CR', 'x-a: b\rset-cookie: c=d\r\n'],
    ['a bare LF', 'x-a: b\nset-cookie: c=d\r\n'],
    ['a folded line', 'x-a: b\r\n set-cookie: c=d\r\n'],
    ['a NUL', 'x-a: b\0c\r\n'],
    ['a second length', 'content-length: 1\r\n'],
    ['chunks besides the length', 'transfer-encoding: chunked\r\n'],
  ])('split no response: %s', async (_how, headers) => { // SPEC 15
    const { text } = await through(headers);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(headOf(text)).not.toMatch(/^set-cookie:/m);
    expect(headOf(text)).not.toMatch(/[\0]|[^\r]\n|\r(?!\n)/);
  });

  it('with what one reader takes for line ends come as the bytes they are, or not at all', async () => { // SPEC 15
    const { text } = await through('x-a: \u560a\u560d set-cookie: c=d\r\nx-b: \u0085\u2028x\r\n');
    expect(headOf(text)).not.toMatch(/^set-cookie:/m);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('and a second answer behind the first reach nobody: not this client, not the next one', async () => { // SPEC 15
    const gateway = await startWholeGateway();
    gateway.upstream().script(async (call) => {
      await answersWith('first')(call);
      await call.raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 23\r\n\r\n{"poison":"for another"}');
    });
    gateway.upstream().otherwise(answersWith('second'));
    const [first, second] = [await (await gateway.post('/v1/messages', ASK)).text(), await (await gateway.post('/v1/messages', ASK)).text()];
    expect(first).toContain('first');
    expect(second).toContain('second');
    expect(first + second).not.toContain('poison');
  });
});

describe('an answer that unpacks to a thousand times its size', () => {
  it.each<readonly [string, (bytes: Buffer) => Buffer]>([['gzip', gzipSync], ['br', brotliCompressSync]])('as an error is read to its limit and no further: %s', async (encoding, pack) => { // SPEC 4.2, 15
    const bomb = pack(Buffer.alloc(300 * 1_048_576, 0x20));
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    gateway.upstream().otherwise((call) => call.answer(400, { 'content-type': 'application/json', 'content-encoding': encoding }, bomb));
    const before = process.memoryUsage().arrayBuffers;
    const answer = await gateway.post('/v1/messages', ASK);
    expect([400, 502]).toContain(answer.status);
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(200_000);
    expect((process.memoryUsage().arrayBuffers - before) / 1_048_576).toBeLessThan(60);
  }, 60_000);

  it('flows to its client no faster than it is read, and nothing of it piles up', async () => { // SPEC 5.7, 6.5
    const gateway = await startWholeGateway();
    const bomb = gzipSync(Buffer.alloc(300 * 1_048_576, 0x20));
    gateway.upstream().otherwise((call) => call.answer(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, bomb));
    const before = liveMiB();
    const client = await rawClient(gateway.port);
    client.socket.pause();
    client.send(requestText('POST /v1/messages', { 'x-api-key': 'hf-test' }, JSON.stringify(ASK)));
    await gateway.event('released');
    // The client does not read: what lies between is the 8 MiB that are held, and buffers of sockets.
    for (let turn = 0; turn < 200; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); });
    expect(liveMiB() - before).toBeLessThan(60);
    client.reset();
    await gateway.ended();
  }, 60_000);
});
