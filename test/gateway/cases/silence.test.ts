import { createRequire } from 'node:module';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { parseResponse, rawClient, requestText } from '../downstream/support/raw-client.ts';
import { ask, errorIn, errorOfBody, eventsOf, goodStream, pathOf, says, type WholeGateway } from './support/talk.ts';

/** Lets `secs` of silence go by in steps of a keep-alive, so that each is written on its own. */
async function silence(gateway: WholeGateway, secs: number): Promise<void> {
  for (let left = secs; left > 0; left -= 5) await gateway.clock.advance(5_000);
}

const opened = async (call: Call): Promise<void> => { await call.head(200, { 'content-type': 'text/event-stream' }); };

describe('R23: Gemini clients never see a comment (SPEC 6.3)', () => {
  it('neither before the answer, nor in a pause, nor between chunks', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.keepalive_secs': 5 } });
    const first = Promise.withResolvers<undefined>();
    const second = Promise.withResolvers<undefined>();
    const words = wordsOf.gemini;
    gateway.upstream().script(failsWith(503), async (call) => {
      await opened(call);
      await first.promise;
      for (const event of [...words.opening('m-1'), ...words.answer('m-1', 'Hello there').slice(0, 1)]) await call.write(event);
      await second.promise;
      for (const event of words.answer('m-1', 'Hello there').slice(1)) await call.write(event);
      await call.end();
    });
    const response = ask(gateway, 'gemini', true);
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    await gateway.upstream().call(1);
    await silence(gateway, 25);
    first.resolve(undefined);
    const answer = await response;
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const read = async () => {
      const piece = await reader.read();
      text += new TextDecoder().decode(piece.value);
      return piece.done;
    };
    while (!text.includes('"text":"Hello')) if (await read()) throw new Error(`the answer ended with ${JSON.stringify(text)}`);
    await silence(gateway, 25);
    second.resolve(undefined);
    while (!await read()) { /* the rest */ }
    expect(text).toBe(goodStream('gemini', 'Hello there'));
  });
});

describe('R24: the status is not given away too early (SPEC 6.2, 10.2)', () => {
  it.each(FORMAT_NAMES)('%s: a whole answer gets no byte before its status, however long it takes', async (format) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.keepalive_secs': 5, 'gateway.retry_wait_secs': 0 } });
    const fail = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await fail.promise;
      await failsWith(500)(call);
    });
    const client = await rawClient(gateway.port);
    const body = JSON.stringify({ model: 'm-1', contents: [] });
    client.send(requestText(`POST ${pathOf(format, false)}`, { authorization: 'Bearer hf-test' }, body));
    await gateway.upstream().call(0);
    await silence(gateway, 30);
    expect(client.text()).toBe('');
    fail.resolve(undefined);
    expect(await client.seen('\r\n\r\n')).toMatch(/^HTTP\/1\.1 500 /);
    client.reset();
  });
  it.each(FORMAT_NAMES)('%s: a refusal after the early head is an error event and the end', async (format) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.keepalive_secs': 5 } });
    const refuse = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await refuse.promise;
      await says(400, wordsOf[format].error(400, 'max_tokens is missing'))(call);
    });
    const response = ask(gateway, format, true);
    await gateway.upstream().call(0);
    await silence(gateway, 25);
    const answer = await response;
    expect(answer.status).toBe(200);
    refuse.resolve(undefined);
    const refusedMs = performance.now();
    const events = eventsOf(await answer.text());
    expect(performance.now() - refusedMs).toBeLessThan(500);
    expect(errorIn(format, events.at(-1) ?? { name: '', data: '{}' })).toBe({ anthropic: 'invalid_request_error', chat: 'invalid_request_error', responses: 'invalid_request_error', gemini: 'INVALID_ARGUMENT' }[format]);
    expect(events.at(-1)?.data).toContain('max_tokens is missing');
    expect((await gateway.ended())[0]).toMatchObject({ status: 200, outcome: 'failed', attempts: 1 });
  });
  it.each(FORMAT_NAMES)('%s: an early refusal keeps its status, headers and body', async (format) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(says(400, wordsOf[format].error(400, 'max_tokens is missing'), { 'x-request-id': 'r1' }));
    const answer = await ask(gateway, format, true);
    expect([answer.status, answer.headers.get('x-request-id'), errorOfBody(format, await answer.json())]).toEqual([400, 'r1', format === 'gemini' ? 'INVALID_ARGUMENT' : 'invalid_request_error']);
  });
});

describe('R25: no clock of a library ends what is slow but well (SPEC 2.5)', () => {
  // The library counts by a clock of its own, which its own tests move on like this.
  const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void; reset(): void };
  const anHourPasses = (): void => {
    // New timers start with the first tick.
    timers.tick(1_000);
    timers.tick(3_600_000);
  };
  it('its clock moved on does end a request with the timers that it comes with', async () => {
    const gateway = await startWholeGateway();
    const agent = new Agent();
    const cut = agent.request({ origin: gateway.upstream().url, path: '/', method: 'GET' });
    await gateway.upstream().call(0);
    anHourPasses();
    await expect(cut).rejects.toThrow('Headers Timeout Error');
    await agent.destroy();
    timers.reset();
  });
  it('an hour on the timers of the HTTP library cuts neither a late head nor a silent stream', async () => {
    const gateway = await startWholeGateway();
    const head = Promise.withResolvers<undefined>();
    const rest = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await head.promise;
      await opened(call);
      for (const event of [...wordsOf.chat.opening('m-1'), ...wordsOf.chat.answer('m-1', 'Hello there').slice(0, 1)]) await call.write(event);
      await rest.promise;
      for (const event of wordsOf.chat.answer('m-1', 'Hello there').slice(1)) await call.write(event);
      await call.end();
    });
    // No fetch: it has such timers of its own.
    const client = await rawClient(gateway.port);
    client.send(requestText(`POST ${pathOf('chat', true)}`, { authorization: 'Bearer hf-test' }, '{"model":"m-1","stream":true}'));
    await gateway.upstream().call(0);
    anHourPasses();
    head.resolve(undefined);
    await client.seen('"content":"Hello ');
    anHourPasses();
    rest.resolve(undefined);
    expect(parseResponse(await client.seen('[DONE]\n\n\r\n0\r\n\r\n')).body).toBe(goodStream('chat', 'Hello there'));
    client.reset();
    timers.reset();
  });
});

describe('R26: content goes on at once (SPEC 6.2)', () => {
  it.each<FormatName>([...FORMAT_NAMES])('%s: each event is with the client before the next one is sent', async (format) => {
    const gateway = await startWholeGateway();
    const words = wordsOf[format];
    const got: (() => void)[] = [];
    const delays: number[] = [];
    let sentMs = 0;
    gateway.upstream().script(async (call) => {
      await opened(call);
      for (const event of words.opening('m-1')) await call.write(event);
      for (let n = 0; n < 40; n++) {
        const seen = new Promise<void>((resolve) => { got[n] = resolve; });
        sentMs = performance.now();
        await call.write(words.answer('m-1', `piece-${String(n).padStart(3, '0')}`)[0] ?? '');
        await seen;
      }
      await call.write(words.answer('m-1', 'xx').slice(2).join(''));
      await call.end();
    });
    const answer = await ask(gateway, format, true, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('cache-control')).toContain('no-cache');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    let text = '';
    let pieces = 0;
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      for (; text.split('piece').length - 1 > pieces; pieces++) {
        delays.push(performance.now() - sentMs);
        got[pieces]?.();
      }
    }
    expect(delays).toHaveLength(40);
    // The middle one: a busy machine delays some.
    expect(delays.sort((a, b) => a - b)[20]).toBeLessThan(30);
  });
  it('a pause of the gateway is not content either: the first event after it goes on at once', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), answersWith('Hello'));
    const response = ask(gateway, 'anthropic', true);
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    const answer = await response;
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(await answer.text()).toBe(goodStream('anthropic', 'Hello'));
  });
});
