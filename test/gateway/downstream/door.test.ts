import { describe, expect, it } from 'vitest';
import { answerOk, startHarness } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { parseResponse, rawClient, requestText } from './support/raw-client.ts';

const KEY = { authorization: 'Bearer hf-test' };
const BODY = '{"model":"m","messages":[]}';
let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

const post = (path: string, headers: Record<string, string> = KEY, body: string = BODY) => harness.ask(requestText(`POST ${path}`, headers, body));
const get = (path: string, headers: Record<string, string> = {}) => harness.ask(requestText(`GET ${path}`, headers));

describe('answers without an upstream', () => {
  it('tells its health without a key', async () => { // SPEC 1.2
    expect(await get('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok","version":"9.9.9"}' });
  });

  it.each(['GET /api/hello', 'HEAD /api/hello', 'HEAD /', 'HEAD /k/hf-test/'])('%s is an empty 200', async (line) => { // SPEC 1.2
    expect(await harness.ask(requestText(line))).toMatchObject({ status: 200, body: '' });
  });

  it('shows metrics to holders of a key when they are on', async () => { // SPEC 1.2, 16
    expect((await get('/metrics', KEY)).status).toBe(404);
    harness.settings = { ...harness.settings, 'gateway.metrics': true };
    expect((await get('/metrics')).status).toBe(401);
    expect(await get('/metrics', KEY)).toMatchObject({ status: 200, body: 'gateway_in_flight 0\n' });
  });

  it('lists models in the shape that the client reads', async () => { // SPEC 1.8
    harness.models = [{ id: 'm-1', upstreamName: 'A' }, { id: 'org/m:2', upstreamName: 'B' }];
    const openai = JSON.parse((await get('/v1/models', KEY)).body) as { data: unknown[] };
    expect(openai).toEqual({ object: 'list', data: [{ id: 'm-1', object: 'model', created: 1_735_689_600, owned_by: 'A' }, expect.objectContaining({ id: 'org/m:2' })] });
    const anthropic: unknown = JSON.parse((await get('/v1/models?limit=1000', { ...KEY, 'anthropic-version': '2023-06-01' })).body);
    expect(anthropic).toMatchObject({ data: [{ type: 'model', id: 'm-1' }, { type: 'model', id: 'org/m:2' }], has_more: false, first_id: 'm-1', last_id: 'org/m:2' });
    const gemini: unknown = JSON.parse((await get('/v1beta/models', { 'x-goog-api-key': 'hf-test' })).body);
    expect(gemini).toMatchObject({ models: [{ name: 'models/m-1' }, { name: 'models/org/m:2' }] });
    expect(JSON.parse((await get('/models/org%2Fm:2', KEY)).body)).toMatchObject({ id: 'org/m:2', object: 'model' });
    expect(await get('/v1/models/none', KEY)).toMatchObject({ status: 404, body: expect.stringContaining('"model_not_found"') as string });
    expect((await get('/v1/models')).status).toBe(401);
  });
});

describe('the door', () => {
  it.each([
    ['missing', {}, 'No key came'],
    ['unknown', { 'x-api-key': 'nope' }, 'not one of this Holdfast'],
    ['disabled', { 'x-api-key': 'hf-off' }, 'is disabled'],
  ])('says that a key is %s', async (kind, headers, words) => { // SPEC 1.4
    const answer = await post('/v1/messages', headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toContain(words);
    expect(answer.body).not.toContain('nope');
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'authentication_error', message: expect.stringMatching(/^\[Holdfast\] /) as string } });
    expect(harness.runs).toHaveLength(0);
    expect(harness.refused).toMatchObject([{ status: 401, code: `key.${kind}`, format: 'anthropic', path: '/v1/messages' }]);
  });

  it.each([
    ['/v1/messages', { 'x-api-key': 'hf-test' }], ['/v1/messages', KEY], ['/v1/messages', { 'x-goog-api-key': 'hf-test' }], ['/v1/messages?key=hf-test', {}], ['/k/hf-test/v1/messages', {}],
  ])('takes the key in every place: %s %j', async (path, headers) => { // SPEC 1.4
    expect((await post(path, headers)).status).toBe(200);
    expect(harness.runs[0]?.arrival).toMatchObject({ keyName: 'test', path: '/v1/messages' });
  });

  it('asks for no key when none is required, except on a network', async () => { // SPEC 14
    harness.settings = { ...harness.settings, 'gateway.require_key': false };
    expect((await post('/v1/messages', { 'x-api-key': 'dummy' })).status).toBe(200);
    expect(harness.runs[0]?.arrival.keyName).toBeNull();
    harness.settings = { ...harness.settings, 'gateway.bind': 'lan' };
    expect((await post('/v1/messages', { 'x-api-key': 'dummy' })).status).toBe(401);
  });

  it('refuses foreign hosts, also of a request line with a host', async () => { // SPEC 1.5
    expect((await post('/v1/messages', { ...KEY, host: 'evil.example' })).status).toBe(403);
    expect((await post('http://evil.example/v1/messages')).status).toBe(403);
    expect((await post('http://127.0.0.1/v1/messages', { ...KEY, host: 'evil.example' })).status).toBe(200);
    expect(await harness.ask('GET /healthz HTTP/1.1\r\n\r\n')).toMatchObject({ status: 403, body: expect.stringContaining('host_not_allowed') as string });
    expect((await harness.ask('GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n')).status).toBe(400);
  });

  it('refuses pages of origins that are not listed, with a valid key, too', async () => { // SPEC 1.5
    for (const origin of ['https://evil.example', 'null', 'http://localhost:4653']) {
      const answer = await post('/v1/messages', { ...KEY, origin });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const preflight = await harness.ask(requestText('OPTIONS /v1/messages', { origin: 'https://evil.example', 'access-control-request-method': 'POST' }));
    expect(preflight.status).toBe(403);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(harness.runs).toHaveLength(0);
  });

  it('serves pages of listed origins, errors included', async () => { // SPEC 1.5
    const origin = 'http://localhost:3000';
    harness.settings = { ...harness.settings, 'gateway.allowed_origins': [origin] };
    const preflight = await harness.ask(requestText('OPTIONS /v1/chat/completions', { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' }));
    expect(preflight).toMatchObject({ status: 204, body: '', headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'authorization, content-type' } });
    expect((await post('/v1/chat/completions', { ...KEY, origin })).headers['access-control-allow-origin']).toBe(origin);
    expect(await post('/v1/chat/completions', { origin })).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': origin } });
  });

  it.each([
    ['/v1/nothing', { 'anthropic-version': '2023-06-01' }, 'anthropic'],
    ['/v1/nothing', { 'x-api-key': 'hf-test' }, 'anthropic'],
    ['/v1/nothing', { 'x-goog-api-key': 'hf-test' }, 'gemini'],
    ['/v1/nothing?key=hf-test', {}, 'gemini'],
    ['/v1/nothing', KEY, 'chat'],
    ['/v1/%zz', KEY, 'chat'],
  ])('names the paths that exist on %s with %j, as %s', async (path, headers, format) => { // SPEC 1.3
    const answer = await post(path, headers);
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('/v1/chat/completions');
    const error = JSON.parse(answer.body) as Record<string, unknown>;
    expect(format === 'anthropic' ? error.type === 'error' : format === 'gemini' ? (error.error as { status?: string }).status === 'NOT_FOUND' : (error.error as { code?: string }).code === 'path_not_found').toBe(true);
  });

  it.each([
    ['GET /v1/messages', 'POST'], ['DELETE /v1/chat/completions', 'POST'], ['POST /v1/models', 'GET, HEAD'], ['GET /', 'HEAD'], ['OPTIONS /v1/messages', 'POST'],
    ['TRACE /v1/messages', 'POST'], ['TRACE /nothing', 'GET, HEAD, POST'], ['PROPFIND /v1/messages', 'POST'], ['GET /v1beta/models/m:generateContent', 'POST'],
  ])('%s is a 405 that allows %s', async (line, allow) => { // SPEC 1.2, 15
    expect(await harness.ask(requestText(line, KEY))).toMatchObject({ status: 405, headers: { allow } });
  });

  it('is no tunnel', async () => { // SPEC 1.2
    expect(await harness.ask('CONNECT api.example:443 HTTP/1.1\r\nhost: api.example:443\r\n\r\n')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } });
  });

  it('answers an upgrade to WebSockets with 426 at once, in the format of the path', async () => { // SPEC 1.3
    const answer = await harness.ask(requestText('GET /v1/responses', { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'eA==' }));
    expect(answer).toMatchObject({ status: 426, body: expect.stringContaining('websocket_not_supported') as string });
  });

  it('ignores the offer of HTTP/2', async () => { // SPEC 1.1
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', { ...KEY, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }, BODY));
    expect(parseResponse(await client.seen('{"ok":true}')).status).toBe(200);
    expect(harness.runs[0]?.arrival.clientHeaders.upgrade).toBeUndefined();
    client.reset();
  });

  it.each([['text/plain', 415], ['', 415], ['application/json-patch', 415], ['multipart/form-data; boundary=x', 415], ['application/json; charset=utf-8', 200], ['Application/JSON', 200], ['application/vnd.api+json', 200]])(
    'takes JSON only: %j gives %i', async (type, status) => { // SPEC 1.5
      expect((await post('/v1/messages', { ...KEY, 'content-type': type })).status).toBe(status);
    });

  it('keeps the connection for the next request after a refusal whose body was read', async () => { // SPEC 1.1
    const client = await rawClient(harness.port);
    client.send(requestText('POST /v1/messages', {}, BODY) + requestText('POST /v1/messages', KEY, BODY));
    const text = await client.seen('{"ok":true}');
    expect(text.startsWith('HTTP/1.1 401')).toBe(true);
    client.reset();
  });

  it('refuses everything once it stops', async () => { // SPEC 17
    const stopping = await startHarness();
    const client = await rawClient(stopping.port);
    client.send(requestText('GET /healthz'));
    await client.seen('"ok"');
    const { promise, run } = pendingRun(stopping);
    client.send(requestText('POST /v1/messages', KEY, BODY));
    await promise;
    stopping.endpoint.stopAccepting();
    await expect(rawClient(stopping.port)).rejects.toThrow(/ECONNREFUSED/);
    client.send(requestText('GET /healthz'));
    run();
    expect(await client.closed()).toContain('HTTP/1.1 503');
    expect(client.text()).toContain('{"ok":true}');
    await stopping.endpoint.close();
  });
});

// An exchange that waits until the test lets it answer.
function pendingRun(of: Harness): { promise: Promise<unknown>; run: () => void } {
  let run: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => { run = resolve; });
  of.script = async (exchange) => {
    await gate;
    await answerOk(exchange);
  };
  return { promise: of.whenRuns(1), run };
}
