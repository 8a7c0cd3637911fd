import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anArrival, anEdge, anOrder, createMemorySink, opened, relayed, unopened } from '../../support/attempts.ts';
import { startScriptedUpstream, type Call, type ScriptedUpstream } from '../../support/scripted-upstream.ts';

const event = (data: object & { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = event({ type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm-test', content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 1 } } } as never);
const BLOCK = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never);
const PING = event({ type: 'ping' });
const text = (words: string): string => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } } as never);
const STOP = event({ type: 'content_block_stop', index: 0 } as never) + event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } } as never) + event({ type: 'message_stop' });
const OVERLOADED = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as never);
const OPENING = START + BLOCK;
const WHOLE = OPENING + text('hel') + text('lo') + STOP;
const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

let upstream: ScriptedUpstream;
let edge: ReturnType<typeof anEdge>;
beforeEach(async () => {
  upstream = await startScriptedUpstream();
  edge = anEdge();
});
afterEach(async () => {
  expect(edge.clock.pending(), 'timers left').toBe(0);
  await edge.close();
  await upstream.whenOpen(0);
  expect(edge.openConnections()).toBe(0);
  await upstream.close();
});

const streams = (...parts: readonly string[]) => async (call: Call): Promise<void> => {
  await call.head(200, SSE);
  for (const part of parts) await call.write(part);
};

describe('a stream', () => {
  // SPEC 5.6
  test('opens with its first content and is relayed byte for byte, with its facts', async () => {
    upstream.script(async (call) => {
      await streams(OPENING, PING, text('hel'))(call);
      await call.write(text('lo') + STOP);
      await call.end();
    });
    const { opened: answer, sink, end } = await relayed(edge.open(anOrder(upstream.url)));
    expect(answer).toMatchObject({ status: 200, stream: true, whole: null });
    expect(answer.headers).toContainEqual(['content-type', SSE['content-type']]);
    expect(sink.text()).toBe(OPENING + PING + text('hel') + text('lo') + STOP);
    expect(sink.writes.every((write) => write.mark.boundary)).toBe(true);
    expect(sink.writes.at(-1)?.mark).toMatchObject({ content: true, terminal: true });
    expect(end).toMatchObject({ end: 'complete', failure: null, facts: { model: 'm-test', finishReason: 'end_turn', usage: { input: 11, output: 7 } } });
    expect(end.firstContentMs).toBe(edge.clock.now());
  });

  test('that comes one byte at a time is the same stream', async () => {
    upstream.script(async (call) => {
      await call.head(200, SSE);
      for (const byte of Buffer.from(WHOLE)) await call.write(Buffer.of(byte));
      await call.end();
    });
    const { sink, end } = await relayed(edge.open(anOrder(upstream.url)));
    expect(sink.text()).toBe(WHOLE);
    expect(sink.writes.every((write) => write.mark.boundary && write.bytes.toString().endsWith('\n\n'))).toBe(true);
    expect(end.end).toBe('complete');
  });

  test('is held until content: nothing opens before', async () => {
    let settled = false;
    const attempt = edge.open(anOrder(upstream.url)).finally(() => { settled = true; });
    const call = await upstream.call(0);
    await streams(OPENING, PING)(call);
    await edge.clock.advance(20_000);
    expect(settled).toBe(false);
    await call.write(text('hello'));
    await call.write(STOP);
    await call.end();
    expect((await relayed(attempt)).sink.text()).toBe(OPENING + PING + text('hello') + STOP);
  });

  // SPEC 4.3, 10.2
  test('with an error before content fails, and keeps what came', async () => {
    upstream.script(async (call) => {
      await streams(OPENING, OVERLOADED)(call);
      await call.end();
    });
    const { failure, kept, report } = await unopened(edge.open(anOrder(upstream.url)));
    expect(failure).toMatchObject({ class: 'transient', code: 'overloaded_error', status: 529, where: 'opening', sentWhole: true, message: 'Overloaded' });
    expect(kept).toMatchObject({ kind: 'stream', status: 200, wellFormed: true });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(OPENING + OVERLOADED);
    expect(report.bytes).toBe((OPENING + OVERLOADED).length);
  });

  test('with an error before content does not wait long for an upstream that keeps the connection open', async () => {
    const attempt = edge.open(anOrder(upstream.url));
    const call = await upstream.call(0);
    await streams(OPENING + OVERLOADED)(call);
    await edge.clock.whenWaits((waits) => waits.includes(250));
    await edge.clock.advance(250);
    expect((await unopened(attempt)).failure.code).toBe('overloaded_error');
    await call.closed;
  });

  // SPEC 5.4
  test('with content ahead of an error in one read opens; the error is relayed', async () => {
    upstream.script(async (call) => {
      await streams(OPENING + text('hi') + OVERLOADED)(call);
      await call.end();
    });
    const { sink, end } = await relayed(edge.open(anOrder(upstream.url)));
    expect(sink.text()).toBe(OPENING + text('hi') + OVERLOADED);
    expect(end).toMatchObject({ end: 'error_event', failure: { code: 'overloaded_error', where: 'after_content' } });
  });

  // SPEC 4.5
  test.each([
    ['ends after its opening', (call: Call) => call.end(), 'stream_ended_early', OPENING],
    ['is reset in its opening', (call: Call) => { call.reset(); }, 'stream_broken', null],
    ['is closed in its opening without an end', (call: Call) => { call.fin(); }, 'stream_broken', null],
  ])('that %s is transient', async (_name, stop, code, keeps) => {
    upstream.script(async (call) => {
      await streams(OPENING)(call);
      await stop(call);
    });
    const { failure, kept } = await unopened(edge.open(anOrder(upstream.url)));
    expect(failure).toMatchObject({ class: 'transient', code, where: 'opening', status: null });
    expect(kept === null ? null : Buffer.from(kept.body).toString()).toBe(keeps);
  });

  test.each([['no byte', ''], ['blank lines', '\n\n\r\n  ']])('of %s is transient', async (_name, body) => {
    upstream.script((call) => call.answer(200, SSE, body));
    expect((await unopened(edge.open(anOrder(upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'stream_ended_early', where: 'opening' });
  });

  // SPEC 10.3
  test.each([
    ['reset', (call: Call) => { call.reset(); }, 'stream_broken'],
    ['closed', (call: Call) => { call.fin(); }, 'stream_broken'],
    ['ended', (call: Call) => call.end(), 'stream_ended_early'],
  ])('that is %s after content is cut, and half an event is not passed on', async (_name, stop, code) => {
    const sink = createMemorySink();
    upstream.script(async (call) => {
      await streams(OPENING + text('hel'), 'data: {"type":"content_block_de')(call);
      await sink.contains('hel');
      await stop(call);
    });
    const answer = await opened(edge.open(anOrder(upstream.url)));
    const end = await answer.relay(sink);
    expect(sink.text()).toBe(OPENING + text('hel'));
    expect(end).toMatchObject({ end: 'cut', failure: { class: 'transient', code, where: 'after_content' }, facts: { finishReason: null } });
  });

  test('that breaks after its stop reason is complete', async () => {
    const sink = createMemorySink();
    upstream.script(async (call) => {
      await streams(WHOLE.slice(0, WHOLE.indexOf('event: message_stop') + 10))(call);
      await sink.contains('end_turn');
      call.reset();
    });
    const answer = await opened(edge.open(anOrder(upstream.url)));
    expect(await answer.relay(sink)).toMatchObject({ end: 'complete', failure: null });
    expect(sink.text()).toBe(WHOLE.slice(0, WHOLE.indexOf('event: message_stop')));
  });

  test('that is not closed after its last event does not keep anybody waiting', async () => {
    const sink = createMemorySink();
    upstream.script(streams(WHOLE));
    const answer = await opened(edge.open(anOrder(upstream.url)));
    const relay = answer.relay(sink);
    await sink.contains('message_stop');
    await edge.clock.advance(2_000);
    expect((await relay).end).toBe('complete');
    expect((await (await upstream.call(0)).closed).how).not.toBe('ours');
  });

  // SPEC 5.3
  test('whose last event lacks its blank line is complete, and the event is passed on', async () => {
    upstream.script(async (call) => {
      await streams(WHOLE.trimEnd())(call);
      await call.end();
    });
    const { sink, end } = await relayed(edge.open(anOrder(upstream.url)));
    expect(sink.text()).toBe(WHOLE.trimEnd());
    expect(end.end).toBe('complete');
  });

  // SPEC 5.5, 6.5
  test('with an event of 10 MiB passes it on in bounded pieces', async () => {
    const big = text('x'.repeat(10 * 1024 * 1024));
    upstream.script(async (call) => {
      await streams(OPENING)(call);
      void call.write(big);
      void call.write(STOP);
      void call.end();
    });
    const { sink, end } = await relayed(edge.open(anOrder(upstream.url)));
    expect(sink.bytes().equals(Buffer.from(OPENING + big + STOP))).toBe(true);
    expect(end.end).toBe('complete');
    expect(Math.max(...sink.writes.slice(1).map((write) => write.bytes.byteLength))).toBeLessThan(2 * 1024 * 1024);
    expect(sink.writes.filter((write) => !write.mark.boundary).length).toBeGreaterThan(10);
  });

  test('slows down with its client, and silence of the client is not silence of the upstream', async () => {
    const piece = text('y'.repeat(60_000));
    upstream.script(async (call) => {
      await streams(OPENING + text('go'))(call);
      for (let n = 0; n < 300; n++) void call.write(piece);
      void call.write(STOP);
      void call.end();
    });
    const sink = createMemorySink();
    sink.block();
    const answer = await opened(edge.open(anOrder(upstream.url, { idleTimeoutMs: 1_000 })));
    const relay = answer.relay(sink);
    await sink.contains('go');
    for (let n = 0; n < 20; n++) await edge.clock.advance(1_000);
    expect((await upstream.call(0)).waitingBytes()).toBeGreaterThan(8 * 1024 * 1024);
    expect(sink.bytes().byteLength).toBeLessThan(512 * 1024);
    sink.drain();
    expect((await relay).end).toBe('complete');
    expect(sink.bytes().byteLength).toBe(OPENING.length + text('go').length + 300 * piece.length + STOP.length);
  });
});

describe('silence', () => {
  // SPEC 2.5
  test('before the head, and while only heartbeats come, ends the attempt; openings feed', async () => {
    const attempt = edge.open(anOrder(upstream.url, { idleTimeoutMs: 30_000 }));
    const call = await upstream.call(0);
    await call.head(200, SSE);
    await call.write(START);
    await edge.clock.advance(29_000);
    await call.write(BLOCK);
    await settleReads(call);
    await edge.clock.advance(29_000);
    await call.write(PING + ': comment\n\n');
    await settleReads(call);
    await edge.clock.advance(1_001);
    expect((await unopened(attempt)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_idle', where: 'opening', status: null });
    await call.closed;

    const second = edge.open(anOrder(upstream.url, { idleTimeoutMs: 30_000 }));
    const silent = await upstream.call(1);
    await silent.body;
    await edge.clock.advance(30_000);
    expect((await unopened(second)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_idle', where: 'head', sentWhole: true });
    await silent.closed;
  });

  test('after content cuts; any byte feeds there', async () => {
    const sink = createMemorySink();
    upstream.script(streams(OPENING + text('hel')));
    const answer = await opened(edge.open(anOrder(upstream.url, { idleTimeoutMs: 30_000, attemptTimeoutMs: 5_000 })));
    const relay = answer.relay(sink);
    const call = await upstream.call(0);
    await edge.clock.advance(29_000);
    await call.write(': comment\n\n');
    await sink.contains('comment');
    await edge.clock.advance(29_000);
    await edge.clock.advance(1_000);
    expect(await relay).toMatchObject({ end: 'cut', failure: { class: 'timeout', code: 'upstream.timeout_idle', where: 'after_content' } });
    await call.closed;
  });

  test('after the stop reason is the end', async () => {
    const sink = createMemorySink();
    upstream.script(streams(WHOLE.slice(0, WHOLE.indexOf('event: message_stop'))));
    const answer = await opened(edge.open(anOrder(upstream.url, { idleTimeoutMs: 30_000 })));
    const relay = answer.relay(sink);
    await sink.contains('end_turn');
    await edge.clock.advance(30_000);
    expect((await relay).end).toBe('complete');
  });

  // SPEC 8.2
  test('is not needed for the limit of an attempt: only content stops that', async () => {
    const attempt = edge.open(anOrder(upstream.url, { attemptTimeoutMs: 5_000 }));
    const call = await upstream.call(0);
    await streams(OPENING)(call);
    await edge.clock.advance(5_000);
    expect((await unopened(attempt)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_attempt' });
    await call.closed;
  });
});

describe('letting go', () => {
  // SPEC 6.1
  test('sends what is held at once; content is waited for all the same', async () => {
    const letGo = new AbortController();
    const attempt = edge.open(anOrder(upstream.url, { letGo: letGo.signal }));
    const call = await upstream.call(0);
    await streams(OPENING + 'data: {"ty')(call);
    await settleReads(call);
    letGo.abort();
    const answer = await opened(attempt);
    const sink = createMemorySink();
    const relay = answer.relay(sink);
    expect(sink.text()).toBe(OPENING);
    expect(sink.writes[0]?.mark).toEqual({ boundary: true, content: false, terminal: false });
    await edge.clock.advance(3_000);
    await call.write(text('hi').slice(0, 0) + 'pe":"ping"}\n\n' + text('hi') + STOP);
    await call.end();
    const end = await relay;
    expect(end).toMatchObject({ end: 'complete', firstContentMs: edge.clock.now() });
    expect(sink.text()).toBe(`${OPENING}data: {"type":"ping"}\n\n${text('hi')}${STOP}`);
  });

  test('before the head sends the head as it comes, and everything as it comes', async () => {
    const attempt = edge.open(anOrder(upstream.url, { letGo: AbortSignal.abort() }));
    const call = await upstream.call(0);
    await call.head(200, SSE);
    const answer = await opened(attempt);
    expect(answer.stream).toBe(true);
    const sink = createMemorySink();
    const relay = answer.relay(sink);
    await call.write(START);
    await sink.contains('message_start');
    await call.write(OVERLOADED);
    await call.end();
    expect(await relay).toMatchObject({ end: 'error_event', failure: { code: 'overloaded_error', where: 'opening' }, firstContentMs: null });
    expect(sink.text()).toBe(START + OVERLOADED);
  });

  test('then a break is a cut', async () => {
    const sink = createMemorySink();
    upstream.script(async (call) => {
      await streams(OPENING)(call);
      await sink.contains('content_block_start');
      call.reset();
    });
    const answer = await opened(edge.open(anOrder(upstream.url, { letGo: AbortSignal.abort() })));
    expect(await answer.relay(sink)).toMatchObject({ end: 'cut', failure: { code: 'stream_broken', where: 'opening' }, firstContentMs: null });
  });
});

describe('what an answer is', () => {
  // SPEC 4.9
  test.each([['text/event-stream', 'with the right name'], ['application/json', 'with a wrong name'], ['', 'without a name']])('is not judged by its content type: a stream %s (%s)', async (type) => {
    upstream.script(async (call) => {
      await call.head(200, type === '' ? {} : { 'content-type': type });
      await call.write(`\r\n${WHOLE}`);
      await call.end();
    });
    expect((await relayed(edge.open(anOrder(upstream.url)))).sink.text()).toBe(`\r\n${WHOLE}`);
  });

  test('a page is invalid', async () => {
    upstream.script((call) => call.answer(200, SSE, ' <html>login</html>'));
    const { failure, kept } = await unopened(edge.open(anOrder(upstream.url)));
    expect(failure).toMatchObject({ class: 'invalid', code: 'answer.invalid', status: 200 });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(' <html>login</html>');
  });

  test('JSON to a stream request is a whole answer, and its error an error', async () => {
    const json = '{"id":"m","type":"message","role":"assistant","model":"m-test","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}';
    upstream.script((call) => call.answer(200, { 'content-type': 'application/json' }, json), (call) => call.answer(200, {}, '{"type":"error","error":{"type":"overloaded_error","message":"x"}}'));
    const { opened: answer, sink } = await relayed(edge.open(anOrder(upstream.url)));
    expect(answer.stream).toBe(false);
    expect(sink.text()).toBe(json);
    expect((await unopened(edge.open(anOrder(upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'overloaded_error', where: 'body' });
  });

  test('a Gemini array is read element by element', async () => {
    const elements = ['{"candidates":[{"content":{"parts":[{"text":"hi"}]}}]}', '{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}}'];
    upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.write(`[${elements[0]}`);
      await call.write(`,\r\n${elements[1]}`);
      await call.write(']');
      await call.end();
    });
    const { opened: answer, sink, end } = await relayed(edge.open(anOrder(upstream.url, { arrival: anArrival({ format: 'gemini', framing: 'json_array' }) })));
    expect(answer.stream).toBe(true);
    expect(sink.text()).toBe(`[${elements[0]},\r\n${elements[1]}]`);
    expect(end).toMatchObject({ end: 'complete', facts: { finishReason: 'STOP' } });
  });
});

// The bytes have left the script; two turns of the loop later they have been read.
async function settleReads(_call: Call): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => { setImmediate(resolve); });
}
