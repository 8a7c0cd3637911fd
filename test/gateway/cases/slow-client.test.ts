import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../support/answers/index.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient, requestText, parseResponse } from '../downstream/support/raw-client.ts';
import { pathOf } from './support/talk.ts';

const MIB = 1_048_576;

/** A stream of `mib` MiB in events of 16 KiB, as fast as it is taken; how many bytes went out is in `sent`. */
async function flood(call: Call, mib: number, sent: { bytes: number }): Promise<void> {
  const [opening, piece, rest] = [wordsOf.chat.opening('m-1').join(''), wordsOf.chat.answer('m-1', 'x'.repeat(2 * 16_384))[0] ?? '', wordsOf.chat.answer('m-1', 'xx').slice(2).join('')];
  await call.head(200, { 'content-type': 'text/event-stream' });
  const write = async (text: string) => {
    await call.write(text);
    sent.bytes += Buffer.byteLength(text);
  };
  await write(opening);
  for (let n = 0; n < mib * 64; n++) await write(piece);
  await write(rest);
  await call.end();
}

/** Resolves when the number has stood still for a while. */
async function standsStill(value: () => number): Promise<number> {
  for (let last = -1, still = 0; still < 10; still = value() === last ? still + 1 : 0) {
    last = value();
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  return value();
}

describe('R29: a client that does not read slows its upstream down (SPEC 6.5)', () => {
  it('200 MB stay with the upstream until they are read, and then come whole', async () => {
    const gateway = await startWholeGateway();
    const sent = { bytes: 0 };
    gateway.upstream().script((call) => flood(call, 200, sent));
    const client = await rawClient(gateway.port);
    client.socket.pause();
    client.send(requestText(`POST ${pathOf('chat', true)}`, { authorization: 'Bearer hf-test' }, '{"model":"m-1","stream":true}'));
    await gateway.event('released');
    // Nothing that has not left the upstream can be in the gateway's memory; what has fills the buffers of four sockets, no more.
    expect(await standsStill(() => sent.bytes)).toBeLessThan(24 * MIB);
    let bytes = 0;
    client.socket.removeAllListeners('data');
    const all = new Promise<void>((resolve) => {
      let tail = '';
      client.socket.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
        tail = (tail + chunk.subarray(-64).toString('latin1')).slice(-64);
        if (tail.endsWith('[DONE]\n\n\r\n0\r\n\r\n')) resolve();
      });
    });
    client.socket.resume();
    await all;
    const [row] = await gateway.ended();
    expect(row).toMatchObject({ outcome: 'success', answer_bytes: sent.bytes });
    expect(bytes).toBeGreaterThan(sent.bytes);
    client.reset();
  });
  it('leaving while it is blocked closes the upstream and ends the exchange', async () => {
    const gateway = await startWholeGateway();
    const sent = { bytes: 0 };
    gateway.upstream().script((call) => flood(call, 200, sent));
    const client = await rawClient(gateway.port);
    client.socket.pause();
    client.send(requestText(`POST ${pathOf('chat', true)}`, { authorization: 'Bearer hf-test' }, '{"model":"m-1","stream":true}'));
    await standsStill(() => sent.bytes);
    const leftMs = performance.now();
    client.reset();
    expect((await (await gateway.upstream().call(0)).closed).atMs - leftMs).toBeLessThan(500);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'cancelled', status: 499, detail: { left_during: 'relay' } });
    await gateway.clock.whenWaits((waits) => waits.length === 0);
  });
  it('a slow reader of a large whole answer is waited for in the same way', async () => {
    const gateway = await startWholeGateway();
    const sent = { bytes: 0 };
    const piece = Buffer.alloc(65_536, 0x20);
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.write('{"id":"x","object":"chat.completion","choices":[]');
      for (let n = 0; n < 1_600; n++) {
        await call.write(piece);
        sent.bytes += piece.byteLength;
      }
      await call.write('}');
      await call.end();
    });
    const client = await rawClient(gateway.port);
    client.socket.pause();
    client.send(requestText(`POST ${pathOf('chat', false)}`, { authorization: 'Bearer hf-test' }, '{"model":"m-1"}'));
    await gateway.event('released');
    expect(await standsStill(() => sent.bytes)).toBeLessThan(32 * MIB);
    client.socket.resume();
    expect(parseResponse(await client.seen('}\r\n0\r\n\r\n')).body.length).toBe(1_600 * 65_536 + 50);
    client.reset();
  });
});
