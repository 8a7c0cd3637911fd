import { expect, test } from 'vitest';
import { OPENING, OVERLOADED, SSE, WHOLE_ANSWER, WHOLE_STREAM, textEvent } from '../../support/anthropic-stream.ts';
import { anArrival, anOrder, createMemorySink } from '../../support/attempts.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { turns, useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();

// Everything that can be cut short, cut at a place that the number of the request picks.
const ENDINGS: readonly ((call: Call) => void)[] = [(call) => { call.reset(); }, (call) => { call.fin(); }, (call) => { void call.end(); }];
const ANSWERS: readonly ((call: Call, cut: number) => Promise<void>)[] = [
  async (call, cut) => { await call.raw(`HTTP/1.1 200 OK\r\ncontent-length: ${WHOLE_ANSWER.length}\r\n\r\n${WHOLE_ANSWER}`.slice(0, cut * 37)); },
  async (call, cut) => { await call.head(200, SSE); await call.write(WHOLE_STREAM.slice(0, cut * 97)); },
  async (call) => { await call.head(200, SSE); await call.write(OPENING); await call.write(textEvent('hi') + OVERLOADED); },
  async (call, cut) => { await call.head(503, {}); await call.write('{"type":"error"'.slice(0, cut)); },
  async (call) => { await call.answer(200, SSE, WHOLE_STREAM); },
  async (call) => { await call.raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno'); },
  async (call) => { await call.raw('HTTP/1.1 204 No Content\r\ncontent-length: 3\r\n\r\nabc'); },
  async () => undefined,
];

// DESIGN 8, law 10
test('a thousand attempts that end in every way, some of them left by their client, leave nothing behind', async () => {
  let served = 0;
  rig.upstream.otherwise(async (call) => {
    const n = served++;
    await ANSWERS[n % ANSWERS.length]?.(call, (n * 7) % 13);
    if (n % 5 !== 0) ENDINGS[n % ENDINGS.length]?.(call);
  });
  const ends = new Map<string, number>();
  const run = async (n: number): Promise<void> => {
    const gone = new AbortController();
    const letGo = n % 11 === 0 ? AbortSignal.abort() : new AbortController().signal;
    const attempt = rig.edge.open(anOrder(rig.upstream.url, { gone: gone.signal, letGo, arrival: anArrival({ streamed: n % 3 !== 0 }), idleTimeoutMs: 30_000, attemptTimeoutMs: n % 7 === 0 ? 40_000 : 0, wholeLeftMs: n % 3 === 0 ? 50_000 : null }));
    if (n % 4 === 0) void turns(n % 9).then(() => { gone.abort(); });
    const outcome = await attempt;
    const sink = createMemorySink();
    const end = outcome.kind === 'unopened' ? outcome.failure.code : (await outcome.relay(sink)).end;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    // Nothing half an event long is ever passed on.
    if (outcome.kind === 'opened' && outcome.stream) expect(sink.text() === '' || sink.text().endsWith('\n\n')).toBe(true);
  };
  for (let batch = 0; batch < 20; batch++) {
    const running = Promise.all(Array.from({ length: 50 }, (_unused, n) => run(batch * 50 + n)));
    const state = { done: false };
    void running.finally(() => { state.done = true; });
    // What hangs is ended by its limits; time moves until nothing runs.
    while (!state.done) {
      await turns();
      await rig.edge.clock.advance(1_000);
    }
    await running;
  }
  expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(1_000);
  for (const kind of ['complete', 'cut', 'cancelled', 'stream_broken', 'body_broken', 'head.closed', 'answer.invalid']) expect(ends.get(kind), kind).toBeGreaterThan(0);
});
