// Too much of everything: connections, bytes, depth (SPEC 1.1, 1.6, 15). What is left afterwards is measured, not only that it ends.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Harness } from '../downstream/support/harness.ts';
import { harnessesOfTests } from '../downstream/support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from '../downstream/support/raw-client.ts';
import { createSignals } from '../../support/signals.ts';
import { liveMiB, openFileLimit } from './support/process-facts.ts';

const KEY = { 'x-api-key': 'hf-test' };
const HEAD = 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nx-api-key: hf-test\r\ncontent-type: application/json\r\n';
const started = harnessesOfTests();

/** Many connections that begin a request and say no more. */
async function halfOpen(port: number, count: number, bytes: string) {
  const signals = createSignals();
  const sockets = new Set<Socket>();
  let made = 0;
  let closed = 0;
  const open = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.add(socket);
    // Those that had to make room were reset.
    socket.on('error', () => undefined).on('close', () => {
      sockets.delete(socket);
      closed++;
      signals.changed();
    });
    await new Promise<void>((resolve) => { socket.once('connect', resolve).once('close', resolve); });
    made++;
    socket.write(bytes);
  };
  for (let batch = 0; batch < count; batch += 100) await Promise.all(Array.from({ length: Math.min(100, count - batch) }, open));
  return { made: () => made, open: () => sockets.size, whenClosed: (wanted: number) => signals.when(() => closed >= wanted), leave: () => { for (const socket of sockets) socket.destroy(); } };
}

describe('connections', () => {
  // Both ends of all connections are in this process.
  const count = Math.min(10_000, openFileLimit() - 4_096 - 500);
  it.skipIf(count < 1_000)('10,000 that never finish their head hold nobody up, and no more of them than the limit are kept', async () => { // SPEC 1.1
    const harness = await started();
    const ask = async (): Promise<number> => {
      const startedMs = performance.now();
      expect((await harness.ask(requestText('POST /v1/messages', KEY, '{"model":"m"}'))).status).toBe(200);
      return performance.now() - startedMs;
    };
    await ask();
    const beforeMiB = liveMiB();
    const crowd = await halfOpen(harness.port, count, 'POST /v1/messages HTTP/1.1\r\nhost: lo');
    expect(crowd.made()).toBe(count);
    // The oldest made room for the newest, and for those who ask.
    await crowd.whenClosed(count - 4_096);
    expect(crowd.open()).toBeLessThanOrEqual(4_096);
    const waits = [await ask(), await ask(), await ask()];
    expect(crowd.open()).toBeGreaterThan(4_000);
    expect(Math.min(...waits)).toBeLessThan(1_000);
    crowd.leave();
    await crowd.whenClosed(count);
    await ask();
    expect(liveMiB() - beforeMiB).toBeLessThan(25);
  }, 120_000);

  it('beyond the limit make room when they carry no request, the oldest first', async () => { // SPEC 1.1
    const harness = await started(undefined, {}, { mostConnections: 3 });
    const idle = [await rawClient(harness.port), await rawClient(harness.port), await rawClient(harness.port)];
    const answer = await harness.ask(requestText('GET /healthz'));
    expect(answer.status).toBe(200);
    expect(await idle[0]!.closed()).toBe('');
    for (const client of idle.slice(1)) {
      client.send(requestText('GET /healthz', { connection: 'close' }));
      expect(parseResponse(await client.closed()).status).toBe(200);
    }
  });

  it('beyond the limit are refused in words when each carries a request, and those go on', async () => { // SPEC 1.1
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => { answer = resolve; });
    const harness = await started(undefined, {}, { mostConnections: 2 });
    const { script } = harness;
    harness.script = async (run) => {
      await gate;
      await script(run);
    };
    const busy = [await rawClient(harness.port), await rawClient(harness.port)];
    for (const client of busy) client.send(requestText('POST /v1/messages', { ...KEY, connection: 'close' }, '{"model":"m"}'));
    await harness.whenRuns(2);
    const third = await rawClient(harness.port);
    expect(parseResponse(await third.closed())).toMatchObject({ status: 503, body: expect.stringContaining('gateway.too_many_connections') as string });
    answer();
    for (const client of busy) expect(parseResponse(await client.closed()).status).toBe(200);
  });

  it('that never say a word are cut like slow heads', async () => { // SPEC 1.1
    const harness = await started(undefined, {}, { headTimeoutMs: 300 });
    const silent = await rawClient(harness.port);
    const slow = await rawClient(harness.port);
    slow.send('GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ');
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 408 /);
    expect(await silent.closed()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  });
});

describe('bodies', () => {
  // Sends `count` MiB as fast as they are taken.
  const stream = async (harness: Harness, head: string, count: number, wrap: (piece: Buffer) => Buffer[]) => {
    const piece = Buffer.alloc(1_048_576, 0x20);
    const client = await rawClient(harness.port);
    client.send(head);
    const gone = once(client.socket, 'close');
    let mostMiB = 0;
    for (let sent = 0; sent < count && !client.socket.destroyed; sent++) {
      for (const part of wrap(piece)) if (!client.socket.write(part)) await Promise.race([once(client.socket, 'drain'), gone]);
      if (sent % 128 === 127) mostMiB = Math.max(mostMiB, process.memoryUsage().arrayBuffers / 1_048_576);
    }
    return { client, mostMiB };
  };

  it.each<readonly [string, string, (piece: Buffer) => Buffer[], string]>([
    ['of a length that it tells', `content-length: ${1_024 * 1_048_576}\r\n\r\n`, (piece) => [piece], ''],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', (piece) => [Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')], '0\r\n\r\n'],
  ])('1 GiB %s is read, thrown away and refused in the format of the client', async (_how, framing, wrap, end) => { // SPEC 1.6
    const harness = await started();
    const before = process.memoryUsage().arrayBuffers / 1_048_576;
    const { client, mostMiB } = await stream(harness, `${HEAD}connection: close\r\n${framing}`, 1_024, wrap);
    client.send(end);
    const answer = parseResponse(await client.closed());
    expect(answer).toMatchObject({ status: 413, body: expect.stringContaining('64 MiB') as string });
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'request_too_large' } });
    expect(mostMiB - before).toBeLessThan(160);
    expect(harness.runs).toHaveLength(0);
    expect(harness.clock.pending()).toBe(0);
  }, 120_000);

  it('without a valid key are not kept at all', async () => { // SPEC 1.4
    const harness = await started();
    const before = process.memoryUsage().arrayBuffers / 1_048_576;
    const { client, mostMiB } = await stream(harness, `${HEAD.replace('hf-test', 'hf-nobody')}connection: close\r\ncontent-length: ${256 * 1_048_576}\r\n\r\n`, 256, (piece) => [piece]);
    expect(parseResponse(await client.closed()).status).toBe(401);
    // Buffers that were read and dropped, and wait to be collected.
    expect(mostMiB - before).toBeLessThan(128);
  }, 60_000);

  it.each<readonly [string, (bytes: Buffer) => Buffer]>([['gzip', gzipSync], ['br', brotliCompressSync]])('that unpack to a thousand times their size end at the limit: %s', async (encoding, pack) => { // SPEC 1.6
    const harness = await started(undefined, { 'gateway.max_body_mb': 8 });
    const bomb = pack(Buffer.alloc(200 * 1_048_576, 0x20));
    expect(bomb.length).toBeLessThan(1_048_576);
    const before = process.memoryUsage().arrayBuffers;
    const answers = await Promise.all(Array.from({ length: 5 }, async () => {
      const client = await rawClient(harness.port);
      client.send(`${HEAD}connection: close\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      client.send(bomb);
      return parseResponse(await client.closed());
    }));
    for (const answer of answers) expect(answer.status).toBe(413);
    expect((process.memoryUsage().arrayBuffers - before) / 1_048_576).toBeLessThan(100);
    expect(harness.runs).toHaveLength(0);
  }, 60_000);

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['both, never closed', '[{"a":'.repeat(50_000)],
  ])('of 100,000 levels are read in a moment and cost no stack: %s', async (_how, deep) => { // SPEC 1.6, 15
    const harness = await started();
    const body = `{"model":"m","messages":${deep}}`;
    const startedMs = performance.now();
    const answer = await harness.ask(requestText('POST /v1/messages', KEY, body));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    // Whether it is let through or called invalid, the gateway stands and nothing inside it failed.
    expect([200, 400]).toContain(answer.status);
    expect(harness.logged).toEqual([]);
    if (answer.status === 200) {
      const { arrival } = harness.runs[0]!;
      expect(() => [arrival.conversation(), arrival.seal(), arrival.fingerprint()]).not.toThrow();
    }
    expect((await harness.ask(requestText('GET /healthz'))).status).toBe(200);
  });
});
