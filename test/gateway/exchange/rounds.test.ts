import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/settings.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import { answered, createExchangeRig, overloaded, refused } from '../../support/exchange-rig.ts';

const two = [upstreamOf({ id: 'a', baseUrl: 'http://a.test' }), upstreamOf({ id: 'b', baseUrl: 'http://b.test' })];

describe('retry with one upstream (SPEC 7)', () => {
  it('waits 2 and 4 s, then hands on the answer; the row says how often and how long', async () => {
    const rig = createExchangeRig();
    rig.script('a', { ...overloaded, tookMs: 100 }, { ...overloaded, tookMs: 200 }, answered);
    const { row, client } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@2100 a@6300');
    expect(client.told).toMatchObject({ times: 1, refusal: null, notes: { retries: 2, upstreamName: 'A' } });
    expect(row).toMatchObject({ outcome: 'success', status: 200, retries: 2, attempts: 3, failovers: 0, pause_ms: 6_000, give_up: null, upstream: 'A', error_code: null, duration_ms: 6_300, first_content_ms: 6_300 });
    expect(row.detail).toMatchObject({
      retries: 2,
      attempts: [
        { n: 1, round: 0, upstream: 'A', outcome: 'failed', status: 503, class: 'transient', started_ms: 0, duration_ms: 100, pause_ms: null },
        { n: 2, round: 1, outcome: 'failed', started_ms: 2_100, duration_ms: 200, pause_ms: 2_000, pause_reason: 'backoff' },
        { n: 3, round: 2, outcome: 'answered', started_ms: 6_300, pause_ms: 4_000, class: null },
      ],
    });
  });
  it('gives up at once when the next pause would end after the deadline, with the last failure (SPEC 7.4)', async () => {
    const rig = createExchangeRig();
    const { row, client } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@2000 a@6000 a@14000 a@30000 a@46000 a@62000 a@78000 a@94000 a@110000');
    expect(row).toMatchObject({ outcome: 'failed', status: 503, retries: 9, attempts: 10, give_up: 'deadline', duration_ms: 110_000, error_code: '503' });
    expect(client.told.refusal).toMatchObject({ kind: 'upstream', upstreamName: 'A', chain: 'A 503 x10' });
  });
  it.each([['gateway.retry_wait_secs', 0], ['gateway.retry_preset', 'off']] as const)('%s = %o sends once and says disabled', async (key, value) => {
    const rig = createExchangeRig({ settings: { [key]: value } });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0');
    expect(row).toMatchObject({ retries: 0, attempts: 1, give_up: 'disabled', pause_ms: 0 });
    expect(row.detail).not.toHaveProperty('retries');
    expect(rig.sent[0]?.order.letGo.aborted).toBe(true);
  });
  it.each(['rate_limited', 'quota', 'auth', 'model_missing', 'timeout', 'server', 'invalid', 'policy', 'request', 'bad_address'] as const)('%s is not sent again (SPEC 4.1)', async (fails) => {
    const rig = createExchangeRig();
    rig.script('a', { fails, status: 400, hintMs: 1_000 });
    const { row, client } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0');
    expect(row).toMatchObject({ outcome: 'failed', give_up: 'not_transient', attempts: 1, retries: 0 });
    expect(client.told.refusal).toMatchObject({ chain: null });
  });
  it('a timeout is sent again only when the user says so (SPEC 4.1)', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_on_timeout': true } });
    rig.script('a', { fails: 'timeout' }, answered);
    const { row } = await rig.finish(rig.start().done);
    expect(row).toMatchObject({ outcome: 'success', retries: 1 });
  });
  it('follows Retry-After, and says that it did (SPEC 8.4)', async () => {
    const rig = createExchangeRig({ draw: () => 0 });
    rig.script('a', { ...overloaded, hintMs: 7_000 }, answered);
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@7000');
    expect(row.detail.attempts[1]).toMatchObject({ pause_ms: 7_000, pause_reason: 'retry_after' });
    expect(row.detail.attempts[0]).toMatchObject({ hint_ms: 7_000 });
  });
  it('an exchange keeps the settings of its arrival (SPEC 14)', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_wait_secs': 30 } });
    const { done } = rig.start();
    await rig.pausing();
    Object.assign(rig.parts.config.settings(), { 'gateway.retry_preset': 'off' });
    expect((await rig.finish(done)).row).toMatchObject({ retries: 4, give_up: 'deadline' });
  });
  it('of thousands of attempts the first and the last hundred are kept, and all are counted', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...defaultSettings()['gateway.retry_policy'], baseMs: 10, maxMs: 10, jitter: 0 }, 'gateway.retry_wait_secs': 5, 'gateway.retry_budget': { enabled: false, capacity: 1, ratio: 0, min_per_minute: 0 } } });
    const { row } = await rig.finish(rig.start().done);
    expect(row).toMatchObject({ attempts: 500, retries: 499, failovers: 0 });
    expect(row.detail.retries).toBe(499);
    expect(row.detail.attempts.map((attempt) => attempt.n)).toEqual([...Array.from({ length: 100 }, (_, index) => index + 1), ...Array.from({ length: 100 }, (_, index) => index + 401)]);
  });
  it('a hanging retry is not cut by the deadline (SPEC 7.4)', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.retry_wait_secs': 5 } });
    rig.script('a', overloaded, { answers: {}, tookMs: 400_000 });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'success', retries: 1 });
  });
});

describe('rounds over two upstreams', () => {
  it('fails over without a pause inside a round (SPEC 7.1)', async () => {
    const rig = createExchangeRig({ upstreams: two });
    rig.script('b', answered);
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0');
    expect(row).toMatchObject({ retries: 0, attempts: 2, failovers: 1, upstream: 'B' });
  });
  it('7.12 a: a 503 beside a 429 retries the 503 only, and hands on its last failure', async () => {
    const rig = createExchangeRig({ upstreams: two, settings: { 'gateway.retry_wait_secs': 10 } });
    rig.script('b', { fails: 'rate_limited', status: 429, hintMs: 5_000 });
    const { row, client } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 a@2000 a@6000');
    expect(row).toMatchObject({ give_up: 'deadline', retries: 2, failovers: 1 });
    expect(client.told.refusal).toMatchObject({ upstreamName: 'A', chain: 'A 503, B 429, A 503 x2' });
  });
  it('7.12 a: told to wait for rate limits, B joins the round that starts at or after its reset', async () => {
    const rig = createExchangeRig({ upstreams: two, settings: { 'gateway.retry_wait_secs': 10, 'gateway.rate_limit_action': 'wait' } });
    rig.script('b', { fails: 'rate_limited', status: 429, hintMs: 5_000 }, answered);
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 a@2000 a@5000 b@5000');
    expect(row).toMatchObject({ outcome: 'success', upstream: 'B' });
  });
  it('a start that only a rate limit caused is queueing, not a retry (SPEC 11)', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.rate_limit_action': 'wait' } });
    rig.script('a', { fails: 'rate_limited', status: 429, hintMs: 20_000 }, answered);
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@20000');
    expect(row).toMatchObject({ outcome: 'success', retries: 0, pause_ms: 0, queued_ms: 20_000, attempts: 2 });
    expect(row.detail.attempts[1]).toMatchObject({ queued_ms: 20_000, pause_ms: null });
    // Asking the same upstream again after its reset is no going on to another candidate (SPEC 0, 12.1).
    expect(row.failovers).toBe(0);
  });
  it('a rate limit that ends after the deadline is not waited for', async () => {
    const rig = createExchangeRig({ settings: { 'gateway.rate_limit_action': 'wait' } });
    rig.script('a', { fails: 'rate_limited', status: 429, hintMs: 120_000 });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ attempts: 1, queued_ms: 0, give_up: 'not_transient' });
  });
  it('any transient failure of the round makes a retry, not only the last (SPEC 7.2)', async () => {
    const rig = createExchangeRig({ upstreams: two });
    rig.script('a', overloaded, answered);
    rig.script('b', { fails: 'auth', status: 401 });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'success', retries: 1, upstream: 'A' });
    expect(rig.calls()).toBe('a@0 b@0 a@2000');
  });
  it('a request fault ends everything at once: it would be one everywhere (SPEC 4.1)', async () => {
    const rig = createExchangeRig({ upstreams: two });
    rig.script('a', { fails: 'request', status: 400 });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ attempts: 1, give_up: 'not_transient' });
  });
  it('a hint belongs to its candidate: the other goes by backoff, the hinted one sits the round out but stays (SPEC 7.3)', async () => {
    const rig = createExchangeRig({ upstreams: two, draw: () => 0.5 });
    rig.script('a', { ...overloaded, hintMs: 5_000 }, answered);
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 b@2000 a@6000');
    expect(row).toMatchObject({ outcome: 'success', retries: 2 });
  });
  it('when all have a hint the smallest counts (SPEC 7.3)', async () => {
    const rig = createExchangeRig({ upstreams: two, draw: () => 0 });
    rig.script('a', { ...overloaded, hintMs: 9_000 });
    rig.script('b', { ...overloaded, hintMs: 5_000 }, answered);
    await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 b@5000');
  });
  it('a hint past the deadline takes its candidate out; none left gives up with deadline (SPEC 7.3)', async () => {
    const rig = createExchangeRig({ upstreams: two });
    rig.script('a', { ...overloaded, hintMs: 500_000 });
    rig.script('b', overloaded, { fails: 'auth', status: 401 });
    const { row } = await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 b@2000');
    expect(row).toMatchObject({ give_up: 'no_candidate' });
    const alone = createExchangeRig();
    alone.script('a', { ...overloaded, hintMs: 500_000 });
    expect((await alone.finish(alone.start().done)).row).toMatchObject({ give_up: 'deadline', attempts: 1, duration_ms: 0 });
  });
  it('an upstream that was switched off meanwhile is not asked again (SPEC 14)', async () => {
    const rig = createExchangeRig({ upstreams: two });
    const { done } = rig.start();
    await rig.pausing();
    rig.upstreams.set('a', upstreamOf({ id: 'a', enabled: false }));
    rig.script('b', answered);
    await rig.finish(done);
    expect(rig.calls()).toBe('a@0 b@0 b@2000');
  });
  it('with nobody left the exchange says so instead of hanging', async () => {
    const rig = createExchangeRig();
    const { done } = rig.start();
    await rig.pausing();
    rig.upstreams.delete('a');
    expect((await rig.finish(done)).row).toMatchObject({ outcome: 'failed', give_up: 'no_candidate', retries: 0, attempts: 1 });
  });
});

describe('an origin that cannot be reached (SPEC 7.11)', () => {
  const sameOrigin = [upstreamOf({ id: 'a', baseUrl: 'http://x.test/one' }), upstreamOf({ id: 'b', baseUrl: 'http://x.test/two' })];
  it('is skipped for the rest of the round, and asked again in the next', async () => {
    const rig = createExchangeRig({ upstreams: [...sameOrigin, upstreamOf({ id: 'c', baseUrl: 'http://y.test' })] });
    rig.script('a', refused, answered);
    await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 c@0 a@2000');
  });
  it('is not skipped when there is no other', async () => {
    const rig = createExchangeRig({ upstreams: sameOrigin });
    rig.script('a', refused);
    rig.script('b', answered);
    await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0');
  });
});

describe('what is no generation (SPEC 7.9, 7.10)', () => {
  it('counting tokens fails over but is never retried', async () => {
    const rig = createExchangeRig({ upstreams: two });
    const { row } = await rig.finish(rig.start({ operation: 'count_tokens', streamed: false }).done);
    expect(rig.calls()).toBe('a@0 b@0');
    expect(row).toMatchObject({ give_up: 'disabled', retries: 0 });
  });
  it('counting tokens says nothing about an upstream, neither its failures nor its speed', async () => {
    const rig = createExchangeRig();
    for (const step of [overloaded, { fails: 'auth', status: 401 }, overloaded, overloaded, { ...answered, tookMs: 5 }] as const) {
      rig.script('a', step);
      await rig.finish(rig.start({ operation: 'count_tokens', streamed: false }).done);
    }
    expect([rig.parts.health.admits('a', 'm-test'), rig.parts.health.latencyMs('a')]).toEqual(['normal', null]);
  });
  it('an upstream that cannot count is answered for by an estimate', async () => {
    const rig = createExchangeRig();
    rig.script('a', { fails: 'model_missing', status: 404 });
    const { row, client } = await rig.finish(rig.start({ operation: 'count_tokens', streamed: false, bodyBytes: 4_001 }).done);
    expect(new TextDecoder().decode(client.told.opened?.whole ?? undefined)).toBe('{"input_tokens":1001}');
    expect(client.told.opened?.headers).toContainEqual(['x-holdfast-estimated', 'true']);
    expect(row).toMatchObject({ outcome: 'success', status: 200 });
  });
  it.each([
    ['POST', overloaded, 'f@0'],
    ['POST', refused, 'f@0 f@2000'],
    ['GET', overloaded, 'f@0 f@2000'],
    ['DELETE', overloaded, 'f@0 f@2000'],
  ] as const)('%s forwarded after %o: %s', async (method, step, calls) => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ id: 'f' }), upstreamOf({ id: 'g' })] });
    rig.script('f', step, answered);
    await rig.finish(rig.start({ operation: 'forward', method, streamed: false }).done);
    expect(rig.calls()).toBe(calls);
    expect(rig.sent[0]?.order.letGo.aborted).toBe(true);
  });
});
