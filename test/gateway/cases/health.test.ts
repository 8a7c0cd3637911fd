import { describe, expect, it } from 'vitest';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ask, begunStream, breakerOf, errorIn, eventsOf, goodStream, says, type WholeGateway } from './support/talk.ts';

const settings = { 'gateway.metrics': true, 'gateway.retry_wait_secs': 0 } as const;

describe('R46: the place of the probe is always given back (SPEC 9.4)', () => {
  const coolMs = 60_000;
  /** A has failed three times and has cooled: the next request to it is the probe. B answers whatever comes to it. */
  async function halfOpen(): Promise<WholeGateway> {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'], settings });
    gateway.upstream('a').script(failsWith(503), failsWith(503), failsWith(503));
    gateway.upstream('b').otherwise(answersWith('from B'));
    for (let turn = 0; turn < 3; turn++) await (await ask(gateway, 'anthropic', true)).text();
    expect(await breakerOf(gateway)).toBe(2);
    await gateway.clock.advance(coolMs);
    expect(await breakerOf(gateway)).toBe(1);
    return gateway;
  }
  /** While the probe is out, others go to B; after it, when A may be asked again, a request reaches it and closes the breaker. */
  async function recovers(gateway: WholeGateway, restMs: number): Promise<void> {
    await gateway.clock.advance(restMs);
    const before = gateway.upstream('a').calls.length;
    gateway.upstream('a').script(answersWith('from A'));
    expect(await (await ask(gateway, 'anthropic', true)).text()).toBe(goodStream('anthropic', 'from A'));
    expect(gateway.upstream('a').calls.length - before).toBe(1);
    await gateway.ended();
    expect(await breakerOf(gateway)).toBe(0);
  }
  const othersGoToB = async (gateway: WholeGateway): Promise<void> => {
    const before = gateway.upstream('a').calls.length;
    for (let turn = 0; turn < 3; turn++) expect(await (await ask(gateway, 'anthropic', true)).text()).toBe(goodStream('anthropic', 'from B'));
    expect(gateway.upstream('a').calls.length).toBe(before);
  };

  it('when its client leaves', async () => {
    const gateway = await halfOpen();
    const leaving = new AbortController();
    const probe = ask(gateway, 'anthropic', true, { signal: leaving.signal }).catch(() => null);
    await gateway.upstream('a').call(3);
    await othersGoToB(gateway);
    leaving.abort();
    await probe;
    await gateway.ended(7);
    await recovers(gateway, 0);
  });
  it('when it never gets an answer', async () => {
    const gateway = await halfOpen();
    const probe = ask(gateway, 'anthropic', true);
    await gateway.upstream('a').call(3);
    await othersGoToB(gateway);
    await gateway.clock.advance(300_000);
    expect(await (await probe).text()).toContain('m B');
    await recovers(gateway, 2 * coolMs);
  });
  it.each([[401, coolMs], [400, 0], [404, 0], [503, 2 * coolMs]])('when it is answered %i', async (status, restMs) => {
    const gateway = await halfOpen();
    gateway.upstream('a').script(says(status, wordsOf.anthropic.error(status, 'no')));
    await (await ask(gateway, 'anthropic', true)).text();
    await recovers(gateway, restMs);
  });
});

describe('R47: the user’s own mistakes do not take an upstream out (SPEC 4.1, 9.4)', () => {
  it.each([
    ['a model that is not there', says(404, wordsOf.anthropic.error(404, 'model: m-1'))],
    ['a bad request', says(400, wordsOf.anthropic.error(400, 'max_tokens is missing'))],
    ['a rate limit with its time', failsWith(429, { 'retry-after': '5' })],
    ['an upstream that has no more money', says(402, wordsOf.anthropic.error(402, 'Your credit balance is too low'))],
  ] as const)('twenty times %s', async (_what, script) => {
    const gateway = await startWholeGateway({ settings });
    for (let turn = 0; turn < 20; turn++) {
      gateway.upstream().script(script);
      await (await ask(gateway, 'anthropic', turn % 2 === 0)).text();
    }
    expect(await breakerOf(gateway)).toBe(0);
    gateway.upstream().script(answersWith('Hello'));
    expect((await ask(gateway, 'anthropic', true)).status).toBe(200);
  });
  it('twenty times a client that leaves, before or after the first word', async () => {
    const gateway = await startWholeGateway({ settings });
    for (let turn = 0; turn < 20; turn++) {
      const leaving = new AbortController();
      if (turn % 2 === 0) gateway.upstream().script(() => undefined);
      else gateway.upstream().script(async (call) => {
        await call.head(200, { 'content-type': 'text/event-stream' });
        await call.write(begunStream('anthropic'));
      });
      const response = ask(gateway, 'anthropic', true, { signal: leaving.signal }).then((answer) => answer.text()).catch(() => null);
      await gateway.upstream().call(turn);
      if (turn % 2 === 1) await gateway.event('released', (turn + 1) / 2);
      leaving.abort();
      await response;
      await gateway.ended(turn + 1);
    }
    expect(gateway.rows().map((row) => row.outcome)).toEqual(Array.from({ length: 20 }, () => 'cancelled'));
    expect(await breakerOf(gateway)).toBe(0);
  });
});

describe('R48: after a sleep (SPEC 8.8)', () => {
  it('pooled connections that are dead are not used: the next request goes out on a new one', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(answersWith('Hello'));
    await (await ask(gateway, 'anthropic', false)).text();
    gateway.gateway.wake();
    // Whatever comes on the old connection would wait for ever.
    gateway.upstream().otherwise((call) => (call.connection === 0 ? undefined : answersWith('Hello')(call)));
    const startedMs = performance.now();
    expect((await ask(gateway, 'anthropic', false)).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(gateway.upstream().calls[1]?.connection).toBe(1);
    expect((await gateway.ended(2))[1]).toMatchObject({ attempts: 1, outcome: 'success' });
  });
  it('what was in flight fails once and clearly, and that is no fault of the upstream', async () => {
    const gateway = await startWholeGateway({ settings: { ...settings, 'gateway.breaker': { enabled: true, failures: 1, ratio: 0.5, min_samples: 10, window_secs: 60, cool_secs: 60, max_cool_secs: 600 } } });
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await call.write(begunStream('anthropic'));
    });
    const running = await ask(gateway, 'anthropic', true);
    await gateway.event('released');
    gateway.clock.jumpWall(3 * 3_600_000);
    gateway.gateway.wake();
    (await gateway.upstream().call(0)).reset();
    const events = eventsOf(await running.text());
    expect(events.map((event) => errorIn('anthropic', event)).filter((error) => error !== null)).toEqual(['api_error']);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'truncated' });
    expect(await breakerOf(gateway)).toBe(0);
    gateway.upstream().script(answersWith('Hello'));
    expect((await ask(gateway, 'anthropic', true)).status).toBe(200);
  });
  it('a request whose head had not come is sent again in its own time, sleep not counted', async () => {
    const gateway = await startWholeGateway();
    const response = ask(gateway, 'anthropic', true);
    await gateway.upstream().call(0);
    gateway.clock.jumpWall(3 * 3_600_000);
    gateway.gateway.wake();
    gateway.upstream().script(answersWith('Hello'));
    (await gateway.upstream().call(0)).reset();
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    expect(await (await response).text()).toContain('message_stop');
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', retries: 1, pause_ms: 2_000 });
  });
});
