import { describe, expect, it } from 'vitest';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { parseResponse, rawClient, requestText } from '../downstream/support/raw-client.ts';
import { ask, says } from './support/talk.ts';

describe('R34: headers of one connection stay on it (SPEC 1.7)', () => {
  const body = '{"model":"m-1","max_tokens":1}';
  const send = async (port: number, headers: readonly string[], chunked: boolean) => {
    const client = await rawClient(port);
    client.send(['POST /v1/messages?beta=true HTTP/1.1', `host: localhost:${port}`, 'x-api-key: hf-test', 'content-type: application/json', ...headers,
      ...(chunked ? ['transfer-encoding: chunked'] : [`content-length: ${body.length}`]), '', chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body].join('\r\n'));
    return { answer: parseResponse(await client.closed()) };
  };
  it.each([true, false])('none crosses in either direction (request in chunks: %s)', async (chunked) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(says(200, wordsOf.anthropic.whole('m-1', 'Hello'), {
      connection: 'keep-alive, x-hop', 'keep-alive': 'timeout=5', 'x-hop': '1', 'proxy-authenticate': 'Basic', trailer: 'x-t', upgrade: 'h2c', te: 'trailers', 'set-cookie': 'a=b', 'x-stays': 'yes',
    }));
    const { answer } = await send(gateway.port, [
      'connection: close, x-client-hop', 'x-client-hop: 1', 'proxy-authorization: Basic QQ==', 'te: trailers', 'keep-alive: 5', 'cookie: a=b', 'referer: http://x/', 'x-stainless-os: Linux',
      'anthropic-version: 2023-06-01', 'anthropic-beta: a,b', 'user-agent: test/1',
    ], chunked);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ connection: 'close', 'x-stays': 'yes', 'content-length': String(answer.body.length) });
    for (const name of ['keep-alive', 'x-hop', 'proxy-authenticate', 'trailer', 'upgrade', 'te', 'set-cookie', 'transfer-encoding']) expect(answer.headers).not.toHaveProperty(name);
    const call = await gateway.upstream().call(0);
    expect(await call.body).toEqual(Buffer.from(body));
    expect([call.target, call.header('host'), call.header('content-length'), call.header('transfer-encoding')]).toEqual(['/v1/messages?beta=true', gateway.upstream().url.slice(7), String(body.length), undefined]);
    expect([call.header('anthropic-version'), call.header('anthropic-beta'), call.header('user-agent'), call.header('x-api-key')]).toEqual(['2023-06-01', 'a,b', 'test/1', 'sk-upstream']);
    for (const name of ['x-client-hop', 'proxy-authorization', 'te', 'keep-alive', 'cookie', 'referer', 'x-stainless-os', 'authorization']) expect([name, call.header(name)]).toEqual([name, undefined]);
  });
  it.each([
    ['chat', { 'openai-organization': 'org', 'openai-beta': 'x', 'x-client-request-id': 'c1' }], ['responses', { session_id: 's1', originator: 'codex_cli_rs', 'x-codex-turn-state': 't' }], ['gemini', { 'x-goog-api-client': 'genai' }],
  ] as const)('%s: what its API knows goes along', async (format, headers) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(answersWith('Hello'));
    await ask(gateway, format, false, { headers });
    const call = await gateway.upstream().call(0);
    for (const [name, value] of Object.entries(headers)) expect([name, call.header(name)]).toEqual([name, value]);
  });
});

describe('headers that only the gateway may say', () => {
  it.each([200, 400])('an upstream neither opens its answer to web pages nor speaks for the gateway (status %i)', async (status) => { // SPEC 1.5, 1.7
    const gateway = await startWholeGateway();
    const words = status === 200 ? wordsOf.anthropic.whole('m-1', 'Hello') : JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } });
    gateway.upstream().script(says(status, words, {
      'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true', 'x-holdfast-retries': '99', 'x-holdfast-upstream': 'Other', 'x-holdfast-replayed': 'true', 'x-stays': 'yes',
    }));
    const answer = await ask(gateway, 'anthropic', false);
    expect([answer.status, answer.headers.get('x-stays')]).toEqual([status, 'yes']);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect([answer.headers.get('x-holdfast-retries'), answer.headers.get('x-holdfast-upstream'), answer.headers.get('x-holdfast-replayed')]).toEqual(['0', 'A', null]);
  });
});

describe('R36: large heads (SPEC 1.1, 15)', () => {
  it('20 KB pass both ways', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(says(200, wordsOf.anthropic.whole('m-1', 'Hello'), { 'x-large': 'l'.repeat(20_000) }));
    const client = await rawClient(gateway.port);
    client.send(requestText('POST /v1/messages', { 'x-api-key': 'hf-test', 'anthropic-beta': 'b'.repeat(20_000), connection: 'close' }, '{"model":"m-1"}'));
    const answer = parseResponse(await client.closed());
    expect([answer.status, answer.headers['x-large']?.length]).toEqual([200, 20_000]);
    expect((await gateway.upstream().call(0)).header('anthropic-beta')).toHaveLength(20_000);
  });
  it('200 KB from an upstream are one clear error, without another attempt', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().otherwise(says(200, wordsOf.anthropic.whole('m-1', 'Hello'), { 'x-large': 'l'.repeat(200_000) }));
    const answer = await ask(gateway, 'anthropic', false);
    expect(answer.status).toBe(502);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(/^\[Holdfast\] A/);
    expect(gateway.upstream().calls).toHaveLength(1);
    expect((await gateway.ended())[0]).toMatchObject({ error_code: 'head.too_large', attempts: 1 });
  });
});
