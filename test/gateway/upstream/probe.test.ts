// SPEC 2.7: the test of an upstream, step by step, over real sockets.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CredentialLookup } from '../../../main/gateway/ports.ts';
import { fetchModels, testRefused, testUpstream, type ProbeParts } from '../../../main/gateway/upstream/probe/probe.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { TEST_REASONS, TEST_STEPS, type UpstreamTest } from '../../../shared/upstream-test.ts';
import { anUpstream, createMemoryLog } from '../../support/attempts.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { startScriptedProxy } from '../../support/scripted-proxy.ts';
import { startScriptedSocks } from '../../support/scripted-socks.ts';
import { startScriptedUpstream, type Call, type ScriptedUpstream } from '../../support/scripted-upstream.ts';

const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const KEY: CredentialLookup = { kind: 'secret', value: 'sk-secret-value' };
const json = { 'content-type': 'application/json' };
const listOf = (...ids: readonly string[]): string => JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });

let server: ScriptedUpstream;
let clock: FakeClock;
beforeEach(async () => {
  server = await startScriptedUpstream();
  clock = createFakeClock();
  server.otherwise((call) => call.answer(200, json, listOf('m-large', 'm-small')));
});
afterEach(async () => {
  expect(clock.pending(), 'timers left').toBe(0);
  await server.whenOpen(0);
  await server.close();
});

const partsOf = (change: Partial<ProbeParts> = {}): ProbeParts => ({ clock, log: createMemoryLog(), version: '1.2.3', connectTimeoutMs: 10_000, proxyVariables: () => ({}), ...change });
const run = (part: Partial<Upstream> = {}, credential: CredentialLookup = KEY, parts: Partial<ProbeParts> = {}): Promise<UpstreamTest> =>
  testUpstream(partsOf(parts), anUpstream(part.baseUrl ?? server.url, { formats: ['chat'], ...part }), credential);
/** `tcp:passed auth:failed/key_rejected`; what was skipped for no reason of its own is left out. */
const told = (result: UpstreamTest): string => result.steps.filter(({ reason }) => reason !== 'not_needed' && reason !== 'not_reached').map(({ step, state, reason }) => `${step}:${state}${reason === null ? '' : `/${reason}`}`).join(' ');

test('an upstream that answers passes every step that is needed, and tells its models', async () => {
  const result = await run();
  expect(told(result)).toBe('tcp:passed auth:passed models:passed');
  expect(result).toMatchObject({ ok: true, models: ['m-large', 'm-small'], via: null });
  expect(result.steps.map(({ step }) => step)).toEqual([...TEST_STEPS]);
  for (const { state, tookMs } of result.steps) expect(tookMs === null).toBe(state === 'skipped');
  const call = await server.call(0);
  expect([call.target, call.header('authorization'), call.header('user-agent'), call.header('accept-encoding')]).toEqual(['/v1/models', 'Bearer sk-secret-value', 'Holdfast/1.2.3', 'identity']);
});

test('headers that are configured go along and win', async () => {
  await run({ headers: { 'X-Team': 'blue', Authorization: 'Token abc' } });
  const call = await server.call(0);
  expect([call.header('x-team'), call.header('authorization')]).toEqual(['blue', 'Token abc']);
});

describe('the list is read', () => {
  test('as Anthropic sends it, page after page', async () => {
    server.script(
      (call) => call.answer(200, json, JSON.stringify({ data: [{ type: 'model', id: 'claude-a' }], has_more: true, last_id: 'claude-a' })),
      (call) => call.answer(200, json, JSON.stringify({ data: [{ type: 'model', id: 'claude-b' }, { id: 'claude-a' }], has_more: false, last_id: 'claude-b' })),
    );
    const result = await run({ preset: 'anthropic', formats: ['anthropic'] });
    expect(result.models).toEqual(['claude-a', 'claude-b']);
    expect(server.calls.map((call) => call.target)).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=claude-a']);
    expect([(await server.call(0)).header('x-api-key'), (await server.call(0)).header('anthropic-version')]).toEqual(['sk-secret-value', '2023-06-01']);
  });
  test('as Gemini sends it, without what only embeds', async () => {
    server.script(
      (call) => call.answer(200, json, JSON.stringify({ models: [{ name: 'models/gemini-x', supportedGenerationMethods: ['generateContent'] }, { name: 'models/embed', supportedGenerationMethods: ['embedContent'] }], nextPageToken: 'p/2' })),
      (call) => call.answer(200, json, JSON.stringify({ models: [{ name: 'models/gemini-y' }] })),
    );
    expect((await run({ preset: 'gemini', formats: ['gemini'] })).models).toEqual(['gemini-x', 'gemini-y']);
    expect(server.calls.map((call) => call.target)).toEqual(['/v1beta/models?pageSize=1000', '/v1beta/models?pageSize=1000&pageToken=p%2F2']);
    expect((await server.call(0)).header('x-goog-api-key')).toBe('sk-secret-value');
  });
  test.each([['a bare list', JSON.stringify([{ id: 'x' }, 'y'])], ['names', JSON.stringify({ models: [{ name: 'x' }, { name: 'y' }] })]])('as %s', async (_what, body) => {
    server.otherwise((call) => call.answer(200, json, body));
    expect((await run()).models).toEqual(['x', 'y']);
  });
  test('from Azure, at its own path with its own header', async () => {
    await run({ preset: 'azure_openai', baseUrl: `${server.url}/openai?api-version=2024-10-21` });
    const call = await server.call(0);
    expect([call.target, call.header('api-key')]).toEqual(['/openai/models?api-version=2024-10-21', 'sk-secret-value']);
  });
  test('that never ends is read for twenty pages', async () => {
    server.otherwise((call) => call.answer(200, json, JSON.stringify({ data: [{ id: `m${call.index}` }], has_more: true, last_id: `m${call.index}` })));
    expect((await run({ preset: 'anthropic', formats: ['anthropic'] })).models).toHaveLength(20);
  });
});

describe('what the upstream says', () => {
  const error = (status: number, message = 'no') => (call: Call) => call.answer(status, json, JSON.stringify({ error: { message, type: 'x', code: null } }));
  test.each([
    [401, 'tcp:passed auth:failed/key_rejected', false], [403, 'tcp:passed auth:failed/forbidden', false], [429, 'tcp:passed auth:passed models:failed/rate_limited', false],
    [402, 'tcp:passed auth:passed models:failed/no_balance', false], [500, 'tcp:passed models:failed/upstream_error', false],
    [404, 'tcp:passed models:skipped/no_list', true], [405, 'tcp:passed models:skipped/no_list', true],
  ])('%i: %s', async (status, expected, ok) => {
    server.otherwise(error(status));
    const result = await run();
    expect([told(result), result.ok, result.models]).toEqual([expected, ok, null]);
    expect(result.steps.find((step) => step.status !== null)!.status).toBe(status);
  });
  test('a key that it repeats is masked', async () => {
    server.otherwise(error(401, 'Incorrect API key provided: sk-secret-value.'));
    const { steps } = await run();
    expect(JSON.stringify(steps)).not.toContain('sk-secret-value');
    expect(steps.find(({ step }) => step === 'auth')!.detail).toContain('Incorrect API key');
  });
  test('a header that it repeats without its scheme is masked', async () => {
    server.otherwise(error(401, 'Token plain-opaque is unknown.'));
    const { steps } = await run({ headers: { authorization: 'Bearer plain-opaque' } });
    expect(JSON.stringify(steps)).not.toContain('plain-opaque');
  });
  test('Gemini turns a wrong key away with 400', async () => {
    server.otherwise((call) => call.answer(400, json, JSON.stringify({ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }] } })));
    expect(told(await run({ preset: 'gemini', formats: ['gemini'] }))).toBe('tcp:passed auth:failed/key_rejected');
  });
  test.each([
    ['<html>', 'models:failed/not_json'], ['{"hello":1}', 'models:failed/wrong_shape'], ['[1,2]', 'models:failed/wrong_shape'], ['{"data":[]}', 'models:passed/empty_list'],
  ])('%s instead of a list: %s', async (body, expected) => {
    server.otherwise((call) => call.answer(200, json, body));
    expect(told(await run())).toBe(`tcp:passed auth:passed ${expected}`);
  });
  test('a redirect is not followed', async () => {
    server.otherwise((call) => call.answer(302, { location: 'http://127.0.0.1:1/' }, ''));
    expect(told(await run())).toBe('tcp:passed models:failed/redirect');
  });
  test('what is no HTTP, closes without a word, or sends without end', async () => {
    server.script((call) => call.raw('SSH-2.0-x\r\n\r\n'), (call) => { call.fin(); });
    expect(told(await run())).toBe('tcp:passed auth:failed/not_http');
    expect(told(await run())).toBe('tcp:passed auth:failed/closed');
    server.script(async (call) => {
      await call.head(200, json);
      for (let mib = 0; mib < 9; mib++) await call.write(Buffer.alloc(1024 * 1024, 32));
    });
    expect(told(await run())).toContain('models:failed/too_large');
  });
  test('silence ends after the time for an answer', async () => {
    server.script(() => undefined);
    const result = run();
    await server.call(0);
    await clock.advance(25_000);
    expect(told(await result)).toBe('tcp:passed auth:failed/timed_out');
  });
  test('a list that anybody can read says nothing of the key: OpenRouter is asked for the key first', async () => {
    server.script((call) => call.answer(401, json, '{"error":{"message":"No auth credentials found","code":401}}'));
    expect(told(await run({ preset: 'openrouter', baseUrl: `${server.url}/api` }))).toBe('tcp:passed auth:failed/key_rejected');
    server.script((call) => call.answer(200, json, '{"data":{"label":"x"}}'));
    expect(told(await run({ preset: 'openrouter', baseUrl: `${server.url}/api` }))).toBe('tcp:passed auth:passed models:passed');
    expect(server.calls.map((call) => call.target)).toEqual(['/api/v1/key', '/api/v1/key', '/api/v1/models']);
  });
});

describe('the key', () => {
  test.each([['credential.sealed', 'credential_sealed'], ['credential.env_missing', 'credential_env_missing'], ['credential.missing', 'credential_missing']])('%s is what fails, once the way is known to be free', async (code, reason) => {
    const result = await run({}, { kind: 'unusable', code });
    expect(told(result)).toBe(`tcp:passed auth:failed/${reason}`);
    expect((await server.call(0)).header('authorization')).toBeUndefined();
  });
  test('none is asked for: said so', async () => { expect(told(await run({}, { kind: 'none' }))).toBe('tcp:passed auth:passed/no_key_asked models:passed'); });
  test('of the client cannot be tested, and being turned away without it is no fault', async () => {
    expect(told(await run({}, { kind: 'client' }))).toBe('tcp:passed auth:skipped/client_credential models:passed');
    server.otherwise((call) => call.answer(401, json, '{}'));
    const result = await run({}, { kind: 'client' });
    expect([told(result), result.ok]).toEqual(['tcp:passed auth:skipped/client_credential models:skipped/client_credential', true]);
  });
});

describe('the way', () => {
  test('a name that is not there, a port that refuses, an address that is none', async () => {
    expect(told(await run({ baseUrl: 'http://no-such-host.invalid' }))).toMatch(/^dns:failed\/dns_(not_found|failed)$/);
    expect(told(await run({ baseUrl: 'http://127.0.0.1:1' }))).toBe('tcp:failed/refused');
    expect(told(await run({ baseUrl: 'not an address' }))).toBe('dns:failed/address_invalid');
  });
  test('to the gateway itself is not gone', async () => {
    expect(told(await run({}, KEY, { ownPorts: () => [server.port] }))).toBe('dns:failed/address_self');
    expect(server.accepted()).toBe(0);
  });
  test('secured: TLS is a step of its own, and a certificate that is not trusted says so', async () => {
    const secure = await startScriptedUpstream({ tls: { key: pem('loopback.key'), cert: pem('loopback.pem') } });
    onTestFinished(() => secure.close());
    secure.otherwise((call) => call.answer(200, json, listOf('m')));
    expect(told(await run({ baseUrl: secure.url }, KEY, { certificates: [pem('ca.pem')] }))).toBe('tcp:passed tls:passed auth:passed models:passed');
    expect(told(await run({ baseUrl: secure.url }))).toBe('tcp:passed tls:failed/certificate_untrusted');
    const plain = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => { plain.close(); });
    await once(plain, 'listening');
    expect(told(await run({ baseUrl: `https://127.0.0.1:${(plain.address() as AddressInfo).port}` }))).toBe('tcp:passed tls:failed/tls_protocol');
    await secure.whenOpen(0);
  });
  test('through a proxy: its own step, and whose fault it is', async () => {
    const proxy = await startScriptedProxy();
    onTestFinished(() => proxy.close());
    const far = { baseUrl: `http://upstream.test:${server.port}`, proxy: proxy.url };
    const result = await run(far);
    expect([told(result), result.via]).toEqual(['tcp:passed proxy:passed auth:passed models:passed', new URL(proxy.url).host]);
    proxy.refuse('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
    expect([told(await run(far)), told(await run(far)), told(await run(far))]).toEqual(['tcp:passed proxy:failed/proxy_login', 'tcp:passed proxy:failed/proxy_refused', 'tcp:passed proxy:failed/proxy_failed']);
    expect(told(await run({ ...far, proxy: 'gopher://x' }))).toBe('proxy:failed/proxy_invalid');
  });
  test('through a SOCKS proxy', async () => {
    const proxy = await startScriptedSocks();
    onTestFinished(() => proxy.close());
    const far = { baseUrl: `http://upstream.test:${server.port}`, proxy: `socks5://127.0.0.1:${proxy.port}` };
    expect(told(await run(far))).toBe('tcp:passed proxy:passed auth:passed models:passed');
    proxy.wantLogin('a', 'b');
    expect(told(await run(far))).toBe('tcp:passed proxy:failed/proxy_login');
  });
});

test('a fetch of models tells the list, or the step that stood in its way', async () => {
  const fetched = () => fetchModels(partsOf(), anUpstream(server.url, { formats: ['chat'] }), KEY);
  expect(await fetched()).toEqual({ ok: true, models: ['m-large', 'm-small'] });
  server.otherwise((call) => call.answer(401, json, '{"error":{"message":"bad key"}}'));
  expect(await fetched()).toEqual({ ok: false, step: 'auth', reason: 'key_rejected', detail: 'bad key' });
  server.otherwise((call) => call.answer(404, json, '{}'));
  expect(await fetched()).toMatchObject({ ok: false, step: 'models', reason: 'no_list' });
});

test('a draft that cannot be used fails at its first step', () => {
  expect(told(testRefused('draft_invalid', 'headers.host cannot be set'))).toBe('dns:failed/draft_invalid');
  expect(new Set(TEST_REASONS).size).toBe(TEST_REASONS.length);
});
