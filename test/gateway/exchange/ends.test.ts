import { describe, expect, it } from 'vitest';
import { routeSchema } from '../../../shared/route.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import { answered, createExchangeRig, overloaded } from '../../support/exchange-rig.ts';

const truncated = { class: 'transient', code: 'stream_broken', upstreamId: 'a', status: null, type: null, message: 'broke', hintMs: null, where: 'after_content', sentWhole: true } as const;

describe('the client leaves (SPEC 7.7)', () => {
  it('during an attempt: no other follows, the row says cancelled', async () => {
    const rig = createExchangeRig();
    rig.script('a', { hangs: true });
    const { client, done } = rig.start();
    await rig.signals.when(() => rig.sent.length === 1);
    client.leave();
    const { row } = await rig.finish(done);
    expect(row).toMatchObject({ outcome: 'cancelled', status: 499, give_up: 'cancelled', attempts: 1, input_tokens: null });
    expect(row.detail).toMatchObject({ left_during: 'attempt', attempts: [{ outcome: 'cancelled' }] });
  });
  it('during a pause: its timer ends, nothing is sent, the failed attempt counts once', async () => {
    const rig = createExchangeRig();
    const { client, done } = rig.start();
    await rig.pausing();
    expect(rig.clock.pending()).toBe(1);
    await rig.clock.advance(500);
    client.leave();
    const { row } = await rig.finish(done);
    expect(rig.clock.pending()).toBe(0);
    expect(row).toMatchObject({ outcome: 'cancelled', status: 499, attempts: 1, retries: 0, pause_ms: 500, duration_ms: 500 });
    expect(row.detail.left_during).toBe('pause');
    expect(client.told.times).toBe(0);
    expect(rig.events.filter((event) => event.kind === 'pause_ended')).toEqual([{ kind: 'pause_ended', id: row.id, why: 'gone' }]);
  });
  it('during the relay', async () => {
    const rig = createExchangeRig();
    rig.script('a', { answers: { end: 'gone' } });
    const { client, done } = rig.start();
    void rig.signals.when(() => {
      const released = rig.events.some((event) => event.kind === 'released');
      if (released) client.leave();
      return released;
    });
    expect((await rig.finish(done)).row).toMatchObject({ outcome: 'cancelled', status: 499, error_code: 'client.left', detail: { left_during: 'relay' } });
  });
  it('an answer that the gateway itself ends is not said to be left by its client (SPEC 17)', async () => {
    const rig = createExchangeRig();
    rig.script('a', { answers: { end: 'gone' } });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'truncated', status: 200, give_up: 'stopping', error_code: 'gateway.stopping' });
  });
});

describe('after content (SPEC 7.8, 10.3)', () => {
  it.each(['cut', 'error_event'] as const)('%s is truncated, never retried', async (end) => {
    const rig = createExchangeRig();
    rig.script('a', { answers: { end, failure: truncated } });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0');
    expect(row).toMatchObject({ outcome: 'truncated', status: 200, give_up: 'content_sent', error_code: 'stream_broken', detail: { attempts: [{ outcome: 'truncated', where: 'after_content' }] } });
  });
  it('an error in a stream that was let go before content is failed, not truncated', async () => {
    const rig = createExchangeRig();
    rig.script('a', { answers: { end: 'error_event', failure: truncated, firstContentMs: null } });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'failed', attempts: 1 });
  });
  it.each([
    ['disabled', { 'gateway.retry_wait_secs': 0 }],
    ['attempts', { 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...defaultSettings()['gateway.retry_policy'], maxAttempts: 1 } }],
    ['budget', { 'gateway.retry_budget': { enabled: true, capacity: 1, ratio: 0, min_per_minute: 0 } }],
  ] as const)('and says that it was let go because of %s', async (reason, settings) => {
    const rig = createExchangeRig({ settings });
    if (reason === 'budget') rig.parts.budget.take();
    rig.script('a', { answers: { end: 'error_event', failure: truncated, firstContentMs: null } });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'failed', give_up: reason });
  });
});

describe('the user and the app (SPEC 7.12 f, 8.5, 17)', () => {
  it('Retry now ends the pause and ignores the hint', async () => {
    const rig = createExchangeRig();
    rig.script('a', { ...overloaded, hintMs: 60_000 }, answered);
    const { arrival, done } = rig.start();
    await rig.pausing();
    expect(rig.parts.pauses.end(arrival.id, 'retry_now')).toBe(true);
    const { row } = await rig.finish(done);
    expect(rig.calls()).toBe('a@0 a@0');
    expect(row).toMatchObject({ outcome: 'success', retries: 1, pause_ms: 0 });
    expect(rig.parts.pauses.end(arrival.id, 'retry_now')).toBe(false);
  });
  it('Give up hands over the kept failure, reason user', async () => {
    const rig = createExchangeRig();
    const { arrival, done } = rig.start();
    await rig.pausing();
    rig.parts.pauses.end(arrival.id, 'give_up');
    expect((await rig.finish(done)).row).toMatchObject({ outcome: 'failed', status: 503, give_up: 'user' });
  });
  it('stopping ends every pause, later ones too', async () => {
    const rig = createExchangeRig();
    const first = rig.start();
    await rig.pausing();
    rig.parts.pauses.stop();
    const second = rig.start();
    for (const one of [first, second]) expect((await rig.finish(one.done)).row).toMatchObject({ give_up: 'stopping', status: 503 });
  });
  it('waking ends the pauses with an attempt, not with a refusal (SPEC 8.8)', async () => {
    const rig = createExchangeRig();
    rig.script('a', overloaded, answered);
    const { done } = rig.start();
    await rig.pausing();
    rig.parts.pauses.endAll('wake');
    expect((await rig.finish(done)).row).toMatchObject({ outcome: 'success', retries: 1 });
  });
  it('a revoked key ends its pauses (SPEC 14)', async () => {
    const rig = createExchangeRig();
    const revoked = new AbortController();
    const { done } = rig.start({}, revoked.signal);
    await rig.pausing();
    revoked.abort();
    expect((await rig.finish(done)).row).toMatchObject({ outcome: 'failed', give_up: 'cancelled', attempts: 1 });
  });
});

describe('the retry budget (SPEC 8.6)', () => {
  const settings = { 'gateway.retry_budget': { enabled: true, capacity: 2, ratio: 0, min_per_minute: 0 } };
  it('an empty one gives up; round 0 and its failover never pay', async () => {
    const rig = createExchangeRig({ settings, upstreams: [upstreamOf({ id: 'a', baseUrl: 'http://a.test' }), upstreamOf({ id: 'b', baseUrl: 'http://b.test' })] });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 a@2000 b@2000');
    expect(row).toMatchObject({ give_up: 'budget', retries: 1 });
    const next = await rig.finish(rig.start().done);
    expect(next.row).toMatchObject({ give_up: 'budget', retries: 0, attempts: 2 });
  });
  it('7.12 h: empty in mid-round ends the round', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_budget': { ...settings['gateway.retry_budget'], capacity: 1 } }, upstreams: [upstreamOf({ id: 'a', baseUrl: 'http://a.test' }), upstreamOf({ id: 'b', baseUrl: 'http://b.test' })] });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 a@2000');
    expect(row).toMatchObject({ give_up: 'budget', retries: 1, attempts: 3 });
  });
  it('a retry that succeeds gives its token back', async () => {
    const rig = createExchangeRig({ settings });
    for (let turn = 0; turn < 5; turn++) {
      rig.script('a', overloaded, answered);
      expect((await rig.finish(rig.start().done)).row.outcome).toBe('success');
    }
    expect(rig.parts.budget.tokens()).toBe(2);
  });
  it('an attempt that took none, as only a rate limit caused it, gives none back', async () => { // SPEC 8.6, 11
    const rig = createExchangeRig({ settings: { ...settings, 'gateway.rate_limit_action': 'wait' } });
    rig.script('a', overloaded, { fails: 'rate_limited', status: 429, hintMs: 20_000 }, answered);
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'success', retries: 1, attempts: 3, queued_ms: 20_000 });
    expect(rig.parts.budget.tokens()).toBe(1);
  });
  it('fills up with time and with exchanges, never above its capacity', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_budget': { enabled: true, capacity: 10, ratio: 0.5, min_per_minute: 60 } } });
    for (let taken = 0; taken < 10; taken++) expect(rig.parts.budget.take()).toBe(true);
    expect(rig.parts.budget.take()).toBe(false);
    rig.parts.budget.deposit();
    rig.parts.budget.deposit();
    expect(rig.parts.budget.tokens()).toBe(1);
    await rig.clock.advance(3_000);
    expect(rig.parts.budget.tokens()).toBe(4);
    await rig.clock.advance(600_000);
    expect(rig.parts.budget.tokens()).toBe(10);
  });
});

describe('refused before any attempt (SPEC 9.1)', () => {
  it('an unknown model is 404 and names near ones', async () => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ models: ['opus-5', 'haiku-5'] })] });
    const { row, client } = await rig.finish(rig.start({ model: 'opus5' }).done);
    expect(client.told.refusal).toMatchObject({ kind: 'own', status: 404, code: 'model_not_found', message: 'No upstream takes the model "opus5". Models like it: opus-5, haiku-5.' });
    expect(row).toMatchObject({ outcome: 'refused', attempts: 0, give_up: null, route: null });
  });
  it('a model whose upstreams are all switched off is 404 that says so', async () => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ enabled: false }), upstreamOf({ id: 'b', models: ['other'] })] });
    const { client } = await rig.finish(rig.start().done);
    expect(client.told.refusal).toMatchObject({ status: 404, message: 'Every upstream that takes the model "m-test" is switched off.' });
  });
  it('a format that nobody speaks is 400 and names the formats there are', async () => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ formats: ['chat', 'responses'] })] });
    const { client } = await rig.finish(rig.start().done);
    expect(client.told.refusal).toMatchObject({ status: 400, code: 'route.no_format' });
  });
  it('the policy of the route comes before the settings (SPEC 8.2)', async () => {
    const route = routeSchema.parse({ id: 'r', pattern: '*', candidates: [{ upstream: 'a' }], policy: { preset: 'constant' } });
    const rig = createExchangeRig({ routes: [route] });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@500 a@1000 a@1500');
    expect(row).toMatchObject({ give_up: 'attempts', route: 'r' });
  });
});

describe('the hold (SPEC 6.1)', () => {
  it('a stream is let go at the moment from which no retry could follow', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_wait_secs': 10 } });
    rig.script('a', { answers: {}, tookMs: 60_000 });
    const { done } = rig.start();
    await rig.signals.when(() => rig.sent.length === 1);
    const order = rig.sent[0]?.order;
    await rig.clock.advance(8_399);
    expect(order?.letGo.aborted).toBe(false);
    await rig.clock.advance(1);
    expect(order?.letGo.aborted).toBe(true);
    await rig.finish(done);
  });
  it('it is held for as long as another candidate is left in the round', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_wait_secs': 0 }, upstreams: [upstreamOf({ id: 'a', baseUrl: 'http://a.test' }), upstreamOf({ id: 'b', baseUrl: 'http://b.test' })] });
    await rig.finish(rig.start().done);
    expect(rig.sent.map(({ order }) => order.letGo.aborted)).toEqual([false, true]);
  });
  it('the timer of the hold is gone when the attempt has failed', async () => {
    const rig = createExchangeRig();
    rig.script('a', { fails: 'request', status: 400 });
    await rig.finish(rig.start().done);
    expect(rig.clock.pending()).toBe(0);
  });
});

describe('whole answers (SPEC 8.3)', () => {
  it('attempts are cut 2 s before the hard deadline; a retry needs room for another like the last', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.request_timeout_secs': 60, 'gateway.retry_wait_secs': 600 } });
    rig.script('a', { ...overloaded, tookMs: 25_000 }, { ...overloaded, tookMs: 25_000 });
    const { row } = await rig.finish(rig.start({ streamed: false }).done);
    expect(rig.sent.map(({ order }) => order.wholeLeftMs)).toEqual([58_000, 31_000]);
    expect(row).toMatchObject({ give_up: 'hard_deadline', retries: 1 });
  });
});

describe('law 9: one end per exchange, last (DESIGN 8)', () => {
  it('holds for every way out, and nothing is left running', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_wait_secs': 20 } });
    const exchanges = Array.from({ length: 200 }, (_, index) => {
      rig.script('a', ...Array.from({ length: index % 4 }, () => overloaded), index % 3 === 0 ? answered : { fails: 'auth', status: 401 });
      return rig.start();
    });
    await rig.pausing();
    for (const { client } of exchanges.slice(0, 50)) client.leave();
    await rig.finish(Promise.all(exchanges.map(({ done }) => done)));
    for (const { arrival } of exchanges) {
      const own = rig.events.filter((event) => event.id === arrival.id);
      expect(own.filter((event) => event.kind === 'finished')).toHaveLength(1);
      expect(own[0]?.kind).toBe('started');
      expect(own.at(-1)?.kind).toBe('finished');
    }
    expect(rig.clock.pending()).toBe(0);
  });
});
