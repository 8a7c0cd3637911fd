import type { FormatName } from '../../../../shared/format.ts';
import { wordsOf } from '../../../support/answers/index.ts';

const named = (type: string, data: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
export const bare = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object): string => bare({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [{ index: 0, delta, finish_reason: null }] });
const start = (format: FormatName): string => wordsOf[format].opening('m-1')[0] ?? '';
const call = { id: 'fc_1', type: 'function_call', status: 'in_progress', call_id: 'call_1', name: 'write', arguments: '' };

/** Streams that stop in the middle of a tool call, from their first event on; Gemini's calls come whole. */
export const HALF_CALLS: Readonly<Partial<Record<FormatName, string>>> = {
  anthropic: start('anthropic')
    + named('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'write', input: {} } })
    + named('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{"path": "a' } }),
  chat: start('chat')
    + chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: '' } }] })
    + chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path": "a' } }] }),
  responses: start('responses')
    + named('response.output_item.added', { sequence_number: 2, output_index: 0, item: call })
    + named('response.function_call_arguments.delta', { sequence_number: 3, item_id: 'fc_1', output_index: 0, delta: '{"pa' })
    + named('response.function_call_arguments.delta', { sequence_number: 4, item_id: 'fc_1', output_index: 0, delta: 'th": "a' }),
};

/** Further content that is no text: after any of it nothing may be sent again. */
export const OTHER_CONTENT: readonly (readonly [what: string, format: FormatName, bytes: string])[] = [
  ['a thinking block', 'anthropic', start('anthropic') + named('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }) + named('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } })],
  ['a search on the server', 'anthropic', start('anthropic') + named('content_block_start', { index: 0, content_block: { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} } })],
  ['a reasoning item', 'responses', start('responses') + named('response.output_item.added', { sequence_number: 2, output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [] } }) + named('response.reasoning_summary_text.delta', { sequence_number: 3, item_id: 'rs_1', output_index: 0, summary_index: 0, delta: 'Hm' })],
  ['reasoning text', 'chat', start('chat') + chunk({ reasoning_content: 'Hm' })],
  ['a function call', 'gemini', bare({ candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'write', args: {} } }] }, index: 0 }], modelVersion: 'm-1' })],
  ...Object.entries(HALF_CALLS).map(([format, bytes]) => ['half a tool call', format as FormatName, bytes] as const),
];

/** Complete answers without any content. */
export const EMPTY_ANSWERS: Readonly<Record<FormatName, string>> = {
  anthropic: start('anthropic') + named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } }) + named('message_stop'),
  chat: start('chat') + bare({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm-1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + 'data: [DONE]\n\n',
  responses: start('responses') + named('response.completed', { sequence_number: 1, response: { id: 'r', object: 'response', status: 'completed', model: 'm-1', output: [], usage: { input_tokens: 3, output_tokens: 0, total_tokens: 3 } } }),
  gemini: bare({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }], modelVersion: 'm-1' }),
};
