import { describe, expect, test } from 'vitest';
import { BLOCK_START, END, MESSAGE_START, OPENING, OVERLOADED, PING, SSE, textEvent, WHOLE_STREAM } from '../../support/anthropic-stream.ts';
import { anArrival, anOrder, createMemorySink, opened, relayed, unopened } from '../../support/attempts.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { turns, useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();
const streams = (...parts: readonly string[]) => async (call: Call): Promise<void> => {
  await call.head(200, SSE);
  for (const part of parts) await call.write(part);
};

describe('silence', () => {
  // SPEC 2.5
  test('before the head, and while only heartbeats come, ends the attempt; openings feed', async () => {
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { idleTimeoutMs: 30_000 }));
    const call = await rig.upstream.call(0);
    await call.head(200, SSE);
    await call.write(MESSAGE_START);
    await rig.edge.clock.advance(29_000);
    await call.write(BLOCK_START);
    await turns();
    await rig.edge.clock.advance(29_000);
    await call.write(PING + ': comment\n\n');
    await turns();
    await rig.edge.clock.advance(1_001);
    expect((await unopened(attempt)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_idle', where: 'opening', status: null });
    await call.closed;

    const second = rig.edge.open(anOrder(rig.upstream.url, { idleTimeoutMs: 30_000 }));
    const silent = await rig.upstream.call(1);
    await silent.body;
    await rig.edge.clock.advance(30_000);
    expect((await unopened(second)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_idle', where: 'head', sentWhole: true });
    await silent.closed;
  });

  test('after content cuts; any byte feeds there', async () => {
    const sink = createMemorySink();
    rig.upstream.script(streams(OPENING + textEvent('hel')));
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { idleTimeoutMs: 30_000, attemptTimeoutMs: 5_000 })));
    const relay = answer.relay(sink);
    const call = await rig.upstream.call(0);
    await rig.edge.clock.advance(29_000);
    await call.write(': comment\n\n');
    await sink.contains('comment');
    await rig.edge.clock.advance(29_000);
    await rig.edge.clock.advance(1_000);
    expect(await relay).toMatchObject({ end: 'cut', failure: { class: 'timeout', code: 'upstream.timeout_idle', where: 'after_content' } });
    await call.closed;
  });

  test('after the stop reason is the end', async () => {
    const sink = createMemorySink();
    rig.upstream.script(streams(WHOLE_STREAM.slice(0, WHOLE_STREAM.indexOf('event: message_stop'))));
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { idleTimeoutMs: 30_000 })));
    const relay = answer.relay(sink);
    await sink.contains('end_turn');
    await rig.edge.clock.advance(30_000);
    expect((await relay).end).toBe('complete');
  });

  // SPEC 8.2
  test('is not needed for the limit of an attempt: only content stops that', async () => {
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { attemptTimeoutMs: 5_000 }));
    const call = await rig.upstream.call(0);
    await streams(OPENING)(call);
    await rig.edge.clock.advance(5_000);
    expect((await unopened(attempt)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_attempt' });
    await call.closed;
  });
});

describe('letting go', () => {
  // SPEC 6.1
  test('sends what is held at once; content is waited for all the same', async () => {
    const letGo = new AbortController();
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { letGo: letGo.signal }));
    const call = await rig.upstream.call(0);
    await streams(OPENING + 'data: {"ty')(call);
    await turns();
    letGo.abort();
    const answer = await opened(attempt);
    const sink = createMemorySink();
    const relay = answer.relay(sink);
    expect(sink.text()).toBe(OPENING);
    expect(sink.writes[0]?.mark).toEqual({ boundary: true, content: false, terminal: false });
    await rig.edge.clock.advance(3_000);
    await call.write('pe":"ping"}\n\n' + textEvent('hi') + END);
    await call.end();
    const end = await relay;
    expect(end).toMatchObject({ end: 'complete', firstContentMs: rig.edge.clock.now() });
    expect(sink.text()).toBe(`${OPENING}data: {"type":"ping"}\n\n${textEvent('hi')}${END}`);
  });

  test('before the head sends the head as it comes, and everything as it comes', async () => {
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { letGo: AbortSignal.abort() }));
    const call = await rig.upstream.call(0);
    await call.head(200, SSE);
    const answer = await opened(attempt);
    expect(answer.stream).toBe(true);
    const sink = createMemorySink();
    const relay = answer.relay(sink);
    await call.write(MESSAGE_START);
    await sink.contains('message_start');
    await call.write(OVERLOADED);
    await call.end();
    expect(await relay).toMatchObject({ end: 'error_event', failure: { code: 'overloaded_error', where: 'opening' }, firstContentMs: null });
    expect(sink.text()).toBe(MESSAGE_START + OVERLOADED);
  });

  test('then a break is a cut', async () => {
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await streams(OPENING)(call);
      await sink.contains('content_block_start');
      call.reset();
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { letGo: AbortSignal.abort() })));
    expect(await answer.relay(sink)).toMatchObject({ end: 'cut', failure: { code: 'stream_broken', where: 'opening' }, firstContentMs: null });
  });
});

describe('what an answer is', () => {
  // SPEC 4.9
  test.each([['text/event-stream', 'with the right name'], ['application/json', 'with a wrong name'], ['', 'without a name']])('is not judged by its content type: a stream %s (%s)', async (type) => {
    rig.upstream.script(async (call) => {
      await call.head(200, type === '' ? {} : { 'content-type': type });
      await call.write(`\r\n${WHOLE_STREAM}`);
      await call.end();
    });
    expect((await relayed(rig.edge.open(anOrder(rig.upstream.url)))).sink.text()).toBe(`\r\n${WHOLE_STREAM}`);
  });

  test('a page is invalid', async () => {
    rig.upstream.script((call) => call.answer(200, SSE, ' <html>login</html>'));
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(failure).toMatchObject({ class: 'invalid', code: 'answer.invalid', status: 200 });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(' <html>login</html>');
  });

  test('JSON to a stream request is a whole answer, and its error an error', async () => {
    const json = '{"id":"m","type":"message","role":"assistant","model":"m-test","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}';
    rig.upstream.script((call) => call.answer(200, { 'content-type': 'application/json' }, json), (call) => call.answer(200, {}, '{"type":"error","error":{"type":"overloaded_error","message":"x"}}'));
    const { opened: answer, sink } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(answer.stream).toBe(false);
    expect(sink.text()).toBe(json);
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'overloaded_error', where: 'body' });
  });

  test('a Gemini array is read element by element', async () => {
    const elements = ['{"candidates":[{"content":{"parts":[{"text":"hi"}]}}]}', '{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1}}'];
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.write(`[${elements[0]}`);
      await call.write(`,\r\n${elements[1]}`);
      await call.write(']');
      await call.end();
    });
    const { opened: answer, sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ format: 'gemini', framing: 'json_array' }) })));
    expect(answer.stream).toBe(true);
    expect(sink.text()).toBe(`[${elements[0]},\r\n${elements[1]}]`);
    expect(end).toMatchObject({ end: 'complete', facts: { finishReason: 'STOP' } });
  });
});
