import { describe, expect, test } from 'vitest';
import { END, OPENING, OVERLOADED, PING, SSE, textEvent, WHOLE_STREAM } from '../../support/anthropic-stream.ts';
import { anOrder, createMemorySink, opened, relayed, unopened } from '../../support/attempts.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();
const streams = (...parts: readonly string[]) => async (call: Call): Promise<void> => {
  await call.head(200, SSE);
  for (const part of parts) await call.write(part);
};

describe('a stream', () => {
  // SPEC 5.6
  test('opens with its first content and is relayed byte for byte, with its facts', async () => {
    rig.upstream.script(async (call) => {
      await streams(OPENING, PING, textEvent('hel'))(call);
      await call.write(textEvent('lo') + END);
      await call.end();
    });
    const { opened: answer, sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(answer).toMatchObject({ status: 200, stream: true, whole: null });
    expect(answer.headers).toContainEqual(['content-type', SSE['content-type']]);
    expect(sink.text()).toBe(OPENING + PING + textEvent('hel') + textEvent('lo') + END);
    expect(sink.writes.every((write) => write.mark.boundary)).toBe(true);
    expect(sink.writes.at(-1)?.mark).toMatchObject({ content: true, terminal: true });
    expect(end).toMatchObject({ end: 'complete', failure: null, facts: { model: 'm-test', finishReason: 'end_turn', usage: { input: 11, output: 7 } } });
    expect(end.firstContentMs).toBe(rig.edge.clock.now());
  });

  test('that comes one byte at a time is the same stream', async () => {
    rig.upstream.script(async (call) => {
      await call.head(200, SSE);
      for (const byte of Buffer.from(WHOLE_STREAM)) await call.write(Buffer.of(byte));
      await call.end();
    });
    const { sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(sink.text()).toBe(WHOLE_STREAM);
    expect(sink.writes.every((write) => write.mark.boundary && write.bytes.toString().endsWith('\n\n'))).toBe(true);
    expect(end.end).toBe('complete');
  });

  test('is held until content: nothing opens before', async () => {
    let settled = false;
    const attempt = rig.edge.open(anOrder(rig.upstream.url)).finally(() => { settled = true; });
    const call = await rig.upstream.call(0);
    await streams(OPENING, PING)(call);
    await rig.edge.clock.advance(20_000);
    expect(settled).toBe(false);
    await call.write(textEvent('hello'));
    await call.write(END);
    await call.end();
    expect((await relayed(attempt)).sink.text()).toBe(OPENING + PING + textEvent('hello') + END);
  });

  // SPEC 4.3, 10.2
  test('with an error before content fails, and keeps what came', async () => {
    rig.upstream.script(async (call) => {
      await streams(OPENING, OVERLOADED)(call);
      await call.end();
    });
    const { failure, kept, report } = await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(failure).toMatchObject({ class: 'transient', code: 'overloaded_error', status: 529, where: 'opening', sentWhole: true, message: 'Overloaded' });
    expect(kept).toMatchObject({ kind: 'stream', status: 200, wellFormed: true });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(OPENING + OVERLOADED);
    expect(report.bytes).toBe((OPENING + OVERLOADED).length);
  });

  test('with an error before content does not wait long for an upstream that keeps the connection open', async () => {
    const attempt = rig.edge.open(anOrder(rig.upstream.url));
    const call = await rig.upstream.call(0);
    await streams(OPENING + OVERLOADED)(call);
    await rig.edge.clock.whenWaits((waits) => waits.includes(250));
    await rig.edge.clock.advance(250);
    expect((await unopened(attempt)).failure.code).toBe('overloaded_error');
    await call.closed;
  });

  // SPEC 5.4
  test('with content ahead of an error in one read opens; the error is relayed', async () => {
    rig.upstream.script(async (call) => {
      await streams(OPENING + textEvent('hi') + OVERLOADED)(call);
      await call.end();
    });
    const { sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(sink.text()).toBe(OPENING + textEvent('hi') + OVERLOADED);
    expect(end).toMatchObject({ end: 'error_event', failure: { code: 'overloaded_error', where: 'after_content' } });
  });

  // SPEC 4.5
  test.each([
    ['ends after its opening', (call: Call) => call.end(), 'stream_ended_early', OPENING],
    ['is reset in its opening', (call: Call) => { call.reset(); }, 'stream_broken', null],
    ['is closed in its opening without an end', (call: Call) => { call.fin(); }, 'stream_broken', null],
  ])('that %s is transient', async (_name, stop, code, keeps) => {
    rig.upstream.script(async (call) => {
      await streams(OPENING)(call);
      await stop(call);
    });
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(failure).toMatchObject({ class: 'transient', code, where: 'opening', status: null });
    expect(kept === null ? null : Buffer.from(kept.body).toString()).toBe(keeps);
  });

  test.each([['no byte', ''], ['blank lines', '\n\n\r\n  ']])('of %s is transient', async (_name, body) => {
    rig.upstream.script((call) => call.answer(200, SSE, body));
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'stream_ended_early', where: 'opening' });
  });

  // SPEC 10.3
  test.each([
    ['reset', (call: Call) => { call.reset(); }, 'stream_broken'],
    ['closed', (call: Call) => { call.fin(); }, 'stream_broken'],
    ['ended', (call: Call) => { void call.end(); }, 'stream_ended_early'],
  ])('that is %s after content is cut, and half an event is not passed on', async (_name, stop, code) => {
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await streams(OPENING + textEvent('hel'), 'data: {"type":"content_block_de')(call);
      await sink.contains('hel');
      stop(call);
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    const end = await answer.relay(sink);
    expect(sink.text()).toBe(OPENING + textEvent('hel'));
    expect(end).toMatchObject({ end: 'cut', failure: { class: 'transient', code, where: 'after_content' }, facts: { finishReason: null } });
  });

  test('that breaks after its stop reason is complete', async () => {
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await streams(WHOLE_STREAM.slice(0, WHOLE_STREAM.indexOf('event: message_stop') + 10))(call);
      await sink.contains('end_turn');
      call.reset();
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(await answer.relay(sink)).toMatchObject({ end: 'complete', failure: null });
    expect(sink.text()).toBe(WHOLE_STREAM.slice(0, WHOLE_STREAM.indexOf('event: message_stop')));
  });

  test('that is not closed after its last event does not keep anybody waiting', async () => {
    const sink = createMemorySink();
    rig.upstream.script(streams(WHOLE_STREAM));
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    const relay = answer.relay(sink);
    await sink.contains('message_stop');
    await rig.edge.clock.advance(2_000);
    expect((await relay).end).toBe('complete');
    expect((await (await rig.upstream.call(0)).closed).how).not.toBe('ours');
  });

  // SPEC 5.3
  test('whose last event lacks its blank line is complete, and the event is passed on', async () => {
    rig.upstream.script(async (call) => {
      await streams(WHOLE_STREAM.trimEnd())(call);
      await call.end();
    });
    const { sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(sink.text()).toBe(WHOLE_STREAM.trimEnd());
    expect(end.end).toBe('complete');
  });

  // SPEC 5.5, 6.5
  test('with an event of 10 MiB passes it on in bounded pieces', async () => {
    const big = textEvent('x'.repeat(10 * 1024 * 1024));
    rig.upstream.script(async (call) => {
      await streams(OPENING)(call);
      void call.write(big);
      void call.write(END);
      void call.end();
    });
    const { sink, end } = await relayed(rig.edge.open(anOrder(rig.upstream.url)));
    expect(sink.bytes().equals(Buffer.from(OPENING + big + END))).toBe(true);
    expect(end.end).toBe('complete');
    expect(Math.max(...sink.writes.slice(1).map((write) => write.bytes.byteLength))).toBeLessThan(2 * 1024 * 1024);
    expect(sink.writes.filter((write) => !write.mark.boundary).length).toBeGreaterThan(10);
  });

  test('slows down with its client, and silence of the client is not silence of the upstream', async () => {
    const piece = textEvent('y'.repeat(60_000));
    rig.upstream.script(async (call) => {
      await streams(OPENING + textEvent('go'))(call);
      for (let n = 0; n < 300; n++) void call.write(piece);
      void call.write(END);
      void call.end();
    });
    const sink = createMemorySink();
    sink.block();
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { idleTimeoutMs: 1_000 })));
    const relay = answer.relay(sink);
    await sink.contains('go');
    for (let n = 0; n < 20; n++) await rig.edge.clock.advance(1_000);
    expect((await rig.upstream.call(0)).waitingBytes()).toBeGreaterThan(8 * 1024 * 1024);
    expect(sink.bytes().byteLength).toBeLessThan(512 * 1024);
    sink.drain();
    expect((await relay).end).toBe('complete');
    expect(sink.bytes().byteLength).toBe(OPENING.length + textEvent('go').length + 300 * piece.length + END.length);
  });
});
