import { describe, expect, test } from 'vitest';
import { anArrival, anEdge, anOrder, createMemorySink, opened, unopened } from '../../support/attempts.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { turns, useUpstreamRig } from '../../support/upstream-rig.ts';

const OPENING = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m-test","content":[],"usage":{"input_tokens":11,"output_tokens":1}}}\n\n';
const CONTENT = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}\n\n';
const SSE = { 'content-type': 'text/event-stream' };
const LONGEST_MS = 500;

const rig = useUpstreamRig();

/** The upstream's side of the connection is closed by us, soon, and no other request follows. */
async function closedSoon(call: Call, leftMs: number): Promise<void> {
  const { how, atMs } = await call.closed;
  expect(how).not.toBe('ours');
  expect(atMs - leftMs).toBeLessThan(LONGEST_MS);
  expect(rig.upstream.calls.length).toBe(1);
}

// SPEC 3: the client leaving ends it at any step.
describe('leaving', () => {
  test('before anything was sent sends nothing', async () => {
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { gone: AbortSignal.abort() })))).failure).toMatchObject({ class: 'cancelled', code: 'cancelled', where: 'connect', sentWhole: false });
    expect(rig.upstream.accepted()).toBe(0);
  });

  test('in the very step in which the attempt began sends nothing', async () => {
    const gone = new AbortController();
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal }));
    gone.abort();
    expect((await unopened(attempt)).failure.class).toBe('cancelled');
    await rig.upstream.whenOpen(0);
    expect(rig.upstream.calls.length).toBe(0);
  });

  test.each([
    ['before the head', async (_call: Call): Promise<void> => { await turns(); }, 'head'],
    ['in an error body', async (call: Call) => { await call.head(503, SSE); await call.write('{"type"'); await rig.edge.clock.whenWaits((waits) => waits.includes(2_000)); }, 'body'],
    ['while a stream is held', async (call: Call) => { await call.head(200, SSE); await call.write(OPENING); await turns(); }, 'body'],
  ] as const)('%s closes the upstream at once', async (_name, until, where) => {
    const gone = new AbortController();
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal }));
    const call = await rig.upstream.call(0);
    await call.body;
    await until(call);
    const leftMs = performance.now();
    gone.abort();
    expect((await unopened(attempt)).failure).toMatchObject({ class: 'cancelled', where, sentWhole: true });
    await closedSoon(call, leftMs);
  });

  test('in the middle of a whole answer closes the upstream at once', async () => {
    const gone = new AbortController();
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal, arrival: anArrival({ streamed: false }) }));
    const call = await rig.upstream.call(0);
    await call.head(200, {});
    await call.write('{"id":');
    await turns();
    const leftMs = performance.now();
    gone.abort();
    expect((await unopened(attempt)).failure.class).toBe('cancelled');
    await closedSoon(call, leftMs);
  });

  test('while a large request is being sent closes the upstream at once', async () => {
    const gone = new AbortController();
    rig.upstream.script((call) => { call.pauseReading(); });
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal, arrival: anArrival({ bytes: Buffer.alloc(32 * 1024 * 1024, 'x') }) }));
    const call = await rig.upstream.call(0);
    gone.abort();
    const { failure } = await unopened(attempt);
    expect(failure).toMatchObject({ class: 'cancelled', sentWhole: false });
    call.resumeReading();
    await call.closed;
  });

  test('after content ends the relay as gone and closes the upstream at once', async () => {
    const gone = new AbortController();
    const answer = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal }));
    const call = await rig.upstream.call(0);
    await call.head(200, SSE);
    await call.write(OPENING + CONTENT);
    const sink = createMemorySink();
    const relay = (await opened(answer)).relay(sink);
    await sink.contains('text_delta');
    const leftMs = performance.now();
    gone.abort();
    expect(await relay).toMatchObject({ end: 'gone', failure: null, facts: { usage: { input: 11 } } });
    await closedSoon(call, leftMs);
  });

  test('of a slow client, whose bytes wait, closes the upstream at once', async () => {
    const gone = new AbortController();
    rig.upstream.script(async (call) => {
      await call.head(200, SSE);
      await call.write(OPENING + CONTENT);
      for (let n = 0; n < 2_000; n++) void call.write(CONTENT.replace('hi', 'x'.repeat(8_000)));
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal })));
    const sink = createMemorySink();
    sink.block();
    const relay = answer.relay(sink);
    await sink.contains('text_delta');
    await turns();
    const leftMs = performance.now();
    gone.abort();
    expect((await relay).end).toBe('gone');
    await closedSoon(await rig.upstream.call(0), leftMs);
    sink.drain();
  });

  test('between opening and relay closes the upstream at once, and the relay ends as gone', async () => {
    const gone = new AbortController();
    rig.upstream.script(async (call) => {
      await call.head(200, SSE);
      await call.write(OPENING + CONTENT);
    });
    const answer = await opened(rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal, attemptTimeoutMs: 10_000 })));
    const leftMs = performance.now();
    gone.abort();
    await closedSoon(await rig.upstream.call(0), leftMs);
    expect((await answer.relay(createMemorySink())).end).toBe('gone');
  });
});

describe('closing the edge', () => {
  test('ends what runs and what is being connected', async () => {
    const here = anEdge();
    rig.upstream.connections('serve', 'hang');
    const running = here.open(anOrder(rig.upstream.url));
    await rig.upstream.call(0);
    const connecting = here.open(anOrder(rig.upstream.url.replace('http:', 'https:')));
    await rig.upstream.whenAccepted(2);
    await here.close();
    expect((await unopened(running)).failure).toMatchObject({ class: 'transient', where: 'head' });
    expect((await unopened(connecting)).failure.where).toBe('connect');
    await rig.upstream.whenOpen(0);
    expect(here.openConnections()).toBe(0);
    expect(here.clock.pending()).toBe(0);
  });
});

