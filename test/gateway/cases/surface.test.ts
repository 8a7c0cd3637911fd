import { describe, expect, it } from 'vitest';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ask, breakerOf, says } from './support/talk.ts';

const key = { authorization: 'Bearer hf-test' };

describe('R40: counting tokens is a small matter of its own (SPEC 7.9)', () => {
  const count = (gateway: Awaited<ReturnType<typeof startWholeGateway>>) => gateway.post('/v1/messages/count_tokens?beta=true', { model: 'm-1', messages: [{ role: 'user', content: 'Hello there' }] });
  it('its failures come back as they are, once each, and say nothing about the upstream', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.metrics': true } });
    for (const status of [503, 401, 503, 500, 503, 529, 503]) {
      const body = JSON.stringify(wordsOf.anthropic.error(status, 'not now'));
      const before = gateway.upstream().calls.length;
      gateway.upstream().script(says(status, body));
      const answer = await count(gateway);
      expect([answer.status, await answer.text(), gateway.upstream().calls.length - before]).toEqual([status, body, 1]);
      gateway.upstream().script(answersWith('Hello'));
      expect((await ask(gateway, 'anthropic', true)).status).toBe(200);
    }
    expect(gateway.upstream().calls[0]?.target).toBe('/v1/messages/count_tokens?beta=true');
    expect(gateway.clock.pending()).toBe(0);
  });
  it('a row of its failures does not open the breaker', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.metrics': true } });
    gateway.upstream().otherwise(says(503, wordsOf.anthropic.error(503, 'not now')));
    for (let turn = 0; turn < 5; turn++) expect((await count(gateway)).status).toBe(503);
    expect(await breakerOf(gateway)).toBe(0);
  });
  it.each([404, 405])('where it is missing (%i) an estimate answers, and says that it is one', async (status) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(says(status, wordsOf.anthropic.error(404, 'no such path')));
    const answer = await count(gateway);
    expect([answer.status, answer.headers.get('x-holdfast-estimated')]).toEqual([200, 'true']);
    expect(((await answer.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(0);
  });
});

describe('R41: model lists in the shape that each client reads (SPEC 1.8)', () => {
  const list = async (path: string, headers: Readonly<Record<string, string>>) => {
    const gateway = await startWholeGateway({ part: { models: ['m-1', 'm-2'] } });
    const answer = await fetch(`${gateway.url}${path}`, { headers });
    expect(answer.status).toBe(200);
    expect(gateway.upstream().calls).toHaveLength(0);
    return await answer.json() as unknown;
  };
  it.each(['/v1/models', '/models?client_version=1.2', '/v1/v1/models', '/v1/models/'])('%s for OpenAI clients', async (path) => {
    expect(await list(path, key)).toMatchObject({ object: 'list', data: [{ id: 'm-1', object: 'model' }, { id: 'm-2', object: 'model' }] });
  });
  it('/v1/models for Anthropic clients', async () => {
    expect(await list('/v1/models?limit=100', { 'x-api-key': 'hf-test', 'anthropic-version': '2023-06-01' })).toMatchObject({ has_more: false, first_id: 'm-1', last_id: 'm-2', data: [{ id: 'm-1', type: 'model' }, { id: 'm-2', type: 'model' }] });
  });
  it('/v1beta/models for Gemini clients', async () => {
    expect(await list('/v1beta/models?pageSize=50', { 'x-goog-api-key': 'hf-test' })).toMatchObject({ models: [{ name: 'models/m-1' }, { name: 'models/m-2' }] });
  });
});

describe('R42: pages of origins that the user listed, and no others (SPEC 1.5)', () => {
  const allowed = 'http://localhost:3000';
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' };
  it('a listed one may ask first, and can read answers, streams and errors', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.allowed_origins': [allowed], 'gateway.retry_wait_secs': 0 } });
    const first = await fetch(`${gateway.url}/v1/messages`, { method: 'OPTIONS', headers: { origin: allowed, ...preflight } });
    expect([first.status, first.headers.get('access-control-allow-origin'), first.headers.get('access-control-allow-headers')]).toEqual([204, allowed, 'authorization, content-type']);
    gateway.upstream().script(answersWith('Hello'), answersWith('Hello'), failsWith(502), failsWith(400));
    const answers = [await ask(gateway, 'anthropic', false, { headers: { origin: allowed } }), await ask(gateway, 'anthropic', true, { headers: { origin: allowed } }),
      await ask(gateway, 'anthropic', true, { headers: { origin: allowed } }), await ask(gateway, 'anthropic', false, { headers: { origin: allowed } }),
      await ask(gateway, 'anthropic', false, { headers: { origin: allowed, authorization: 'Bearer wrong' } })];
    expect(answers.map((answer) => [answer.status, answer.headers.get('access-control-allow-origin')])).toEqual([200, 200, 502, 400, 401].map((status) => [status, allowed]));
  });
  it.each(['https://evil.example', 'null', 'http://localhost:3001', 'http://localhost'])('%s gets nothing, and nothing is sent for it', async (origin) => {
    for (const listed of [[], [allowed]]) {
      const gateway = await startWholeGateway({ settings: { 'gateway.allowed_origins': listed } });
      const answers = [await fetch(`${gateway.url}/v1/messages`, { method: 'OPTIONS', headers: { origin, ...preflight } }), await ask(gateway, 'anthropic', true, { headers: { origin } })];
      expect(answers.map((answer) => [answer.status, answer.headers.get('access-control-allow-origin')])).toEqual([[403, null], [403, null]]);
      expect(gateway.upstream().calls).toHaveLength(0);
    }
  });
});

describe('R43: whatever the base address, the path is right (SPEC 2.2)', () => {
  const bases = ['', '/', '/v1', '/v1/', '/api/anthropic', '/api/anthropic/v1/'];
  const targets = [
    ['/v1/messages?beta=true', '/v1/messages?beta=true'], ['/messages?beta=true&beta=%20x&beta=', '/v1/messages?beta=true&beta=%20x&beta='], ['/v1/v1/chat/completions', '/v1/chat/completions'],
    ['/v1beta/models/tuned%2Fm-1:generateContent?x=%2F', '/v1beta/models/tuned%2Fm-1:generateContent?x=%2F'],
  ] as const;
  it.each(bases.flatMap((base) => targets.map(([asked, sent]) => [base, asked, base.startsWith('/api') ? `/api/anthropic${sent}` : sent] as const)))('base %j, asked for %s', async (base, asked, sent) => {
    const upstream = await startScriptedUpstream();
    const gateway = await startWholeGateway({ part: { baseUrl: `${upstream.url}${base}` } });
    upstream.otherwise(says(200, wordsOf.anthropic.whole('m-1', 'Hello')));
    await gateway.post(asked, { model: 'm-1', contents: [] });
    expect((await upstream.call(0)).target).toBe(sent);
    await gateway.gateway.stop({ graceMs: 0 });
    await upstream.close();
  });
});
