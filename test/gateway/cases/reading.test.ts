import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { wordsOf } from '../../support/answers/index.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient } from '../downstream/support/raw-client.ts';
import { ask, eventsOf, goodStream, pathOf, skipPauses, streams } from './support/talk.ts';

const TEXT = '数据 naïve e\u0301 \u{1F469}\u200d\u{1F52C} \u0627\u0644';

/** The bytes one by one, each a packet of its own. */
const byteByByte = (bytes: Uint8Array): Script => async (call) => {
  await call.head(200, { 'content-type': 'text/event-stream' });
  for (const byte of bytes) await call.write(Uint8Array.of(byte));
  await call.end();
};

describe('R17: characters cut between reads stay whole (SPEC 5.3, 5.6)', () => {
  it.each(FORMAT_NAMES)('%s: an answer that comes byte by byte is passed on byte for byte', async (format) => {
    const gateway = await startWholeGateway();
    const stream = goodStream(format, TEXT);
    gateway.upstream().script(byteByByte(Buffer.from(stream)));
    expect(await (await ask(gateway, format, true)).text()).toBe(stream);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', input_tokens: 31, output_tokens: 7 });
  });
  it('a request that comes byte by byte goes out byte for byte', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(streams(goodStream('chat', 'Hello')));
    const body = Buffer.from(JSON.stringify({ model: 'm-1', stream: true, messages: [{ role: 'user', content: TEXT }] }));
    const client = await rawClient(gateway.port);
    client.socket.setNoDelay(true);
    client.send(`POST ${pathOf('chat', true)} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer hf-test\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    for (const byte of body) {
      client.send(Uint8Array.of(byte));
      await new Promise<void>((resolve) => { setImmediate(resolve); });
    }
    await client.seen('[DONE]');
    expect(await (await gateway.upstream().call(0)).body).toEqual(body);
    client.reset();
  });
});

describe('R18: fields are read as the standard says (SPEC 5.3)', () => {
  // A mark of byte order in two reads, no blank after the colon.
  const odd = (text: string): Script => async (call) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(Uint8Array.of(0xef, 0xbb));
    await call.write(Buffer.concat([Buffer.from([0xbf]), Buffer.from(text)]));
    await call.end();
  };
  it.each(FORMAT_NAMES)('%s', async (format) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    const tight = (text: string): string => text.replaceAll(/^(event|data): /gm, '$1:');
    const good = tight(goodStream(format, 'Hello there'));
    gateway.upstream().script(odd(tight(wordsOf[format].opening('m-1').join('') + wordsOf[format].overload())), odd(good));
    const answer = Buffer.from(await (await ask(gateway, format, true)).arrayBuffer());
    expect(answer).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)]));
    expect((await gateway.ended())[0]).toMatchObject({ retries: 1, outcome: 'success', input_tokens: 31, output_tokens: 7 });
  });
});

describe('R19: the last event counts without its blank line (SPEC 5.3)', () => {
  it.each(FORMAT_NAMES.flatMap((format) => ([/\r?\n$/, /(\r?\n)+$/] as const).map((missing) => [format, missing] as const)))('%s without %s', async (format, missing) => {
    const gateway = await startWholeGateway();
    const stream = goodStream(format, 'Hello there').replace(/data: \[DONE\]\n\n$/, '').replace(missing, '');
    gateway.upstream().script(streams(stream));
    expect(await (await ask(gateway, format, true)).text()).toBe(stream);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', attempts: 1, input_tokens: 31, output_tokens: 7 });
  });
});

describe('R20: a line of any length (SPEC 5.5, 6.5)', () => {
  it('64 MB without a line end is passed on in bounded memory, and the end is not taken for a good one', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    const piece = Buffer.alloc(65_536, 0x78);
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await call.write('data: {"x":"');
      for (let n = 0; n < 1_024; n++) await call.write(piece);
      await call.end();
    });
    const before = process.memoryUsage().rss;
    let bytes = 0;
    let most = 0;
    const answer = await ask(gateway, 'chat', true);
    // Half an event is out: only a broken connection tells the client that it is none.
    await expect((async () => {
      for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
        bytes += chunk.byteLength;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
    })()).rejects.toThrow();
    expect(bytes).toBe(12 + 64 * 1_048_576);
    expect(most).toBeLessThan(150 * 1_048_576);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: expect.stringMatching(/^(failed|truncated)$/) });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
});

describe('R21: comments, empty data and foreign marks are no content and go on as they are (SPEC 5)', () => {
  const noise = ': PROCESSING\n\n: PROCESSING\n\ndata:\n\n';
  it.each(FORMAT_NAMES)('%s: noise before the content, [DONE] after the end', async (format) => {
    const gateway = await startWholeGateway();
    const stream = noise + goodStream(format, 'Hello there').replace(/data: \[DONE\]\n\n$/, '') + 'data: [DONE]\n\n';
    gateway.upstream().script(streams(stream));
    const text = await (await ask(gateway, format, true)).text();
    expect(text).toBe(stream);
    for (const event of eventsOf(text)) expect(event.data).not.toMatch(/^:/);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', input_tokens: 31, output_tokens: 7 });
  });
  it.each(FORMAT_NAMES)('%s: a break behind noise is tried again', async (format) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    const unknown = 'event: vendor.progress\ndata: {"type":"vendor.progress","percent":10}\n\n';
    gateway.upstream().script(streams(noise, 'reset'), streams(noise + unknown, 'reset'), streams(goodStream(format, 'Hello there')));
    expect(await (await ask(gateway, format, true)).text()).toBe(goodStream(format, 'Hello there'));
    expect((await gateway.ended())[0]).toMatchObject({ retries: 2 });
  });
});
