import { describe, expect, it } from 'vitest';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { says } from './support/talk.ts';

const CANARY = 'sk-ant-api03-canary0123456789abcdefCANARY';

/** Ways in which a client can bring a key of its own beside the gateway's. */
const CARRIERS: readonly (readonly [what: string, path: string, headers: Readonly<Record<string, string>>])[] = [
  ['authorization', '/k/hf-test/v1/messages', { authorization: `Bearer ${CANARY}` }],
  ['x-api-key', '/k/hf-test/v1/messages', { 'x-api-key': CANARY }],
  ['x-goog-api-key', '/k/hf-test/v1/messages', { 'x-goog-api-key': CANARY }],
  ['the query', `/v1/messages?key=${CANARY}&beta=true`, { authorization: 'Bearer hf-test' }],
  ['an escaped query', `/v1/messages?%6bey=${CANARY}`, { authorization: 'Bearer hf-test' }],
  ['a cookie', '/v1/messages', { authorization: 'Bearer hf-test', cookie: `session=${CANARY}` }],
  ['a header for proxies', '/v1/messages', { authorization: 'Bearer hf-test', 'proxy-authorization': `Basic ${CANARY}` }],
  ['a path that does not exist', `/v1/nothing?key=${CANARY}`, { authorization: 'Bearer hf-test' }],
  ['a wrong key', '/v1/messages', { authorization: `Bearer ${CANARY}` }],
];

const ANSWERS: readonly (readonly [what: string, script: Script, passesOn: boolean])[] = [
  ['a success', answersWith('Hello'), false],
  ['a refusal that repeats the key', says(400, wordsOf.anthropic.error(400, `invalid key ${CANARY}`)), true],
  ['a page that repeats the key', says(502, `<html>key ${CANARY}</html>`, { 'content-type': 'text/html' }), false],
  ['a redirect that repeats the key', says(302, '', { location: `http://elsewhere/?key=${CANARY}` }), false],
];

describe('R60: keys are neither logged nor told (SPEC 1.4, 12.5)', () => {
  it.each(CARRIERS.flatMap(([carrier, path, headers]) => ANSWERS.map(([what, script, passesOn]) => ({ carrier, path, headers, what, script, passesOn }))))('from $carrier, with $what', async ({ path, headers, script, passesOn }) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    gateway.upstream().script(script);
    const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', redirect: 'manual', body: JSON.stringify({ model: 'm-1', note: 'hi' }), headers: { 'content-type': 'application/json', ...headers } });
    const text = await answer.text();
    await gateway.ended();
    expect(JSON.stringify(gateway.events)).not.toContain('canary');
    // What an upstream says goes through unchanged; what the gateway says itself never holds a key.
    if (!passesOn || gateway.upstream().calls.length === 0) expect(text + JSON.stringify([...answer.headers])).not.toContain('canary');
    for (const call of gateway.upstream().calls) expect(call.target + JSON.stringify(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization'].map((name) => call.header(name)))).not.toContain('canary');
  });
  it('nor is a password in the address of an upstream that cannot be reached', async () => {
    const gone = await startScriptedUpstream();
    await gone.close();
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 }, part: { baseUrl: gone.url.replace('http://', `http://user:${CANARY}@`) } });
    const answer = await gateway.post(`/v1beta/models/m-1:generateContent?key=${CANARY}`, { contents: [] });
    expect(answer.status).toBe(502);
    expect(await answer.text()).not.toContain('canary');
    await gateway.ended();
    expect(JSON.stringify(gateway.events)).not.toContain('canary');
  });
});
