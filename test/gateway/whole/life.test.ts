import { describe, expect, it } from 'vitest';
import { answersWith, failsWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';

const ask = { model: 'm-1', stream: true, messages: [] };

describe('live events and buttons (SPEC 13, 7.12 f)', () => {
  it('a paused exchange is in the list with its times, and Retry now sends at once', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), answersWith('Hello'));
    const response = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    const [running] = gateway.gateway.inFlight();
    expect(running).toMatchObject({ state: 'pausing', upstream: 'A', retries: 0, pause: { retry: 1, reason: 'backoff', upstreams: ['A'] } });
    expect((running?.pause?.retry_at ?? 0) - (running?.pause?.started ?? 0)).toBe(2_000);
    expect((running?.pause?.until ?? 0) - (running?.row.started_at ?? 0)).toBe(120_000);
    expect(gateway.gateway.retryNow(running?.row.id ?? '')).toBe(true);
    expect(await (await response).text()).toContain('message_stop');
    const [row] = await gateway.ended();
    expect(row).toMatchObject({ outcome: 'success', retries: 1, pause_ms: 0 });
    expect(gateway.gateway.inFlight()).toEqual([]);
    expect(gateway.events.map((event) => event.kind)).toEqual(['started', 'attempt_started', 'attempt_failed', 'pausing', 'pause_ended', 'attempt_started', 'released', 'finished']);
  });
  it('Give up hands over what the upstream said', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().otherwise(failsWith(529));
    const response = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    gateway.gateway.giveUp(gateway.gateway.inFlight()[0]?.row.id ?? '');
    expect((await response).status).toBe(529);
    expect((await gateway.ended())[0]).toMatchObject({ give_up: 'user' });
  });
  it('a machine that slept ends its pauses and looks for that only while something runs (SPEC 8.8)', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), answersWith('Hello'));
    expect(gateway.clock.pending()).toBe(0);
    const response = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    gateway.clock.jumpWall(3_600_000);
    await gateway.clock.advance(1_999);
    expect(gateway.events.at(-1)?.kind).toBe('pausing');
    await gateway.clock.advance(1);
    await (await response).text();
    expect(gateway.events.find((event) => event.kind === 'pause_ended')).toMatchObject({ why: 'wake' });
    await gateway.ended();
    expect(gateway.clock.pending()).toBe(0);
  });
});

describe('stopping (SPEC 17)', () => {
  it('ends pauses with what there is, lets a running answer finish, and takes no new request', async () => {
    const gateway = await startWholeGateway();
    const finish = Promise.withResolvers<undefined>();
    gateway.upstream().script(failsWith(503), answersWith('Hello', () => finish.promise));
    const paused = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    const running = gateway.post('/v1/messages', ask);
    await gateway.upstream().call(1);
    const stopped = gateway.gateway.stop({ graceMs: 30_000 });
    expect((await paused).status).toBe(503);
    expect(gateway.rows()[0]).toMatchObject({ give_up: 'stopping', outcome: 'failed' });
    await expect(gateway.post('/v1/messages', ask)).rejects.toThrow('fetch failed');
    finish.resolve(undefined);
    expect(await (await running).text()).toContain('message_stop');
    await stopped;
    expect(gateway.gateway.state()).toEqual({ status: 'stopped' });
    expect(gateway.rows().map((row) => row.outcome)).toContain('success');
  });
  it('cuts what is still running when the grace is over, and still writes its row', async () => {
    const gateway = await startWholeGateway();
    const call = gateway.upstream().call(0);
    const running = gateway.post('/v1/messages', ask);
    await call;
    const stopped = gateway.gateway.stop({ graceMs: 30_000 });
    await gateway.clock.whenWaits((waits) => waits.includes(30_000));
    await gateway.clock.advance(30_000);
    await stopped;
    // Its head went out early, so it is told by an error event.
    expect(await (await running).text()).toMatch(/event: error\ndata: .*This Holdfast stopped.*\n\n$/);
    expect(gateway.rows()).toHaveLength(1);
    expect(gateway.rows()[0]).toMatchObject({ outcome: 'failed', give_up: 'stopping', error_code: 'gateway.stopping', status: 200 });
    expect((await (await call).closed).how).not.toBe('ours');
  });
});

describe('the endpoint moves (SPEC 1.1)', () => {
  it('keeps the old listener and says why when the new port is taken', async () => {
    const gateway = await startWholeGateway();
    const taken = gateway.upstream().port;
    const state = await gateway.gateway.listen({ port: taken });
    expect(state).toMatchObject({ status: 'running', port: gateway.port, problem: { kind: 'port_in_use', port: taken } });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
  it('goes to a free one, and a running exchange on the old one ends well', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), answersWith('Hello'));
    const response = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    const state = await gateway.gateway.listen({ port: 0 });
    expect(state.status === 'running' && state.port).not.toBe(gateway.port);
    await gateway.clock.advance(2_000);
    expect(await (await response).text()).toContain('message_stop');
    if (state.status === 'running') expect((await fetch(`${state.url}/healthz`)).status).toBe(200);
  });
});

describe('metrics (SPEC 16)', () => {
  const scrape = async (url: string) => (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer hf-test' } })).text();
  it('count what happened, by provider and outcome', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.metrics': true }, upstreams: ['a', 'b'] });
    gateway.upstream('a').script(failsWith(503), failsWith(503));
    gateway.upstream('b').script(failsWith(401), answersWith('Hello'));
    const response = gateway.post('/v1/messages', ask);
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    await gateway.event('pausing', 2);
    await gateway.clock.advance(0);
    gateway.gateway.giveUp(gateway.gateway.inFlight()[0]?.row.id ?? '');
    await (await response).text();
    await gateway.ended();
    const text = await scrape(gateway.url);
    for (const line of [
      'gateway_requests_total{format="anthropic",outcome="failed"} 1',
      'gateway_upstream_attempts_total{provider="A",result="retryable_error"} 2',
      'gateway_upstream_attempts_total{provider="B",result="error"} 1',
      'gateway_provider_retry_total{provider="A"} 1',
      'gateway_provider_fallback_total{provider="B"} 1',
      'gateway_pause_seconds_total 2',
      'gateway_request_duration_seconds_count 1',
      'gateway_in_flight 0',
      'gateway_breaker_state{provider="A"} 0',
      'gateway_log_rows_dropped_total 0',
    ]) expect(text).toContain(`\n${line}\n`);
    expect(text).toContain('gateway_retry_budget_tokens 5');
  });
  it('are off by default', async () => {
    const gateway = await startWholeGateway();
    expect((await fetch(`${gateway.url}/metrics`, { headers: { authorization: 'Bearer hf-test' } })).status).toBe(404);
  });
});

describe('law 10: nothing is left behind', () => {
  it('after hundreds of exchanges in every way of ending', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 2, 'gateway.breaker': { enabled: false, failures: 3, ratio: 0.5, min_samples: 10, window_secs: 60, cool_secs: 60, max_cool_secs: 600 } } });
    const ways = [answersWith('Hello'), failsWith(400), failsWith(503), failsWith(429)];
    gateway.upstream().otherwise((call) => (ways[call.index % ways.length] as (typeof ways)[number])(call));
    for (let turn = 0; turn < 25; turn++) {
      const leaving = new AbortController();
      const batch = Array.from({ length: 12 }, (_, index) => gateway.post('/v1/messages', ask, index === 5 ? { signal: leaving.signal } : {}).then((answer) => answer.text()).catch(() => null));
      leaving.abort();
      const state = { over: false };
      const all = Promise.all(batch).finally(() => { state.over = true; });
      while (!state.over) await gateway.clock.advance(100);
      await all;
    }
    await gateway.when(() => gateway.gateway.inFlight().length === 0);
    expect(gateway.clock.pending()).toBe(0);
    expect(gateway.rows().length).toBeGreaterThanOrEqual(25 * 11);
    expect(new Set(gateway.rows().map((row) => row.id)).size).toBe(gateway.rows().length);
  });
});
