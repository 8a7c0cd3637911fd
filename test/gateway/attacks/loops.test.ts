// R49: requests that lead back to the gateway they came from (SPEC 1.7, 2.2, 2.6).
import { describe, expect, it } from 'vitest';
import { goesRound, isNearHost, loopMark, withOwnMark } from '../../../main/gateway/core/loop-mark.ts';
import { answersWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { anArrival, anUpstream } from '../../support/attempts.ts';
import { headersForUpstream } from '../../../main/gateway/upstream/request-headers.ts';
import { upstreamOf } from '../../support/upstreams.ts';

const ASK = { model: 'm-1', messages: [] };
const QUICK = { settings: { 'gateway.retry_wait_secs': 0 } } as const;

describe('R49: a gateway that is its own upstream', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '127.0.0.9', '0.0.0.0'])('by the name %s is told at once, and nothing is sent', async (host) => { // SPEC 2.2
    const gateway = await startWholeGateway(QUICK);
    gateway.upstreams.splice(0, 1, upstreamOf({ id: 'a', baseUrl: `http://${host}:${gateway.port}` }));
    const answer = await gateway.post('/v1/messages', ASK);
    expect(answer.status).toBe(502);
    const [row] = await gateway.ended();
    expect(row).toMatchObject({ attempts: 1, error_code: 'bad_address.self' });
    expect(gateway.rows()).toHaveLength(1);
  });
});

describe('R49: two gateways that are each other\u2019s upstream', () => {
  const pair = async () => {
    const [one, two] = [await startWholeGateway(QUICK), await startWholeGateway(QUICK)];
    const credential = { kind: 'client' } as const;
    one.upstreams.splice(0, 1, upstreamOf({ id: 'a', baseUrl: two.url, credential, headers: { 'x-api-key': 'hf-test' } }));
    two.upstreams.splice(0, 1, upstreamOf({ id: 'a', baseUrl: one.url, credential, headers: { 'x-api-key': 'hf-test' } }));
    return { one, two };
  };

  it.each(['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1beta/models/m-1:generateContent'])('answer 508 in the format of the client after one round: %s', async (path) => { // SPEC 1.7
    const { one, two } = await pair();
    const answer = await one.post(path, ASK);
    const body = await answer.text();
    expect(answer.status).toBe(508);
    expect(body).toContain('come round');
    expect(JSON.parse(body)).toHaveProperty('error');
    await one.ended(2);
    await two.ended(1);
    expect(one.rows().map(({ outcome }) => outcome).sort()).toEqual(['failed', 'refused']);
    expect(two.rows()).toMatchObject([{ outcome: 'failed', attempts: 1, status: 508 }]);
  });

  it('fail over to an upstream that leads on', async () => { // SPEC 4.1
    const { one, two } = await pair();
    const way = await startWholeGateway();
    way.upstream().otherwise(answersWith('at last'));
    two.upstreams.push(upstreamOf({ id: 'b', baseUrl: way.url, headers: { 'x-api-key': 'hf-test' } }));
    const answer = await one.post('/v1/messages', ASK);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('at last');
  });
});

describe('the mark of a gateway', () => {
  it('goes to near hosts alone: a provider never sees it, also when a client sends one', async () => { // SPEC 1.7
    for (const near of ['127.0.0.1', '[::1]', 'localhost', 'box', 'box.local', 'box.lan.', '10.1.2.3', '172.16.0.1', '172.31.9.9', '192.168.0.7', '100.64.0.1', '169.254.1.1', '[fd00::1]', '[fe80::1]', 'nas.home.arpa', 'llm.internal']) expect(isNearHost(near), near).toBe(true);
    for (const far of ['api.anthropic.com', 'api.openai.com', '8.8.8.8', '172.32.0.1', '172.15.0.1', '192.169.0.1', '100.128.0.1', '11.0.0.1', '[2606:4700::1111]', 'localhost.example.com', 'local.example', 'lan.com']) expect(isNearHost(far), far).toBe(false);
    const arrival = anArrival({ via: '0123456789abcdef' });
    expect(headersForUpstream(arrival, anUpstream('https://api.anthropic.com'), { kind: 'none' })).not.toHaveProperty('x-holdfast-via');
    const gateway = await startWholeGateway({ part: { credential: { kind: 'client' } } });
    gateway.upstream().otherwise(answersWith('Hello'));
    expect((await gateway.post('/v1/messages', ASK, { headers: { 'x-holdfast-via': '0123456789abcdef, <script>, 00' } })).status).toBe(200);
    expect(gateway.upstream().calls[0]?.header('x-holdfast-via')).toMatch(/^0123456789abcdef, [0-9a-f]{16}$/);
  });

  it('is known again, and too many of them are a loop as well', () => {
    const own = loopMark(() => 0.5);
    expect(own).toBe('8000800080008000');
    expect(goesRound(null, own)).toBe(false);
    expect(goesRound('', own)).toBe(false);
    expect(goesRound('0123456789abcdef', own)).toBe(false);
    expect(goesRound(`0123456789abcdef ,${own}`, own)).toBe(true);
    expect(goesRound(withOwnMark(null, own), own)).toBe(true);
    expect(goesRound(Array.from({ length: 8 }, (_, n) => `000000000000000${n}`).join(), own)).toBe(true);
    expect(withOwnMark('x'.repeat(60_000), own)).toBe(own);
  });
});
