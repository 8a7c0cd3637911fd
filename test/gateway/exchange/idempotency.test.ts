import { describe, expect, it } from 'vitest';
import { createIdempotentExchanges } from '../../../main/gateway/idempotency.ts';
import type { Arrival, Exchanges, Opened, Refusal, Relayed, Reply } from '../../../main/gateway/ports.ts';
import { createExchangeRig } from '../../support/exchange-rig.ts';

const done = { end: 'complete', failure: null, facts: { model: null, usage: null, finishReason: null }, position: { events: 0, sequence: null, responseId: null, model: null }, firstContentMs: 1, report: { startedMs: 0, endedMs: 1, sentWhole: true, resent: false, bytes: 1 } } as const satisfies Relayed;

function opened(text: string, part: Partial<Opened> & { readonly end?: Relayed['end'] } = {}): Opened {
  return {
    kind: 'opened', status: 200, headers: [['content-type', 'application/json']], stream: false, whole: null, ...part,
    relay: (sink) => {
      sink.write(new TextEncoder().encode(text), { boundary: true, content: true, terminal: true });
      return Promise.resolve({ ...done, end: part.end ?? 'complete' });
    },
  };
}

/** A loop whose exchanges end when the test says so. */
function rig() {
  const { clock, events, parts } = createExchangeRig();
  const running: { readonly arrival: Arrival; readonly reply: Reply; end(): void }[] = [];
  const inner: Exchanges = { run: (arrival, reply) => new Promise((resolve) => { running.push({ arrival, reply, end: resolve }); }) };
  const exchanges = createIdempotentExchanges({ exchanges: inner, clock, journal: parts.journal });
  let ids = 0;
  const send = (part: { readonly key?: string; readonly body?: string; readonly streamed?: boolean; readonly keyName?: string } = {}) => {
    const gone = new AbortController();
    const got: { text: string; headers: Opened['headers']; refusal: Refusal | null } = { text: '', headers: [], refusal: null };
    const reply: Reply = {
      gone: gone.signal,
      send: async (answer) => {
        got.headers = answer.headers;
        const relayed = await answer.relay({ write: (bytes) => { got.text += new TextDecoder().decode(bytes); return true; }, whenDrained: () => undefined });
        return { status: answer.status, bytes: got.text.length, clientGone: gone.signal.aborted, relayed };
      },
      refuse: (refusal) => { got.refusal = refusal; return Promise.resolve({ status: 409, bytes: 1, clientGone: false }); },
    };
    const headers: Record<string, string> = part.key === undefined ? {} : { 'idempotency-key': part.key };
    const arrival: Arrival = {
      id: `i-${ids++}`, atMs: clock.now(), atUtcMs: clock.utc(), format: 'chat', operation: 'generate', method: 'POST', path: '/v1/chat/completions', model: 'm', streamed: part.streamed ?? false, framing: 'sse',
      headers, clientHeaders: {}, target: () => '', body: () => [], bodyBytes: 1, fingerprint: () => part.body ?? 'body', keyName: part.keyName ?? 'default', client: null, sessionId: null, clientRetry: null, conversation: () => null, seal: () => null,
    };
    return { got, leave: () => { gone.abort(); }, over: exchanges.run(arrival, reply, new AbortController().signal) };
  };
  /** The n-th exchange that reached the loop answers and ends. */
  const answer = async (index: number, what: Opened = opened('{"n":1}')) => {
    const one = running[index];
    if (one === undefined) throw new Error(`exchange ${index} is not running`);
    await one.reply.send(what, { requestId: '', upstreamName: 'A', retries: 0, stopClientRetries: false });
    one.end();
    await clock.advance(0);
  };
  return { clock, events, running, send, answer };
}

describe('Idempotency-Key (SPEC 1.9)', () => {
  it('the same key and body gets the first answer again, marked as replayed, without a request to the loop', async () => {
    const { send, running, answer, events } = rig();
    const first = send({ key: 'k' });
    await answer(0);
    await first.over;
    const second = send({ key: 'k' });
    await second.over;
    expect(running).toHaveLength(1);
    expect(second.got).toMatchObject({ text: '{"n":1}', refusal: null });
    expect(second.got.headers).toEqual([['content-type', 'application/json'], ['x-holdfast-replayed', 'true']]);
    expect(first.got.headers).toEqual([['content-type', 'application/json']]);
    const ends = events.filter((event) => event.kind === 'finished');
    expect(ends).toHaveLength(1);
    expect(ends[0]?.row).toMatchObject({ outcome: 'success', attempts: 0, detail: { replayed: true } });
  });
  it('while the first is in flight, others wait for its answer', async () => {
    const { send, running, answer } = rig();
    const all = [send({ key: 'k' }), send({ key: 'k' }), send({ key: 'k' })];
    await answer(0);
    await Promise.all(all.map((one) => one.over));
    expect(running).toHaveLength(1);
    expect(all.map((one) => one.got.text)).toEqual(['{"n":1}', '{"n":1}', '{"n":1}']);
  });
  it('the same key with another body is 409', async () => {
    const { send, answer } = rig();
    const first = send({ key: 'k' });
    const other = send({ key: 'k', body: 'other' });
    await other.over;
    expect(other.got.refusal).toMatchObject({ kind: 'own', status: 409, code: 'idempotency.conflict' });
    await answer(0);
    await first.over;
  });
  it.each([
    ['an error status', opened('{}', { status: 503 })],
    ['an answer that was cut', opened('{"n":', { end: 'cut' })],
    ['an answer over 8 MiB', opened('x'.repeat(8 * 1_048_576 + 1))],
  ])('%s is not kept: the oldest waiter runs its own exchange', async (_what, bad) => {
    const { send, running, answer, clock } = rig();
    const [first, second, third] = [send({ key: 'k' }), send({ key: 'k' }), send({ key: 'k' })];
    await answer(0, bad);
    await first.over;
    expect(running).toHaveLength(2);
    await answer(1, opened('good'));
    await Promise.all([second.over, third.over]);
    await clock.advance(0);
    expect([second.got.text, third.got.text]).toEqual(['good', 'good']);
    expect(running).toHaveLength(2);
  });
  it('a waiter that leaves is forgotten, and the next takes its turn', async () => {
    const { send, running, answer, events } = rig();
    const [first, second, third] = [send({ key: 'k' }), send({ key: 'k' }), send({ key: 'k' })];
    second.leave();
    await second.over;
    expect(events.at(-1)).toMatchObject({ kind: 'finished', row: { outcome: 'cancelled', status: 499 } });
    await answer(0, opened('{}', { status: 500 }));
    await first.over;
    expect(running).toHaveLength(2);
    await answer(1, opened('third'));
    await third.over;
    expect(third.got.text).toBe('third');
  });
  it('is forgotten after 10 minutes', async () => {
    const { send, running, answer, clock } = rig();
    const first = send({ key: 'k' });
    await answer(0);
    await first.over;
    await clock.advance(10 * 60_000 - 1);
    await send({ key: 'k' }).over;
    expect(running).toHaveLength(1);
    await clock.advance(1);
    void send({ key: 'k' });
    expect(running).toHaveLength(2);
  });
  it('streams, requests without a key and other gateway keys go their own way', () => {
    const { send, running } = rig();
    void send({ key: 'k', streamed: true });
    void send({ key: 'k', streamed: true });
    void send();
    void send({ key: 'k' });
    void send({ key: 'k', keyName: 'other' });
    expect(running).toHaveLength(5);
  });
  it('keeps at most 256 answers and 64 MiB of them, the oldest go first', async () => {
    const { send, running, answer } = rig();
    for (let index = 0; index < 300; index++) {
      const one = send({ key: `k${index}` });
      await answer(index);
      await one.over;
    }
    void send({ key: 'k299' });
    void send({ key: 'k0' });
    expect(running).toHaveLength(301);
    const big = rig();
    for (let index = 0; index < 10; index++) {
      const one = big.send({ key: `b${index}` });
      await big.answer(index, opened('x'.repeat(8 * 1_048_576)));
      await one.over;
    }
    void big.send({ key: 'b9' });
    void big.send({ key: 'b0' });
    expect(big.running).toHaveLength(11);
  });
});
