import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { FORMAT_NAMES, type FormatName } from '../../../shared/format.ts';

const whole = (format: FormatName, body: unknown) => formatByName(format).readWhole(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)));

const ANSWERS: Readonly<Record<FormatName, object>> = {
  anthropic: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'an error is a word' }], stop_reason: 'end_turn', usage: { input_tokens: 11, output_tokens: 7 } },
  chat: { id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'an error is a word' }, finish_reason: 'end_turn' }], usage: { prompt_tokens: 11, completion_tokens: 7 } },
  responses: { id: 'r', object: 'response', status: 'end_turn', model: 'm', output: [{ type: 'message', content: [{ type: 'output_text', text: 'an error is a word' }] }], usage: { input_tokens: 11, output_tokens: 7 } },
  gemini: { candidates: [{ content: { parts: [{ text: 'an error is a word' }] }, finishReason: 'end_turn' }], modelVersion: 'm', usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 } },
};
const answer = (format: FormatName) => (format === 'responses' ? { ...ANSWERS.responses, status: 'completed' } : ANSWERS[format]);

describe.each(FORMAT_NAMES)('a whole answer, %s', (format) => {
  it('is an answer with its facts, also beside an error that is null', () => {
    const facts = { model: 'm', finishReason: format === 'responses' ? 'completed' : 'end_turn', usage: { input: 11, output: 7 } };
    expect(whole(format, answer(format))).toMatchObject({ kind: 'answer', facts });
    expect(whole(format, { ...answer(format), error: null })).toMatchObject({ kind: 'answer', facts });
    expect(whole(format, `\uFEFF \r\n\t${JSON.stringify(answer(format), null, 2)}\n`)).toMatchObject({ kind: 'answer', facts });
  });

  // SPEC 4.5
  it('is empty without a byte that is not blank', () => {
    for (const body of ['', ' ', '\r\n\t ', '\uFEFF']) expect(whole(format, body)).toEqual({ kind: 'empty' });
  });

  // SPEC 4.9
  it('is invalid when it is HTML, text, broken JSON or no shape of this format', () => {
    for (const body of ['<html></html>', '  <!doctype html>', 'hello', 'data: {"a":1}\n\n', ': ping\n\n', '"text"', '7', 'null', '{', JSON.stringify(answer(format)).slice(0, -1), '{}', '[]', '[1]', '{"ok":true}']) {
      expect({ body, ...whole(format, body) }).toEqual({ body, kind: 'invalid' });
    }
  });

  it('is an error when it holds one, even beside an answer', () => {
    const error = { error: { type: 'server_error', code: format === 'gemini' ? 503 : 'server_error', status: 'UNAVAILABLE', message: 'busy, try again in 3s' } };
    expect(whole(format, error)).toMatchObject({ kind: 'error', error: { class: 'transient', message: 'busy, try again in 3s', hintMs: 3_000 } });
    expect(whole(format, { ...answer(format), ...error })).toMatchObject({ kind: 'error' });
    expect(whole(format, { error: { message: 'limit', code: 'x' } })).toMatchObject({ kind: 'error', error: { class: 'server', status: 502 } });
  });

  it('is read by its skeleton when it is large: long texts change nothing', () => {
    const long = JSON.stringify(answer(format)).replace('an error is a word', String.raw`\"}],\\{ \u4e16 data:`.repeat(100_000));
    expect(long.length).toBeGreaterThan(2_000_000);
    expect(whole(format, long)).toEqual(whole(format, answer(format)));
    expect(whole(format, long.slice(0, -1))).toEqual({ kind: 'invalid' });
    expect(whole(format, `{"error":{"message":"${'x'.repeat(400_000)}","code":"server_error","type":"api_error","status":"UNAVAILABLE"}}`)).toMatchObject({ kind: 'error', error: { class: 'transient' } });
  });
});

describe('a whole answer of Responses', () => {
  it('is an error when its state is none of a good answer, and an answer while it is queued or incomplete', () => {
    const response = (members: object) => whole('responses', { object: 'response', output: [], model: 'm', ...members });
    expect(response({ status: 'failed', error: { code: 'server_error', message: 'x' } })).toMatchObject({ kind: 'error', error: { class: 'transient', status: 500 } });
    for (const status of ['failed', 'cancelled', 'new_state']) expect(response({ status, error: null })).toMatchObject({ kind: 'error', error: { class: 'server' } });
    for (const status of ['queued', 'in_progress', 'completed', 'incomplete']) expect(response({ status, error: null })).toMatchObject({ kind: 'answer', facts: { finishReason: status } });
    expect(response({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } })).toMatchObject({ kind: 'answer', facts: { finishReason: 'content_filter' } });
  });
});

describe('a whole answer of Gemini', () => {
  it('is also an array of chunks, as streams without SSE send', () => {
    const chunk = (text: string, finishReason?: string) => ({ candidates: [{ content: { parts: [{ text }] }, finishReason }], modelVersion: 'm', usageMetadata: { promptTokenCount: 3 } });
    expect(whole('gemini', [chunk('a'), chunk('b', 'STOP')])).toMatchObject({ kind: 'answer', facts: { model: 'm', finishReason: 'STOP' } });
    expect(whole('gemini', [{ error: { code: 503, status: 'UNAVAILABLE', message: 'x' } }])).toMatchObject({ kind: 'error', error: { class: 'transient' } });
    expect(whole('gemini', [chunk('a'), { error: { code: 503, message: 'x' } }])).toMatchObject({ kind: 'error' });
    expect(whole('gemini', { response: chunk('a', 'STOP') })).toMatchObject({ kind: 'answer', facts: { finishReason: 'STOP' } });
    expect(whole('gemini', { promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ kind: 'answer', facts: { finishReason: null } });
  });
});
