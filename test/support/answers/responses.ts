import { inTwo, named, OVERLOADED_TEXT, USAGE, type ProviderWords, type WireEvent } from './provider.ts';
import { chatWords } from './chat.ts';

const usage = {
  input_tokens: USAGE.input, input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.output, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: USAGE.input + USAGE.output,
};

const response = (model: string, more: object): object => ({
  id: 'resp_scripted', object: 'response', created_at: 1_900_000_000, status: 'in_progress', error: null, incomplete_details: null,
  instructions: null, metadata: {}, model, output: [], parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', tools: [], top_p: 1, usage: null, ...more,
});

const part = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const item = (status: string, content: readonly object[]): object => ({ id: 'msg_scripted', type: 'message', status, role: 'assistant', content });
const place = { item_id: 'msg_scripted', output_index: 0, content_index: 0 };

const done = (model: string, text: string): object => response(model, { status: 'completed', output: [item('completed', [part(text)])], usage });

/** Numbers the events from `first`, as each carries its place in the stream. */
const numbered = (first: number, events: readonly WireEvent[]): readonly string[] =>
  events.map(({ type, ...more }, index) => named({ type, sequence_number: first + index, ...more }));

/** OpenAI's overload comes as a nested `error` event, and Codex takes this code for final. */
export const responsesWords: ProviderWords = {
  opening: (model) => numbered(0, [
    { type: 'response.created', response: response(model, {}) },
    { type: 'response.in_progress', response: response(model, {}) },
    { type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) },
    { type: 'response.content_part.added', ...place, part: part('') },
  ]),
  overload: () => named({ type: 'error', sequence_number: 4, error: { type: 'service_unavailable_error', code: 'server_is_overloaded', message: OVERLOADED_TEXT, param: null } }),
  overloadCode: 'server_is_overloaded',
  answer: (model, text) => numbered(4, [
    ...inTwo(text).map((piece) => ({ type: 'response.output_text.delta', ...place, delta: piece, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: part(text) },
    { type: 'response.output_item.done', output_index: 0, item: item('completed', [part(text)]) },
    { type: 'response.completed', response: done(model, text) },
  ]),
  whole: done,
  error: chatWords.error,
};
