import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import type { FormatName } from '../../../shared/format.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The label of one event at the start of a stream. */
function labelOf(format: FormatName, data: unknown, name: string | null = null): string | undefined {
  const text = `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  return formatByName(format).reader('sse').push(bytesOf(text))[0]?.label;
}
/** What a stream of these data values is made of, and whether it has ended. */
function read(format: FormatName, ...values: readonly unknown[]) {
  const reader = formatByName(format).reader('sse');
  const events = values.flatMap((value) => reader.push(bytesOf(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)));
  return { labels: events.map(({ label }) => label), terminal: events.map(({ terminal }) => terminal), ended: reader.ended(), facts: reader.facts(), position: reader.position() };
}

const delta = (members: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: members, finish_reason: finish }] });
const block = (members: object) => ({ type: 'content_block_start', index: 0, content_block: members });
const piece = (members: object) => ({ type: 'content_block_delta', index: 0, delta: members });
const item = (members: object, kind = 'added') => ({ type: `response.output_item.${kind}`, output_index: 0, item: members });
const parts = (...members: object[]) => ({ candidates: [{ content: { parts: members, role: 'model' }, index: 0 }] });
const message = (...content: object[]) => ({ id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content });

// SPEC 5; wire formats 3
describe('chat', () => {
  it.each([
    ['opening', delta({ role: 'assistant', content: '', refusal: null })], ['opening', delta({ content: null })], ['opening', { id: '', model: '', choices: [], prompt_filter_results: [{}] }],
    ['opening', { choices: [{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 9 } }] }], ['opening', delta({ tool_calls: [] })], ['opening', delta({ annotations: [] })],
    ['opening', delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'eA==' }] })], ['opening', delta({ reasoning_details: [{ type: 'reasoning.text', text: '', signature: 'eA==' }] })],
    ['opening', { choices: [], usage: { prompt_tokens: 9 } }], ['opening', { choices: [], moderation: {} }], ['opening', {}], ['opening', '[DONE]'], ['opening', ' [DONE] '], ['opening', { choices: [null, 7] }],
    ['content', delta({ content: 'Hi' })], ['content', delta({ content: ' ' })], ['content', delta({ content: '\n' })], ['content', delta({ content: null, reasoning_content: 'Hmm' })], ['content', delta({ content: '', reasoning: 'Hmm' })],
    ['content', delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'x' }] })], ['content', delta({ reasoning_details: [{ type: 'reasoning.new' }] })], ['content', delta({ refusal: 'I cannot' })],
    ['content', delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'ls', arguments: '' } }] })], ['content', delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] })], ['content', delta({ function_call: { name: 'ls' } })],
    ['content', delta({ annotations: [{ type: 'url_citation' }] })], ['content', delta({ audio: { id: 'a' } })], ['content', delta({ images: [{}] })], ['content', { choices: [{ delta: {} }, { index: 1, delta: { content: 'b' } }] }],
    ['content', { choices: [{ index: 0, message: { role: 'assistant', content: 'whole' } }] }], ['content', delta({ content: 'x' }, 'stop')],
    ['end', delta({}, 'stop')], ['end', delta({ content: '' }, 'length')], ['end', delta({ content: null }, 'content_filter')],
    ['heartbeat', ': keepalive'], ['heartbeat', ''], ['heartbeat', '   '], ['heartbeat', 'PROCESSING'], ['heartbeat', '[]'], ['heartbeat', '"text"'],
    ['error', { error: { code: null } }], ['error', { choices: [{ delta: {} }], error: { code: 502 } }], ['error', { error: {} }],
  ])('%s: %j', (label, data) => {
    expect(labelOf('chat', data)).toBe(label);
  });

  it('ends by a finish reason, or by [DONE] after content, and by nothing else', () => {
    expect(read('chat', delta({ role: 'assistant' }), '[DONE]')).toMatchObject({ labels: ['opening', 'opening'], ended: false });
    expect(read('chat', delta({ content: 'a' }), '[DONE]')).toMatchObject({ labels: ['content', 'end'], terminal: [false, true], ended: true, facts: { finishReason: null } });
    expect(read('chat', delta({}, 'stop'), '[DONE]')).toMatchObject({ labels: ['end', 'end'], terminal: [false, true], ended: true, facts: { finishReason: 'stop' } });
    expect(read('chat', delta({ content: 'a' }, 'tool_calls'))).toMatchObject({ ended: true, terminal: [false] });
    expect(read('chat', delta({ content: 'a' }), delta({ content: 'b' }))).toMatchObject({ ended: false });
    expect(read('chat', delta({ content: 'a' }), { error: { code: 'server_error' } }, '[DONE]')).toMatchObject({ ended: false, terminal: [false, true, true] });
  });

  it('takes facts from late chunks, however they are spaced or escaped', () => {
    const late = '{"choices": [], "usage" : {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 2}, "completion_tokens_details": {"reasoning_tokens": 3}}}';
    const usage = { input: 11, output: 7, cacheRead: 5, cacheWrite: 2, reasoning: 3 };
    expect(read('chat', delta({ content: 'a' }), late).facts.usage).toEqual(usage);
    expect(read('chat', delta({ content: 'a' }), late.replace('"usage"', String.raw`"\u0075sage"`)).facts.usage).toEqual(usage);
    expect(read('chat', delta({ content: 'a' }), '{"choices":[{"index":0,"delta":{},"finish_reason" :\t"stop"}]}').ended).toBe(true);
    expect(read('chat', delta({ content: 'a' }), '{"choices":[],"usage": null}', '[DONE]').facts.usage).toBeNull();
    // SPEC 12.1: unknown is not 0.
    expect(read('chat', { choices: [], usage: { prompt_tokens: 4, completion_tokens: null } }).facts.usage).toEqual({ input: 4, output: null, cacheRead: null, cacheWrite: null, reasoning: null });
    expect(read('chat', { choices: [], usage: { prompt_tokens: 4, completion_tokens: 1, prompt_cache_hit_tokens: 3 } }).facts.usage).toMatchObject({ cacheRead: 3 });
  });
});

// Wire formats 5
describe('anthropic', () => {
  it.each([
    ['opening', { type: 'message_start', message: { content: [] } }], ['opening', block({ type: 'text', text: '' })], ['opening', block({ type: 'thinking', thinking: '', signature: '' })], ['opening', block({ type: 'redacted_thinking', data: 'eA==' })],
    ['opening', piece({ type: 'text_delta', text: '' })], ['opening', piece({ type: 'thinking_delta', thinking: '' })], ['opening', piece({ type: 'signature_delta', signature: 'eA==' })], ['opening', { type: 'content_block_stop', index: 0 }],
    ['opening', { type: 'message_delta', delta: { stop_reason: null } }], ['opening', { type: 'something_new' }], ['opening', {}], ['opening', { type: 'content_block_start' }],
    ['content', block({ type: 'text', text: 'a' })], ['content', block({ type: 'thinking', thinking: 'a' })], ['content', block({ type: 'tool_use', id: 't', name: 'ls', input: {} })], ['content', block({ type: 'server_tool_use', name: 'web_search' })],
    ['content', block({ type: 'web_search_tool_result' })], ['content', block({ type: 'compaction' })], ['content', piece({ type: 'text_delta', text: ' ' })], ['content', piece({ type: 'thinking_delta', thinking: 'Hmm' })],
    ['content', piece({ type: 'input_json_delta', partial_json: '' })], ['content', piece({ type: 'citations_delta', citation: {} })], ['content', piece({ type: 'compaction_delta', content: 'x' })],
    ['end', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }], ['end', { type: 'message_delta', delta: { stop_reason: 'refusal' } }], ['end', { type: 'message_stop' }],
    ['heartbeat', { type: 'ping' }], ['heartbeat', '[DONE]'], ['heartbeat', ''],
    ['error', { type: 'error', error: { details: null, type: 'overloaded_error', message: 'Overloaded' } }], ['error', { type: 'error' }], ['error', { error: { type: 'api_error' } }],
  ])('%s: %j', (label, data) => {
    expect(labelOf('anthropic', data)).toBe(label);
  });

  it('takes the name from the event line when the JSON has none, and believes the JSON when both are there', () => {
    expect(labelOf('anthropic', {}, 'ping')).toBe('heartbeat');
    expect(labelOf('anthropic', { delta: { type: 'text_delta', text: 'a' } }, 'content_block_delta')).toBe('content');
    expect(labelOf('anthropic', { type: 'ping' }, 'error')).toBe('heartbeat');
    expect(labelOf('anthropic', { error: { type: 'api_error' } }, 'error')).toBe('error');
  });

  // SPEC 12.1: null when not told.
  it.each([['1e308', null], ['1e400', null], ['-5', null], ['2.5', null], ['9007199254740991', null], ['"5"', null], ['5.0', 5], ['1000000', 1_000_000]])('takes a count of %s for what it is', (told, count) => {
    const event = `{"type":"message_start","message":{"model":"m","usage":{"input_tokens":${told},"output_tokens":1}}}`;
    expect(read('anthropic', event).facts.usage?.input).toBe(count);
  });

  it('counts input with its cache, and lets later counts replace earlier ones field by field', () => {
    const start = { type: 'message_start', message: { model: 'm', usage: { input_tokens: 7, cache_creation_input_tokens: 100, cache_read_input_tokens: 2_000, output_tokens: 1 } } };
    const end = (usage: object) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
    expect(read('anthropic', start, end({ output_tokens: 5 })).facts).toEqual({ model: 'm', finishReason: 'end_turn', usage: { input: 2_107, output: 5, cacheRead: 2_000, cacheWrite: 100, reasoning: null } });
    expect(read('anthropic', start, end({ input_tokens: 50, output_tokens: 5, cache_read_input_tokens: null })).facts.usage).toMatchObject({ input: 2_150, cacheRead: 2_000 });
    expect(read('anthropic', { type: 'message_start', message: { model: 'm' } }).facts).toEqual({ model: 'm', usage: null, finishReason: null });
    expect(read('anthropic', end({ output_tokens: 5 })).facts.usage).toEqual({ input: null, output: 5, cacheRead: null, cacheWrite: null, reasoning: null });
  });

  it('is over for insertions only after message_stop', () => {
    expect(read('anthropic', { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' })).toMatchObject({ terminal: [false, true], ended: true });
  });
});

// Wire formats 4
describe('responses', () => {
  const response = (members: object = {}) => ({ id: 'resp_1', object: 'response', status: 'in_progress', error: null, model: 'm', output: [], usage: null, ...members });
  const event = (type: string, members: object = {}) => ({ type: `response.${type}`, item_id: 'i', ...members });

  it.each([
    ['opening', event('created', { response: response() })], ['opening', event('queued', { response: response({ status: 'queued' }) })], ['opening', event('in_progress', { response: response() })],
    ['opening', item(message())], ['opening', item(message({ type: 'output_text', text: '' }))], ['opening', item({ type: 'reasoning', summary: [], encrypted_content: 'eA==' })], ['opening', item({ type: 'reasoning', summary: [], encrypted_content: 'eA==' }, 'done')],
    ['opening', event('content_part.added', { part: { type: 'output_text', text: '', annotations: [] } })], ['opening', event('content_part.done', { part: { type: 'output_text', text: '' } })], ['opening', event('output_text.delta', { delta: '' })],
    ['opening', event('output_text.done', { text: '' })], ['opening', event('reasoning_summary_part.added', { part: { type: 'summary_text', text: '' } })], ['opening', item(message({ type: 'output_text', text: '' }), 'done')],
    ['opening', { type: 'codex.rate_limits', rate_limits: {} }], ['opening', { type: 'responsesapi.thing' }], ['opening', event('something_new')], ['opening', {}],
    ['content', item({ type: 'function_call', name: 'ls', arguments: '' })], ['content', item({ type: 'web_search_call' })], ['content', item(message({ type: 'output_text', text: 'Hi' }), 'done')], ['content', item({ type: 'function_call' }, 'done')],
    ['content', item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] }, 'done')], ['content', item({ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'x' }] }, 'done')],
    ['content', event('output_text.delta', { delta: 'Hi' })], ['content', event('output_text.delta', { delta: ' ' })], ['content', event('output_text.done', { text: 'Hi' })], ['content', event('output_text.annotation.added', { annotation: {} })],
    ['content', event('refusal.delta', { delta: 'I' })], ['content', event('refusal.done', { refusal: 'I' })], ['content', event('content_part.done', { part: { type: 'refusal', refusal: 'I' } })], ['content', event('content_part.added', { part: { type: 'new_kind' } })],
    ['content', event('reasoning_summary_text.delta', { delta: 'x' })], ['content', event('reasoning_summary_part.done', { part: { type: 'summary_text', text: 'x' } })], ['content', event('reasoning_text.delta', { delta: 'x' })],
    ['content', event('function_call_arguments.delta', { delta: '{' })], ['content', event('custom_tool_call_input.delta', { delta: '*' })], ['content', event('apply_patch_call_operation_diff.delta', { delta: '+' })],
    ['content', event('mcp_call_arguments.delta', { delta: '{' })], ...['in_progress', 'completed', 'failed'].flatMap((state) => [['content', event(`mcp_call.${state}`)], ['content', event(`mcp_list_tools.${state}`)]] as ['content', object][]),
    ...['web_search_call.in_progress', 'web_search_call.searching', 'web_search_call.completed', 'file_search_call.searching', 'code_interpreter_call.in_progress', 'code_interpreter_call.interpreting', 'code_interpreter_call.completed',
      'image_generation_call.generating', 'image_generation_call.partial_image', 'image_generation_call.completed'].map((type) => ['content', event(type)] as ['content', object]),
    ['content', event('code_interpreter_call_code.delta', { delta: 'print' })], ['content', event('audio.delta', { delta: 'eA==' })], ['content', event('audio.transcript.done')],
    ['content', event('brand_new.delta', { delta: { a: 1 } })], ['content', event('brand_new.done')], ['content', event('brand_new.added')],
    ['end', event('completed', { response: response({ status: 'completed' }) })], ['end', event('incomplete', { response: response({ status: 'incomplete' }) })], ['end', event('completed')],
    ['heartbeat', { type: 'keepalive', sequence_number: 466 }], ['heartbeat', '[DONE]'], ['heartbeat', ''],
    ['error', event('failed', { response: response({ status: 'failed', error: { code: 'server_error' } }) })], ['error', { type: 'error', code: 'server_error' }], ['error', event('cancelled', { response: response({ status: 'cancelled' }) })],
  ] as [string, unknown][])('%s: %j', (label, data) => {
    expect(labelOf('responses', data)).toBe(label);
  });

  it('tells number, id and model for an error that has to follow', () => {
    const said = read('responses', { ...event('created', { response: response() }), sequence_number: 0 }, { type: 'response.output_text.delta', sequence_number: 1, delta: 'a' }, { type: 'response.output_text.delta', sequence_number: 2, delta: '"sequence_number":99' });
    expect(said.position).toEqual({ events: 3, sequence: 2, responseId: 'resp_1', model: 'm' });
  });

  it('names the reason of an incomplete answer, else its state', () => {
    expect(read('responses', event('incomplete', { response: response({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }) }))).toMatchObject({ ended: true, terminal: [true], facts: { finishReason: 'max_output_tokens' } });
    expect(read('responses', event('completed', { response: response({ status: 'completed' }) })).facts.finishReason).toBe('completed');
    expect(read('responses', event('output_text.delta', { delta: 'a' }), '[DONE]')).toMatchObject({ ended: false });
  });
});

// Wire formats 6
describe('gemini', () => {
  it.each([
    ['opening', { usageMetadata: { promptTokenCount: 8 }, modelVersion: 'm' }], ['opening', { candidates: [{ content: { role: 'model' } }] }], ['opening', parts({ text: '', thoughtSignature: 'eA==' })], ['opening', parts({ thoughtSignature: 'eA==' })],
    ['opening', parts({ text: '', thought: true })], ['opening', parts()], ['opening', { candidates: [{ finishReason: 'FINISH_REASON_UNSPECIFIED' }] }], ['opening', { promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' } }], ['opening', {}],
    ['content', parts({ text: 'Hi' })], ['content', parts({ text: ' ' })], ['content', parts({ text: '**Plan**', thought: true })], ['content', parts({ functionCall: { name: 'ls', args: {} } })], ['content', parts({ inlineData: { data: 'eA==' } })],
    ['content', parts({ fileData: {} })], ['content', parts({ executableCode: {} })], ['content', parts({ codeExecutionResult: {} })], ['content', parts({ toolCall: {} })], ['content', { response: parts({ text: 'wrapped' }), traceId: 't' }],
    ['content', { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] }], ['content', { candidates: [{ content: {} }, { content: { parts: [{ text: 'second' }] } }] }],
    ['end', { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }], ['end', { candidates: [{ finishReason: 'SAFETY', index: 0 }] }], ['end', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    ['heartbeat', '[DONE]'], ['heartbeat', ''], ['heartbeat', 'x'],
    ['error', { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }], ['error', [{ error: { code: 503 } }]], ['error', { error: 'text' }],
  ])('%s: %j', (label, data) => {
    expect(labelOf('gemini', data)).toBe(label);
  });

  it('is over with its finish reason, and counts the last usage, also of a chunk that decided nothing', () => {
    const usage = (promptTokenCount: number, candidatesTokenCount: number) => ({ usageMetadata: { promptTokenCount, candidatesTokenCount, thoughtsTokenCount: 4, toolUsePromptTokenCount: 2, cachedContentTokenCount: 1 } });
    const said = read('gemini', { ...parts({ text: 'a' }), ...usage(8, 1), modelVersion: 'm' }, { ...parts({ text: 'b' }), ...usage(8, 2) }, { ...parts({ text: 'c' }), ...usage(8, 3) });
    expect(said).toMatchObject({ ended: false, facts: { model: 'm', finishReason: null, usage: { input: 10, output: 7, cacheRead: 1, cacheWrite: null, reasoning: 4 } } });
    expect(read('gemini', { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] })).toMatchObject({ ended: true, terminal: [true], facts: { finishReason: 'STOP' } });
    expect(read('gemini', { promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ ended: true, terminal: [true], facts: { finishReason: null } });
  });
});

describe('an error that an upstream writes without framing', () => {
  // SPEC 5.3
  const error = '{\n  "error": {\r\n    "code": 503, "type": "server_error", "message": "busy", "status": "UNAVAILABLE"\n  }\n}';
  it.each(['gemini', 'chat', 'responses', 'anthropic'] as const)('is read in the middle and at the end of a %s stream', (format) => {
    for (const text of [`${error}\n\n`, error, `: note\n\n${error}`]) {
      const reader = formatByName(format).reader('sse');
      const events = [...reader.push(bytesOf(text)), ...reader.finish()];
      expect(events.at(-1)).toMatchObject({ label: 'error', error: { class: 'transient', message: 'busy' } });
    }
  });

  it('is no error before it is whole', () => {
    const reader = formatByName('gemini').reader('sse');
    expect([...reader.push(bytesOf(error.slice(0, -1))), ...reader.finish()]).toEqual([]);
  });
});
