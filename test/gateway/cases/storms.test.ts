import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { answersWith, failsWith, overloadsInStream } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient, requestText } from '../downstream/support/raw-client.ts';
import { begunStream, pathOf } from './support/talk.ts';

/** Faults of an upstream at every step of an answer. */
const FAULTS: readonly ((call: Call) => void | Promise<void>)[] = [
  (call) => { call.reset(); },
  (call) => { call.fin(); },
  (call) => call.raw('HTTP/1.1 20').then(() => { call.reset(); }),
  (call) => call.raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'),
  (call) => call.raw('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
  (call) => call.raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  (call) => call.raw('SSH-2.0-OpenSSH_9.2\r\n').then(() => { call.fin(); }),
  async (call) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(begunStream('anthropic'));
    call.reset();
  },
  async (call) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.raw('5\r\nda');
    call.reset();
  },
  async (call) => {
    await answersWith('Hello')(call);
    await call.raw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  },
  async (call) => {
    await answersWith('Hello')(call);
    call.reset();
  },
  failsWith(503), overloadsInStream(), answersWith('Hello'), answersWith('Hello there'),
];

describe('R54: no fault at any moment ends more than its own request (SPEC 3, law 9)', () => {
  it('500 requests, clients and upstream breaking at every step: one end each, and everything is released', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 1, 'gateway.breaker': { enabled: false, failures: 3, ratio: 0.5, min_samples: 10, window_secs: 60, cool_secs: 60, max_cool_secs: 600 } } });
    gateway.gateway.onEvent((event) => { if (event.kind === 'pausing') void gateway.clock.advance(event.retry_at - event.started + 1); });
    gateway.upstream().otherwise((call) => FAULTS[call.index % FAULTS.length]?.(call));
    // Clients leave after so many turns of the loop, by reset or politely, or stay; some have sent only half of their request.
    const one = async (n: number): Promise<void> => {
      const format = FORMAT_NAMES[n % 4] ?? 'chat';
      const streamed = n % 3 !== 0;
      const body = JSON.stringify({ model: 'm-1', stream: streamed, contents: [], note: 'x'.repeat((n % 7) * 300) });
      const text = requestText(`POST ${pathOf(format, streamed)}`, { authorization: 'Bearer hf-test', connection: 'close' }, body);
      const client = await rawClient(gateway.port);
      const leaves = n % 5 < 3;
      client.send(n % 11 === 0 ? text.slice(0, text.length - 1 - (n % 13) * 10) : text);
      if (!leaves && n % 11 !== 0) return void await client.closed();
      for (let turn = 0; turn < n % 17; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); });
      if (n % 2 === 0) client.reset();
      else client.socket.end();
      await client.closed();
    };
    for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: 25 }, (_, n) => one(batch * 25 + n)));
    // What was left is over before the next one is asked for.
    await gateway.when(() => gateway.gateway.inFlight().length === 0);
    const started = gateway.events.filter((event) => event.kind === 'started').map((event) => event.id);
    const finished = gateway.events.filter((event) => event.kind === 'finished').map((event) => event.id);
    expect([...finished].sort()).toEqual([...started].sort());
    expect(new Set(finished).size).toBe(finished.length);
    expect(started.length).toBeGreaterThan(300);
    expect(new Set(gateway.rows().map((row) => row.outcome))).toEqual(new Set(['success', 'failed', 'cancelled', 'truncated']));
    await gateway.clock.whenWaits((waits) => waits.length === 0);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
  it('garbage and a TLS greeting on the port of the gateway harm nobody', async () => {
    const gateway = await startWholeGateway();
    const run = ask200(gateway);
    for (const bytes of [Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), Buffer.from('\r\n\r\n\0\0\0'), Buffer.alloc(100_000, 0xff), Buffer.from('GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n')]) {
      const client = await rawClient(gateway.port);
      client.send(bytes);
      await client.closed();
    }
    expect(await run).toBe(200);
  });
});

async function ask200(gateway: Awaited<ReturnType<typeof startWholeGateway>>): Promise<number> {
  gateway.upstream().script(answersWith('Hello'));
  return (await gateway.post('/v1/messages', { model: 'm-1' })).status;
}
