import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { answersWith, failsWith, overloadsInStream, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';

const PATHS: Readonly<Record<FormatName, { readonly stream: string; readonly whole: string }>> = {
  anthropic: { stream: '/v1/messages', whole: '/v1/messages' },
  chat: { stream: '/v1/chat/completions', whole: '/v1/chat/completions' },
  responses: { stream: '/v1/responses', whole: '/v1/responses' },
  gemini: { stream: '/v1beta/models/m-1:streamGenerateContent?alt=sse', whole: '/v1beta/models/m-1:generateContent' },
};
const asked = (format: FormatName, stream: boolean) => (format === 'gemini' ? { contents: [] } : { model: 'm-1', stream, input: 'hi' });
const wholeStream = (format: FormatName) => [...wordsOf[format].opening('m-1'), ...wordsOf[format].answer('m-1', 'Hello there')].join('');

describe('the line from a client through both edges (SPEC 3)', () => {
  it.each(FORMAT_NAMES)('%s streamed: a 503, an overload after the opening, then well; the client gets one whole answer, byte for byte', async (format) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), overloadsInStream(), answersWith('Hello there'));
    const response = gateway.post(PATHS[format].stream, asked(format, true));
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    await gateway.event('pausing', 2);
    await gateway.clock.advance(4_000);
    expect(await (await response).text()).toBe(wholeStream(format));
    const [row] = await gateway.ended();
    expect(row).toMatchObject({
      outcome: 'success', status: 200, retries: 2, attempts: 3, failovers: 0, pause_ms: 6_000, format, model_asked: 'm-1', model_served: 'm-1', streamed: true,
      input_tokens: 31, output_tokens: 7, cache_read_tokens: 11, key_name: 'test', give_up: null,
    });
    expect(row?.detail.attempts.map((attempt) => [attempt.status, attempt.class, attempt.where])).toEqual([[503, 'transient', 'head'], [expect.any(Number), 'transient', 'opening'], [200, null, null]]);
    expect(row?.detail.attempts[1]?.code).toBe(wordsOf[format].overloadCode);
  });

  it.each(FORMAT_NAMES)('%s whole: two failures, then the answer as it came', async (format) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(529), failsWith(502), answersWith('Hello there'));
    const response = gateway.post(PATHS[format].whole, asked(format, false));
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    await gateway.event('pausing', 2);
    await gateway.clock.advance(4_000);
    const answer = await response;
    expect(await answer.json()).toEqual(wordsOf[format].whole('m-1', 'Hello there'));
    expect(answer.headers.get('x-holdfast-retries')).toBe('2');
    expect(answer.headers.get('x-holdfast-upstream')).toBe('A');
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', retries: 2, input_tokens: 31, output_tokens: 7 });
  });

  it.each(FORMAT_NAMES)('%s: when time is up the last failure is handed over as the upstream wrote it (SPEC 10.1)', async (format) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 3 } });
    gateway.upstream().otherwise(failsWith(503, { 'x-request-id': 'r-1' }));
    const response = gateway.post(PATHS[format].stream, asked(format, true));
    await gateway.event('pausing');
    await gateway.clock.advance(1_500);
    const answer = await response;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('x-request-id')).toBe('r-1');
    expect(await answer.json()).toEqual(wordsOf[format].error(503, expect.any(String) as unknown as string));
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'failed', give_up: 'deadline', retries: 1, status: 503 });
  });

  it('with a wait of 0 and one upstream nothing is held: the opening comes through at once (SPEC 7.8)', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_wait_secs': 0 } });
    const first = Promise.withResolvers<undefined>();
    gateway.upstream().script(overloadsInStream(() => first.promise));
    const answer = await gateway.post('/v1/messages', asked('anthropic', true));
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const opening = await reader.read();
    expect(new TextDecoder().decode(opening.value)).toContain('message_start');
    first.resolve(undefined);
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) rest += new TextDecoder().decode(piece.value);
    expect(rest.endsWith(wordsOf.anthropic.overload())).toBe(true);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'failed', retries: 0, attempts: 1 });
  });

  it('7.12 b: an overload after the early head is retried behind keep-alives; nothing of the first opening is seen', async () => {
    const gateway = await startWholeGateway();
    const overload = Promise.withResolvers<undefined>();
    gateway.upstream().script(overloadsInStream(() => overload.promise), answersWith('Hello there'));
    const response = gateway.post('/v1/messages', asked('anthropic', true));
    await gateway.upstream().call(0);
    await gateway.clock.whenWaits((waits) => waits.some((wait) => wait === 15_000));
    await gateway.clock.advance(15_000);
    const answer = await response;
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    overload.resolve(undefined);
    await gateway.event('pausing');
    await gateway.clock.advance(2_000);
    const text = await answer.text();
    expect(text.replaceAll(/: keep-alive\n\n/g, '')).toBe(wholeStream('anthropic'));
    expect(text.startsWith(': keep-alive\n\n')).toBe(true);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', retries: 1 });
  });

  it('7.12 g: a 400 after the early head is one error event with its message; the row says 200 and failed', async () => {
    const gateway = await startWholeGateway();
    const refuse = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await refuse.promise;
      await call.answer(400, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens is missing' } }));
    });
    const response = gateway.post('/v1/messages', asked('anthropic', true));
    await gateway.upstream().call(0);
    await gateway.clock.whenWaits((waits) => waits.some((wait) => wait === 15_000));
    await gateway.clock.advance(15_000);
    const answer = await response;
    refuse.resolve(undefined);
    const events = (await answer.text()).replaceAll(/: keep-alive\n\n/g, '');
    expect(events).toMatch(/^event: error\ndata: .*invalid_request_error.*max_tokens is missing.*\n\n$/);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'failed', status: 200, error_code: 'invalid_request_error', give_up: 'not_transient' });
  });

  it('a whole answer to a stream request after the early head is one error event, and the row says why', async () => { // SPEC 4.9, 12.1
    const gateway = await startWholeGateway();
    const reply = Promise.withResolvers<undefined>();
    gateway.upstream().script(async (call) => {
      await reply.promise;
      await call.answer(200, { 'content-type': 'application/json' }, JSON.stringify(wordsOf.anthropic.whole('m-1', 'Hello')));
    });
    const response = gateway.post('/v1/messages', asked('anthropic', true));
    await gateway.upstream().call(0);
    await gateway.clock.whenWaits((waits) => waits.some((wait) => wait === 15_000));
    await gateway.clock.advance(15_000);
    const answer = await response;
    reply.resolve(undefined);
    expect((await answer.text()).replaceAll(/: keep-alive\n\n/g, '')).toMatch(/^event: error\ndata: .*answer_not_streamed.*\n\n$/);
    expect((await gateway.ended())[0]).toMatchObject({
      outcome: 'failed', status: 200, error_code: 'answer_not_streamed', give_up: 'not_transient', first_content_ms: null, retries: 0,
      detail: { attempts: [{ outcome: 'failed', class: 'invalid', code: 'answer_not_streamed' }] },
    });
  });

  it('7.12 c: a whole answer over 8 MiB flows; a break later destroys the socket, truncated, no retry', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'application/json', 'content-length': String(12 * 1_048_576) });
      await call.write(`{"text":"${'x'.repeat(9 * 1_048_576)}`);
      await gateway.event('released');
      call.reset();
    });
    const answer = await gateway.post('/v1/messages', asked('anthropic', false));
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'truncated', attempts: 1, retries: 0, give_up: 'content_sent' });
  });

  it('a body with another model goes out with that string alone replaced (SPEC 1.6)', async () => {
    const routes = [{ id: 'r', pattern: 'alias', strategy: 'priority', policy: null, candidates: [{ upstream: 'a', model: 'real/"model"' }] }] as const;
    const gateway = await startWholeGateway({ routes: routes.map((route) => ({ ...route, candidates: [...route.candidates] })) });
    gateway.upstream().script(answersWith('Hello there'));
    const body = '{ "max_tokens" : 1.0e1, "model" : "alias",  "note":"the \\"model\\":\\"alias\\" stays" }';
    await gateway.post('/v1/messages', null, { body });
    const call = await gateway.upstream().call(0);
    expect((await call.body).toString()).toBe('{ "max_tokens" : 1.0e1, "model" : "real/\\"model\\"",  "note":"the \\"model\\":\\"alias\\" stays" }');
  });
});
