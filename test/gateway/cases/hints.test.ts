import { describe, expect, it } from 'vitest';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ask, breakerOf, says } from './support/talk.ts';

const wall = Date.UTC(2026, 10, 30);

describe('R07: no hint turns a pause into none, or into hours (SPEC 8.4)', () => {
  it.each([
    [{ 'retry-after': '9999999999' }], [{ 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }], [{ 'retry-after-ms': '99999999999' }], [{ 'retry-after': '-5' }], [{ 'retry-after': 'soon' }], [{ 'retry-after': '1e9' }],
  ])('%o is passed by: the pause is the usual one', async (headers) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503, headers), answersWith('Hello'));
    const response = ask(gateway, 'anthropic', false);
    await gateway.event('pausing');
    expect(gateway.clock.waits()[0]).toBe(2_000);
    await gateway.clock.advance(2_000);
    expect((await response).status).toBe(200);
    expect((await gateway.ended())[0]).toMatchObject({ attempts: 2, detail: { attempts: [{ hint_ms: null }, {}] } });
  });
  it('a hint past the deadline ends it at once, hint included', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503, { 'retry-after': '86400' }));
    const answer = await ask(gateway, 'anthropic', false);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '86400']);
    expect((await gateway.ended())[0]).toMatchObject({ attempts: 1, give_up: 'deadline', duration_ms: 0 });
  });
});

describe('R08: hints in every spelling (SPEC 8.4)', () => {
  it.each([
    [{ 'retry-after-ms': '1500' }, 1_500], [{ 'retry-after': '3' }, 3_000], [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': new Date(wall + 3_000).toUTCString() }, 3_000],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
    [{ 'retry-after': new Date(wall - 60_000).toUTCString() }, 2_000], [{ 'retry-after': '0' }, 2_000], [{ 'retry-after-ms': '10' }, 250],
  ])('%o: the pause is %i ms', async (headers, pauseMs) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503, headers), answersWith('Hello'));
    const response = ask(gateway, 'chat', true);
    await gateway.event('pausing');
    await gateway.clock.advance(pauseMs - 1);
    expect(gateway.upstream().calls).toHaveLength(1);
    await gateway.clock.advance(1);
    expect((await response).status).toBe(200);
    expect((await gateway.ended())[0]).toMatchObject({ pause_ms: pauseMs });
  });
});

describe('R09: rate limits and used-up quotas come back at once, with all their headers (SPEC 11)', () => {
  const headers = { 'retry-after': '287441', 'anthropic-ratelimit-unified-status': 'rejected', 'request-id': 'r1', 'x-ratelimit-reset-requests': '1s' };
  it.each([
    ['anthropic', says(429, wordsOf.anthropic.error(429, 'Slow down.'), headers), 'rate_limited'],
    ['chat', says(429, { error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', param: null, code: 'insufficient_quota' } }, headers), 'quota'],
    ['gemini', says(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for requests per minute. Please retry in 38s.', details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' }] } }, headers), 'rate_limited'],
  ] as const)('%s', async (format, script, of) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.metrics': true } });
    gateway.upstream().script(script);
    const answer = await ask(gateway, format, true);
    expect(answer.status).toBe(429);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
    expect((await gateway.ended())[0]).toMatchObject({ attempts: 1, duration_ms: 0, detail: { attempts: [{ class: of }] } });
    expect(await breakerOf(gateway)).toBe(0);
  });
  it('a quota is never waited for, a rate limit only when the user says so', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.rate_limit_action': 'wait' } });
    gateway.upstream().script(says(429, { error: { message: 'x', type: 'insufficient_quota', param: null, code: 'insufficient_quota' } }, { 'retry-after': '5' }));
    expect((await ask(gateway, 'chat', false)).status).toBe(429);
    expect(gateway.events.some((event) => event.kind === 'pausing')).toBe(false);
  });
});
