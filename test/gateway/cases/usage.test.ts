import { describe, expect, it } from 'vitest';
import { answersWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { bare } from './support/events.ts';
import { ask, errorOfBody, says, skipPauses, streams } from './support/talk.ts';
import { FORMAT_NAMES } from '../../../shared/format.ts';

const chunk = (delta: object, more: object = {}, finish: string | null = null): string => bare({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const usage = { usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } };
const nothing = { usage: null };
const start = (more: object = {}) => chunk({ role: 'assistant', content: '' }, more) + chunk({ content: 'Hello' }, more);
const DONE = 'data: [DONE]\n\n';

describe('R44: usage is read wherever it comes, and the answer is not touched for it (SPEC 12.1)', () => {
  it.each([
    ['null on every chunk, numbers at the end', start(nothing) + chunk({}, nothing, 'stop') + bare({ id: 'c', choices: [], ...usage }) + DONE],
    ['on a chunk with an empty delta', start() + chunk({}, usage) + chunk({}, {}, 'stop') + DONE],
    ['on the chunk with the finish reason', start() + chunk({}, usage, 'stop') + DONE],
    ['zero first, numbers later', start({ usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }) + chunk({}, usage, 'stop') + DONE],
    ['numbers, then null', start() + chunk({}, usage) + chunk({}, nothing, 'stop') + DONE],
    ['after [DONE]', start() + chunk({}, {}, 'stop') + DONE + bare({ id: 'c', choices: [], ...usage })],
  ])('%s', async (_where, stream) => {
    const gateway = await startWholeGateway();
    for (const [turn, options] of [{}, { stream_options: { include_usage: true } }].entries()) {
      const body = JSON.stringify({ model: 'm-1', stream: true, ...options });
      gateway.upstream().script(streams(stream));
      const answer = await gateway.post('/v1/chat/completions', null, { body });
      expect(await answer.text()).toBe(stream);
      expect((await (await gateway.upstream().call(turn)).body).toString()).toBe(body);
      expect((await gateway.ended(turn + 1))[turn]).toMatchObject({ outcome: 'success', input_tokens: 11, output_tokens: 7 });
    }
  });
  it('what was not told is null, not 0', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(streams(start() + chunk({}, {}, 'stop') + DONE));
    await (await ask(gateway, 'chat', true)).text();
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'success', input_tokens: null, output_tokens: null, cache_read_tokens: null, reasoning_tokens: null, cost_micros: null });
  });
});

describe('R45: a failure dressed as 200 is a failure (SPEC 4.5, 4.9)', () => {
  const page = '<!doctype html><html><title>Maintenance</title></html>';
  it.each(['text/html', 'text/event-stream', 'application/json', ''])('a page sent as %j is no answer, streamed or whole', async (type) => {
    const gateway = await startWholeGateway();
    for (const format of FORMAT_NAMES) for (const streamed of [true, false]) {
      gateway.upstream().script(says(200, page, type === '' ? {} : { 'content-type': type }));
      const answer = await ask(gateway, format, streamed);
      expect(answer.status).toBe(502);
      const text = await answer.text();
      expect(errorOfBody(format, JSON.parse(text))).toBeDefined();
      expect(text).toContain('Maintenance');
    }
    for (const row of await gateway.ended(8)) expect(row).toMatchObject({ outcome: 'failed', attempts: 1, error_code: 'answer.invalid' });
  });
  it.each(FORMAT_NAMES)('%s: an error of a transient code is retried, one of another is an error with its status', async (format) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    for (const streamed of [true, false]) {
      const transient = format === 'gemini' ? { error: { code: 503, status: 'UNAVAILABLE', message: 'busy' } } : format === 'anthropic' ? { type: 'error', error: { type: 'overloaded_error', message: 'busy' } } : { error: { message: 'busy', type: 'server_error', code: 'server_error' } };
      gateway.upstream().script(says(200, transient), answersWith('Hello'));
      expect((await ask(gateway, format, streamed)).status).toBe(200);
      gateway.upstream().script(says(200, { error: { message: 'limit', code: 42 } }));
      const answer = await ask(gateway, format, streamed);
      expect(answer.status).toBe(502);
      expect(await answer.text()).toContain('limit');
    }
    expect((await gateway.ended(4)).map((row) => [row.outcome, row.attempts])).toEqual([['success', 2], ['failed', 1], ['success', 2], ['failed', 1]]);
  });
  it.each(FORMAT_NAMES)('%s: words of errors in a good answer, and a whole answer to a stream request, are answers', async (format) => {
    const gateway = await startWholeGateway();
    const body = JSON.stringify({ ...(wordsOf[format].whole('m-1', 'The error said {"error":{"code":"server_error"}}.') as object), error: null });
    for (const streamed of [true, false]) {
      gateway.upstream().script(says(200, body));
      const answer = await ask(gateway, format, streamed);
      expect([answer.status, await answer.text()]).toEqual([200, body]);
    }
    for (const row of await gateway.ended(2)) expect(row).toMatchObject({ outcome: 'success', attempts: 1, output_tokens: 7 });
  });
});
