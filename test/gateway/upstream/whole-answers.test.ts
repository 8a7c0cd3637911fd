import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anOrder, anUpstream, createMemorySink, opened, relayed, unopened } from '../../support/attempts.ts';
import { useUpstreamRig } from '../../support/upstream-rig.ts';

const OVERLOADED = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
const whole = () => anArrival({ streamed: false, bytes: '{"model":"m-test"}' });

const rig = useUpstreamRig();

describe('a whole answer', () => {
  test('is kept until complete and comes out byte for byte, with its facts', async () => {
    rig.upstream.script((call) => call.answer(200, { 'content-type': 'application/json', 'x-two': 'y' }, WHOLE_ANSWER));
    const { opened: answer, sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(sink.text()).toBe(WHOLE_ANSWER);
    expect(answer).toMatchObject({ status: 200, stream: false });
    expect(Buffer.from(answer.whole ?? []).toString()).toBe(WHOLE_ANSWER);
    expect(answer.headers).toContainEqual(['content-length', String(WHOLE_ANSWER.length)]);
    expect(end).toMatchObject({ end: 'complete', failure: null, facts: { model: 'm-test', finishReason: 'end_turn', usage: { input: 11, output: 7 } } });
    expect(end.report).toMatchObject({ sentWhole: true, resent: false, bytes: WHOLE_ANSWER.length });
  });

  // SPEC 4.5
  test.each([
    ['a wrong content-length', (_text: string) => ({ 'content-length': '400' })],
    ['chunks without an end', (_text: string) => ({})],
  ])('that breaks before its end is transient: %s', async (_name, headers) => {
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/json', ...headers('') });
      await call.write(WHOLE_ANSWER.slice(0, 30));
      call.fin();
    });
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(failure).toMatchObject({ class: 'transient', code: 'body_broken', where: 'body', sentWhole: true, status: null });
    expect(kept).toBeNull();
  });

  test('that is reset before its end is transient', async () => {
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-length': '400' });
      await call.write(WHOLE_ANSWER.slice(0, 30));
      call.reset();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })))).failure).toMatchObject({ class: 'transient', code: 'body_broken', where: 'body' });
  });

  test('over HTTP/1.0 ends with its connection', async () => {
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/json' }, { version: '1.0' });
      await call.write(WHOLE_ANSWER);
      await call.end();
    });
    const { sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(sink.text()).toBe(WHOLE_ANSWER);
    expect(end.end).toBe('complete');
  });

  test('over HTTP/1.0 that is half or reset is transient, not complete', async () => {
    rig.upstream.script(async (call) => {
      await call.head(200, {}, { version: '1.0' });
      await call.write(WHOLE_ANSWER.slice(0, 40));
      call.fin();
    }, async (call) => {
      await call.head(200, {}, { version: '1.0' });
      await call.write(WHOLE_ANSWER);
      call.reset();
    });
    for (let round = 0; round < 2; round++) {
      expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })))).failure).toMatchObject({ class: 'transient', code: 'body_broken' });
    }
  });

  test('of no bytes is transient', async () => {
    rig.upstream.script((call) => call.answer(200, {}, ''), (call) => call.raw('HTTP/1.1 204 No Content\r\n\r\n'));
    for (let round = 0; round < 2; round++) {
      expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })))).failure).toMatchObject({ class: 'transient', code: 'answer.empty', where: 'body' });
    }
  });

  test('that is an error object is that error, whatever its status says, and keeps the status that stands for it', async () => {
    rig.upstream.script((call) => call.answer(200, { 'content-type': 'application/json' }, OVERLOADED));
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(failure).toMatchObject({ class: 'transient', code: 'overloaded_error', status: 529, where: 'body' });
    expect(kept).toMatchObject({ kind: 'http', status: 529, wellFormed: true, cut: false });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(OVERLOADED);
  });

  // SPEC 4.9
  test.each([
    ['a page', '\n  <!doctype html><title>Login</title>', 'text/html'],
    ['a page that calls itself JSON', '<html>', 'application/json'],
    ['JSON of another shape', '{"hello":"world"}', 'application/json'],
    ['a text', 'hello', 'text/plain'],
  ])('that is %s is invalid and is kept for quoting', async (_name, body, type) => {
    rig.upstream.script((call) => call.answer(200, { 'content-type': type }, body));
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(failure).toMatchObject({ class: 'invalid', code: 'answer.invalid', status: 200 });
    expect(kept).toMatchObject({ kind: 'http', status: 200, wellFormed: false });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(body);
  });

  // SPEC 5.7
  test('over 8 MiB flows, and a break in it cuts it', async () => {
    const piece = 'x'.repeat(1024 * 1024);
    const held = createMemorySink();
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/json' });
      await call.write('{"type":"message","text":"');
      for (let n = 0; n < 9; n++) await call.write(piece);
      await held.reaches(9 * piece.length);
      await call.write('tail');
      await held.contains('tail');
      call.reset();
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole(), wholeLeftMs: 1_000, attemptTimeoutMs: 1_000 })));
    expect(answer).toMatchObject({ whole: null, stream: false });
    expect(rig.edge.clock.pending()).toBe(0);
    const end = await answer.relay(held);
    expect(end).toMatchObject({ end: 'cut', failure: { code: 'body_broken', where: 'after_content' } });
    expect(held.bytes().byteLength).toBe(26 + 9 * piece.length + 4);
  });

  test('over 8 MiB slows down with its client and comes whole', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'y');
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-length': String(40 * piece.length + 1) });
      await call.write('{');
      for (let n = 0; n < 40; n++) void call.write(piece);
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    const sink = createMemorySink();
    sink.block();
    const relay = answer.relay(sink);
    await sink.reaches(8 * piece.length);
    await rig.edge.clock.advance(0);
    await rig.edge.clock.advance(0);
    const call = await rig.upstream.call(0);
    expect(call.waitingBytes()).toBeGreaterThan(15 * piece.length);
    expect(sink.bytes().byteLength).toBeLessThan(12 * piece.length);
    sink.drain();
    expect((await relay).end).toBe('complete');
    expect(sink.bytes().byteLength).toBe(40 * piece.length + 1);
  });

  // SPEC 8.3
  test('is cut by the time that is left of it, and by the limit of an attempt', async () => {
    const first = rig.edge.open(anOrder(rig.upstream.url, { arrival: whole(), wholeLeftMs: 598_000, attemptTimeoutMs: 0 }));
    const call = await rig.upstream.call(0);
    await call.body;
    await rig.edge.clock.advance(597_999);
    expect(rig.edge.clock.pending()).toBe(1);
    await rig.edge.clock.advance(1);
    expect((await unopened(first)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_whole', where: 'head', sentWhole: true, status: null });
    await call.closed;

    const second = rig.edge.open(anOrder(rig.upstream.url, { arrival: whole(), wholeLeftMs: 598_000, attemptTimeoutMs: 1_000 }));
    const half = await rig.upstream.call(1);
    await half.head(200, { 'content-length': '100' });
    await half.write('{');
    await rig.edge.clock.advance(1_000);
    expect((await unopened(second)).failure).toMatchObject({ class: 'timeout', code: 'upstream.timeout_attempt' });
    await half.closed;
  });

  test('is not idle, however slowly it comes', async () => {
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { arrival: whole(), idleTimeoutMs: 1_000, wholeLeftMs: 598_000 }));
    const call = await rig.upstream.call(0);
    await rig.edge.clock.advance(500_000);
    await call.answer(200, {}, WHOLE_ANSWER);
    expect((await relayed(attempt)).end.end).toBe('complete');
  });
});

describe('an encoding', () => {
  // SPEC 1.7
  test('that comes anyway is undone and not announced', async () => {
    const body = gzipSync(WHOLE_ANSWER);
    rig.upstream.script((call) => call.answer(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body));
    const { opened: answer, sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(sink.text()).toBe(WHOLE_ANSWER);
    expect(answer.headers.map(([name]) => name)).toEqual(['content-type']);
    expect(end.report.bytes).toBe(body.byteLength);
    expect((await rig.upstream.call(0)).header('accept-encoding')).toBe('identity');
  });

  test.each([
    ['is not what it says', 'gzip', Buffer.from(WHOLE_ANSWER), 'invalid', 'body_encoding'],
    ['nobody knows', 'rot13', Buffer.from(WHOLE_ANSWER), 'invalid', 'body_encoding'],
    ['stops half way', 'gzip', gzipSync(WHOLE_ANSWER.repeat(50)).subarray(0, 100), 'transient', 'body_broken'],
  ])('that %s is a failure and no crash', async (_name, encoding, body, failureClass, code) => {
    rig.upstream.script((call) => call.answer(200, { 'content-encoding': encoding }, body));
    const { failure } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
    expect(failure).toMatchObject({ class: failureClass, code, where: 'body' });
  });
});

describe('a request that is no generation', () => {
  // SPEC 1.2
  test('flows through unread, whatever it is', async () => {
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-type': 'application/octet-stream', 'content-length': '6' });
      await call.write('<a');
      await call.write('bcde');
    });
    const { opened: answer, sink } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ operation: 'forward', streamed: false, method: 'GET', bytes: '' }) })));
    expect(sink.text()).toBe('<abcde');
    expect(answer.headers).toContainEqual(['content-length', '6']);
    expect((await rig.upstream.call(0)).header('content-length')).toBeUndefined();
  });

  test('that counts tokens takes any JSON object', async () => {
    rig.upstream.script((call) => call.answer(200, {}, '{"input_tokens":42}'), (call) => call.answer(200, {}, '<html>'));
    const order = anOrder(rig.upstream.url, { arrival: anArrival({ operation: 'count_tokens', streamed: false }) });
    expect((await relayed(rig.edge.open(order))).sink.text()).toBe('{"input_tokens":42}');
    expect((await unopened(rig.edge.open(order))).failure.class).toBe('invalid');
  });
});

test('an upstream that repeats the key does not get it into the failure', async () => {
  rig.upstream.script((call) => call.answer(401, {}, '{"type":"error","error":{"type":"authentication_error","message":"bad key sk-secret-value"}}'));
  const { failure } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole(), upstream: anUpstream(rig.upstream.url) })));
  expect(failure).toMatchObject({ class: 'auth', status: 401, where: 'head' });
  expect(failure.message).toBe('bad key [masked]');
});
