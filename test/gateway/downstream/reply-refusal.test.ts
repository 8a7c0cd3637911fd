import { describe, expect, it } from 'vitest';
import type { UpstreamFailure } from '../../../shared/failure.ts';
import type { Ending, KeptAnswer, Refusal, ReplyNotes } from '../../../main/gateway/ports.ts';
import { NOTES } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { endsProperly, parseResponse, rawClient, requestText } from './support/raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
const STREAM = '{"model":"m","stream":true}';
const PATHS = { anthropic: '/v1/messages', chat: '/v1/chat/completions', responses: '/v1/responses', gemini: '/v1beta/models/m:streamGenerateContent?alt=sse', array: '/v1beta/models/m:streamGenerateContent' };
let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

const failure = (more: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  class: 'transient', code: 'overloaded_error', upstreamId: 'a', status: 529, type: 'overloaded_error', message: 'Overloaded', hintMs: null, where: 'head', sentWhole: true, ...more,
});
const kept = (body: string, more: Partial<KeptAnswer> = {}): KeptAnswer => ({
  kind: 'http', status: 529, headers: [['content-type', 'application/json'], ['request-id', 'r9'], ['retry-after', '7'], ['content-length', '999']], body: Buffer.from(body), wellFormed: true, cut: false, ...more,
});
const heldStream = (body: string, more: Partial<KeptAnswer> = {}): KeptAnswer => kept(body, { kind: 'stream', status: 200, headers: [['content-type', 'text/event-stream; charset=utf-8'], ['request-id', 'r9']], ...more });
const fromUpstream = (more: Partial<Extract<Refusal, { kind: 'upstream' }>> = {}): Refusal => ({ kind: 'upstream', failure: failure(), upstreamName: 'A', kept: null, chain: null, ...more });

interface Refused { readonly text: string; readonly ending: Ending }

/** Refuses one request; with `early` after the early head has gone. */
async function refused(refusal: Refusal, path: string, { early = false, body = STREAM, notes = {} }: { early?: boolean; body?: string; notes?: Partial<ReplyNotes> } = {}): Promise<ReturnType<typeof parseResponse> & Refused> {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => { go = resolve; });
  let settle: (ending: Ending) => void = () => undefined;
  const ending = new Promise<Ending>((resolve) => { settle = resolve; });
  harness.script = async ({ reply }) => {
    if (early) await gate;
    settle(await reply.refuse(refusal, { ...NOTES, ...notes }));
  };
  harness.runs.length = 0;
  const client = await rawClient(harness.port);
  client.send(requestText(`POST ${path}`, { ...KEY, connection: 'close' }, body));
  await harness.whenRuns(1);
  if (early) {
    await harness.clock.advance(15_000);
    go();
  }
  const text = await client.closed();
  return { ...parseResponse(text), text, ending: await ending };
}

const JSON_ERROR = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';

describe('a kept failure', () => {
  it('goes out unchanged when the client\u2019s program can read it', async () => { // SPEC 10.1
    const answer = await refused(fromUpstream({ kept: kept(JSON_ERROR) }), PATHS.anthropic, { notes: { retries: 3 } });
    expect(answer).toMatchObject({ status: 529, body: JSON_ERROR, headers: { 'request-id': 'r9', 'retry-after': '7', 'content-length': String(JSON_ERROR.length), 'x-holdfast-upstream': 'A', 'x-holdfast-retries': '3' } });
    expect(answer.ending).toEqual({ status: 529, bytes: JSON_ERROR.length, clientGone: false });
  });

  it('goes out with a real status though it came in a 200', async () => { // SPEC 4.5
    const body = '{"error":{"message":"x","type":"server_error","code":"server_error"}}';
    expect(await refused(fromUpstream({ failure: failure({ status: 500, code: 'server_error' }), kept: kept(body, { status: 200 }) }), PATHS.chat)).toMatchObject({ status: 500, body });
  });

  it.each([
    ['<html>\n <b>Bad   gateway</b></html>', '<html> <b>Bad gateway</b></html>'],
    [`x${'\u4e0a\ud83d\ude00'.repeat(300)}`, `x${'\u4e0a\ud83d\ude00'.repeat(99)}\u4e0a`],
    ['bad key sk-proj-abcdefghijklmnop', 'bad key [masked]'],
  ])('that is no JSON becomes our error with the same status and its first 200 characters: %s', async (body, quote) => { // SPEC 10.1, 12.5
    const answer = await refused(fromUpstream({ kept: kept(body, { status: 503, wellFormed: false, headers: [['content-type', 'text/html'], ['retry-after', '7'], ['etag', 'x']] }) }), PATHS.anthropic);
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '7' });
    expect(answer.headers.etag).toBeUndefined();
    const error = JSON.parse(Buffer.from(answer.body, 'latin1').toString('utf8')) as { error: { message: string } };
    expect(error.error.message).toBe(`[Holdfast] A answered 503: "${quote}"`);
  });

  it('of class invalid becomes a 502 that quotes it, without its headers', async () => { // SPEC 10.1, 1.7
    const answer = await refused(fromUpstream({ failure: failure({ class: 'invalid', code: 'invalid', status: 302 }), kept: kept('<html>Login</html>', { status: 302, headers: [['location', 'http://x/'], ['content-type', 'text/html']] }) }), PATHS.chat);
    expect(answer.status).toBe(502);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).toContain('<html>Login</html>');
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: 'server_error', code: 'invalid' } });
  });

  it('that was cut to 64 KiB does not go out as if it were whole', async () => { // SPEC 10.1
    expect(JSON.parse((await refused(fromUpstream({ kept: kept('{"error":', { cut: true }) }), PATHS.anthropic)).body)).toMatchObject({ type: 'error' });
  });

  it.each([
    ['connect.refused', { class: 'transient', where: 'connect', status: null, code: 'connect.refused', message: 'connection refused' } as const, 502],
    ['a timeout', { class: 'timeout', where: 'head', status: null, code: 'timeout.attempt', message: 'no head' } as const, 504],
    ['a bad address', { class: 'bad_address', where: 'connect', status: null, code: 'bad_address', message: 'no host' } as const, 502],
  ])('without a response gets a status of ours: %s', async (_name, more, status) => { // SPEC 10.1, 10.4
    const answer = await refused(fromUpstream({ failure: failure({ type: null, ...more }), chain: 'a 503, b refused, a 503 x2' }), PATHS.chat, { body: '{"model":"m"}' });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: more.code, message: `[Holdfast] A: ${more.message}. Tried: a 503, b refused, a 503 x2.` } });
  });
});

describe('a kept stream', () => {
  const opening = 'event: message_start\ndata: {"type":"message_start","message":{"id":"m1","model":"m-real","content":[]}}\n\n';
  const error = 'event: error\ndata: {"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}               }\n\n';

  it('with its error event goes out as it came', async () => { // SPEC 7.5, 10.1
    const answer = await refused(fromUpstream({ kept: heldStream(opening + error) }), PATHS.anthropic);
    expect(answer).toMatchObject({ status: 200, body: opening + error, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'r9', 'cache-control': 'no-cache' } });
    expect(endsProperly(answer.text)).toBe(true);
  });

  it('after an early head goes out behind the keep-alives, with nothing of ours', async () => { // SPEC 7.12 b, 10.2
    const answer = await refused(fromUpstream({ kept: heldStream(opening + error) }), PATHS.anthropic, { early: true });
    expect(answer.body).toBe(`: keep-alive\n\n${opening}${error}`);
    expect(answer.ending).toEqual({ status: 200, bytes: (opening + error).length, clientGone: false });
  });

  it('that broke off without a word gets a real status before the head, and our event behind it', async () => { // SPEC 10.1, 10.2
    const broken = failure({ code: 'stream_ended_early', status: 502, type: null, message: 'the stream ended early', where: 'opening' });
    expect(await refused(fromUpstream({ failure: broken, kept: heldStream(opening) }), PATHS.anthropic)).toMatchObject({ status: 502 });
    const { body } = await refused(fromUpstream({ failure: broken, kept: heldStream(opening) }), PATHS.anthropic, { early: true });
    expect(body.startsWith(`: keep-alive\n\n${opening}event: error\ndata: {"type":"error"`)).toBe(true);
    expect(body).toContain('[Holdfast] A: the stream ended early');
  });

  it('of Gemini\u2019s array is a whole array', async () => { // SPEC 10.1
    const held = '[{"usageMetadata":{"promptTokenCount":8}},\r\n{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}';
    for (const body of [held, `${held}\n]`]) {
      const answer = await refused(fromUpstream({ kept: heldStream(body, { headers: [['content-type', 'application/json']] }) }), PATHS.array);
      expect(JSON.parse(answer.body)).toMatchObject([{}, { error: { code: 503 } }]);
    }
  });

  it('of Responses ends the connection', async () => { // SPEC 10.3
    const failed = 'event: response.failed\ndata: {"type":"response.failed","response":{"error":{"code":"server_error","message":"x"}}}\n\n';
    harness.script = async ({ reply }) => { await reply.refuse(fromUpstream({ kept: heldStream(failed) }), NOTES); };
    const client = await rawClient(harness.port);
    client.send(requestText(`POST ${PATHS.responses}`, KEY, STREAM));
    expect(parseResponse(await client.closed()).body).toBe(failed);
  });
});

describe('after an early head', () => {
  it.each([
    ['anthropic', 'event: error\ndata: ', '\n\n', { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: must be positive' } }],
    ['chat', 'data: ', '\n\n', { error: { type: 'invalid_request_error', message: 'max_tokens: must be positive', code: 'bad_value' } }],
    ['responses', 'event: response.failed\ndata: ', '\n\n', { type: 'response.failed', response: { status: 'failed', model: 'm', error: { code: 'bad_value', message: 'max_tokens: must be positive' } } }],
    ['gemini', 'data: ', '\r\n\r\n', { error: { code: 400, message: 'max_tokens: must be positive' } }],
  ] as const)('a late 400 is one error event of its kind, for %s', async (name, before, after, error) => { // SPEC 7.12 g, 10.2
    const late = failure({ class: 'request', code: 'bad_value', type: 'invalid_request_error', status: 400, message: 'max_tokens: must be positive' });
    const answer = await refused(fromUpstream({ failure: late, kept: kept('{"error":{}}', { status: 400 }) }), PATHS[name], { early: true });
    const keepAlive = name === 'gemini' ? '' : ': keep-alive\n\n';
    expect(answer.status).toBe(200);
    expect(answer.body.startsWith(keepAlive + before)).toBe(true);
    expect(answer.body.endsWith(after)).toBe(true);
    expect(JSON.parse(answer.body.slice((keepAlive + before).length))).toMatchObject(error);
    expect(answer.ending).toMatchObject({ status: 200, clientGone: false });
  });

  it('a refusal of ours is an error event, too', async () => { // SPEC 10.2
    const answer = await refused({ kind: 'own', status: 429, code: 'route.all_busy', message: 'All are busy.', retryAfterSecs: 2 }, PATHS.chat, { early: true });
    expect(answer.body).toMatch(/^: keep-alive\n\ndata: \{"error":\{"message":"\[Holdfast\] All are busy\.".*"route\.all_busy".*\n\n$/);
  });
});

describe('a refusal of ours', () => {
  it.each([
    ['anthropic', { type: 'error', error: { type: 'rate_limit_error', message: '[Holdfast] All are busy.' }, request_id: 'req-1' }],
    ['chat', { error: { code: 'route.all_busy', message: '[Holdfast] All are busy.' } }],
    ['responses', { error: { code: 'route.all_busy' } }],
    ['gemini', { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    ['array', [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }]],
  ] as const)('has the shape of the format: %s', async (name, error) => { // SPEC 9.3, 10.4
    const answer = await refused({ kind: 'own', status: 429, code: 'route.all_busy', message: 'All are\n busy.', retryAfterSecs: 2 }, PATHS[name], { notes: { upstreamName: null } });
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '2', 'content-type': 'application/json', 'x-holdfast-request-id': 'req-1' } });
    expect(answer.headers['x-holdfast-upstream']).toBeUndefined();
    expect(JSON.parse(answer.body.replaceAll('"requestId"', '"request_id"'))).toMatchObject(error);
  });

  it('asks SDKs not to retry when the user wants that, unless the upstream said otherwise', async () => { // SPEC 10.5
    const notes = { stopClientRetries: true, retries: 1 };
    expect((await refused(fromUpstream({ kept: kept(JSON_ERROR) }), PATHS.anthropic, { notes })).headers['x-should-retry']).toBe('false');
    expect((await refused(fromUpstream({ kept: kept(JSON_ERROR) }), PATHS.anthropic)).headers['x-should-retry']).toBeUndefined();
    const saidSo = kept(JSON_ERROR, { headers: [['x-should-retry', 'true']] });
    const answer = await refused(fromUpstream({ kept: saidSo }), PATHS.anthropic, { notes });
    expect(answer.text.match(/x-should-retry: \w+/g)).toEqual(['x-should-retry: true']);
  });
});

describe('a loop that fails', () => {
  it.each([['throws', () => Promise.reject(new Error('planted'))], ['answers nothing', () => Promise.resolve()]] as const)('and %s leaves the client with a 500', async (_name, script) => { // SPEC 15
    harness.script = script;
    const answer = await harness.ask(requestText('POST /v1/messages', KEY, STREAM));
    expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('[Holdfast] The gateway failed') as string });
    expect(harness.logged.join()).toMatch(/planted|without an answer/);
  });
});
