import { once } from 'node:events';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { OPENING, OVERLOADED, SSE, WHOLE_STREAM, END, textEvent } from '../../support/anthropic-stream.ts';
import { anOrder, createMemorySink, opened, unopened } from '../../support/attempts.ts';
import { useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();

/** Compresses one part after the other, each flushed, as a server does that means to stream. */
async function flushed(encoder: Transform & { flush(done: () => void): void }, parts: readonly string[]): Promise<Buffer[]> {
  const out: Buffer[] = [];
  let waiting: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => { waiting.push(chunk); });
  for (const part of parts) {
    encoder.write(part);
    await new Promise<void>((resolve) => { encoder.flush(resolve); });
    out.push(Buffer.concat(waiting));
    waiting = [];
  }
  encoder.end();
  await once(encoder, 'end');
  out.push(Buffer.concat(waiting));
  return out;
}

const ENCODERS = [
  ['gzip', () => zlib.createGzip()], ['deflate', () => zlib.createDeflate()], ['deflate', () => zlib.createDeflateRaw()], ['br', () => zlib.createBrotliCompress()], ['zstd', () => zlib.createZstdCompress()],
] as const;

// SPEC 1.7
describe('a stream in an encoding that nobody asked for', () => {
  test.each(ENCODERS)('%s: is decoded event by event', async (name, make) => {
    const parts = await flushed(make(), [OPENING + textEvent('one'), textEvent('two'), END]);
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await call.head(200, { ...SSE, 'content-encoding': name });
      await call.write(parts[0] ?? '');
      // The next part leaves only when the one before has come through.
      await sink.contains('one');
      await call.write(parts[1] ?? '');
      await sink.contains('two');
      await call.write(Buffer.concat(parts.slice(2)));
      await call.end();
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(answer.headers.map(([header]) => header)).toEqual(['content-type']);
    expect(await answer.relay(sink)).toMatchObject({ end: 'complete', facts: { usage: { input: 11, output: 7 } } });
    expect(sink.text()).toBe(OPENING + textEvent('one') + textEvent('two') + END);
  });

  test('fails like any other before content', async () => {
    const body = zlib.gzipSync(OPENING + OVERLOADED);
    rig.upstream.script((call) => call.answer(200, { ...SSE, 'content-encoding': 'gzip' }, body));
    const { failure, kept } = await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(failure).toMatchObject({ class: 'transient', code: 'overloaded_error', where: 'opening' });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(OPENING + OVERLOADED);
  });

  test('that is none is a failure before content', async () => {
    rig.upstream.script((call) => call.answer(200, { ...SSE, 'content-encoding': 'gzip' }, WHOLE_STREAM));
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'invalid', code: 'body_encoding', where: 'opening' });
  });

  test('that breaks in its opening is transient, and what came before a break after content is passed on', async () => {
    const [opening = Buffer.alloc(0), content = Buffer.alloc(0)] = await flushed(zlib.createGzip(), [OPENING, textEvent('one'), END]);
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await call.head(200, { ...SSE, 'content-encoding': 'gzip' });
      await call.write(opening);
      call.reset();
    }, async (call) => {
      await call.head(200, { ...SSE, 'content-encoding': 'gzip' });
      await call.write(Buffer.concat([opening, content]));
      await sink.contains('one');
      call.reset();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'stream_broken', where: 'opening' });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(await answer.relay(sink)).toMatchObject({ end: 'cut', failure: { code: 'stream_broken', where: 'after_content' } });
    expect(sink.text()).toBe(OPENING + textEvent('one'));
  });

  test('that turns to garbage after content is cut', async () => {
    const [opening = Buffer.alloc(0)] = await flushed(zlib.createGzip(), [OPENING + textEvent('one'), END]);
    const sink = createMemorySink();
    rig.upstream.script(async (call) => {
      await call.head(200, { ...SSE, 'content-encoding': 'gzip' });
      await call.write(opening);
      await sink.contains('one');
      await call.write(Buffer.alloc(100, 0xff));
      await call.end();
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url)));
    expect(await answer.relay(sink)).toMatchObject({ end: 'cut', failure: { class: 'invalid', code: 'body_encoding', where: 'after_content' } });
    expect(sink.text()).toBe(OPENING + textEvent('one'));
  });

  test('slows down with its client: a small body that unpacks to 200 MB does not fill memory', async () => {
    const bomb = zlib.gzipSync(Buffer.concat([Buffer.from(OPENING + textEvent('go')), Buffer.alloc(200 * 1024 * 1024, ':\n\n')]));
    rig.upstream.script((call) => call.answer(200, { ...SSE, 'content-encoding': 'gzip' }, bomb));
    const gone = new AbortController();
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal })));
    const sink = createMemorySink();
    sink.block();
    const relay = answer.relay(sink);
    await sink.contains('go');
    for (let n = 0; n < 20; n++) await rig.edge.clock.advance(10);
    expect(sink.bytes().byteLength).toBeLessThan(1024 * 1024);
    gone.abort();
    expect((await relay).end).toBe('gone');
  });
});
