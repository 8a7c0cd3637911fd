import type { FormatName } from '../../shared/format.ts';

/** What an answer is made from. */
export interface DemoAnswer {
  /** Unique per answer. */
  readonly id: string;
  readonly model: string;
  readonly words: readonly string[];
  readonly createdSecs: number;
  readonly inputTokens: number;
  /** A Chat client asked for usage in the stream. */
  readonly usageChunk: boolean;
}

/** How one format writes what the demo says. Events are `[name, data]`; formats without event names leave the name empty. */
export interface DemoFormat {
  /** Nothing in it can be seen by a user. */
  opening(answer: DemoAnswer): readonly DemoEvent[];
  word(answer: DemoAnswer, index: number): DemoEvent;
  ending(answer: DemoAnswer): readonly DemoEvent[];
  overload(answer: DemoAnswer): DemoEvent;
  whole(answer: DemoAnswer): object;
  error(status: number, message: string): object;
}
export type DemoEvent = readonly [name: string, data: object | '[DONE]'];

const OVERLOADED = 'The demo upstream is overloaded. Please try again.';
const textOf = (answer: DemoAnswer): string => answer.words.join('');

const anthropicMessage = (answer: DemoAnswer, content: readonly object[], stopReason: string | null, outputTokens: number): object => ({
  id: `msg_${answer.id}`, type: 'message', role: 'assistant', model: answer.model, content, stop_reason: stopReason, stop_sequence: null,
  usage: { input_tokens: answer.inputTokens, output_tokens: outputTokens },
});
const named = (data: { readonly type: string; readonly [field: string]: unknown }): DemoEvent => [data.type, data];

const anthropic: DemoFormat = {
  opening: (answer) => [
    ['message_start', { type: 'message_start', message: anthropicMessage(answer, [], null, 1) }],
    ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
  ],
  word: (answer, index) => ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer.words[index] } }],
  ending: (answer) => [
    ['content_block_stop', { type: 'content_block_stop', index: 0 }],
    ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: answer.words.length } }],
    ['message_stop', { type: 'message_stop' }],
  ],
  overload: () => ['error', { type: 'error', error: { type: 'overloaded_error', message: OVERLOADED } }],
  whole: (answer) => anthropicMessage(answer, [{ type: 'text', text: textOf(answer) }], 'end_turn', answer.words.length),
  error: (status, message) => ({ type: 'error', error: { type: status === 404 ? 'not_found_error' : status === 503 ? 'overloaded_error' : 'invalid_request_error', message } }),
};

const chatUsage = (answer: DemoAnswer): object => ({
  prompt_tokens: answer.inputTokens, completion_tokens: answer.words.length, total_tokens: answer.inputTokens + answer.words.length,
});
const chatChunk = (answer: DemoAnswer, delta: object, finishReason: string | null): DemoEvent => ['', {
  id: `chatcmpl-${answer.id}`, object: 'chat.completion.chunk', created: answer.createdSecs, model: answer.model,
  choices: [{ index: 0, delta, finish_reason: finishReason }],
}];
const openAiError = (status: number, message: string): object => ({
  error: { message, type: status === 503 ? 'server_error' : 'invalid_request_error', param: null, code: status === 404 ? 'model_not_found' : status === 503 ? 'server_is_overloaded' : null },
});

const chat: DemoFormat = {
  opening: (answer) => [chatChunk(answer, { role: 'assistant', content: '' }, null)],
  word: (answer, index) => chatChunk(answer, { content: answer.words[index] }, null),
  ending: (answer) => [
    chatChunk(answer, {}, 'stop'),
    ...(answer.usageChunk ? [['', {
      id: `chatcmpl-${answer.id}`, object: 'chat.completion.chunk', created: answer.createdSecs, model: answer.model, choices: [], usage: chatUsage(answer),
    }] as const] : []),
    ['', '[DONE]'],
  ],
  overload: () => ['', openAiError(503, OVERLOADED)],
  whole: (answer) => ({
    id: `chatcmpl-${answer.id}`, object: 'chat.completion', created: answer.createdSecs, model: answer.model,
    choices: [{ index: 0, message: { role: 'assistant', content: textOf(answer), refusal: null }, finish_reason: 'stop' }], usage: chatUsage(answer),
  }),
  error: openAiError,
};

const response = (answer: DemoAnswer, more: object): object => ({
  id: `resp_${answer.id}`, object: 'response', created_at: answer.createdSecs, model: answer.model, error: null, incomplete_details: null,
  parallel_tool_calls: true, tool_choice: 'auto', tools: [], usage: null, ...more,
});
const messageItem = (answer: DemoAnswer, status: string, content: readonly object[]): object => ({ id: `msg_${answer.id}`, type: 'message', role: 'assistant', status, content });
const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [] });
const completed = (answer: DemoAnswer): object => response(answer, {
  status: 'completed', output: [messageItem(answer, 'completed', [textPart(textOf(answer))])],
  usage: {
    input_tokens: answer.inputTokens, input_tokens_details: { cached_tokens: 0 }, output_tokens: answer.words.length,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: answer.inputTokens + answer.words.length,
  },
});
const at = (answer: DemoAnswer): object => ({ item_id: `msg_${answer.id}`, output_index: 0, content_index: 0 });
const RESPONSES_OPENING = 4;

const responses: DemoFormat = {
  opening: (answer) => [
    named({ type: 'response.created', sequence_number: 0, response: response(answer, { status: 'in_progress', output: [] }) }),
    named({ type: 'response.in_progress', sequence_number: 1, response: response(answer, { status: 'in_progress', output: [] }) }),
    named({ type: 'response.output_item.added', sequence_number: 2, output_index: 0, item: messageItem(answer, 'in_progress', []) }),
    named({ type: 'response.content_part.added', sequence_number: 3, ...at(answer), part: textPart('') }),
  ],
  word: (answer, index) => named({ type: 'response.output_text.delta', sequence_number: RESPONSES_OPENING + index, ...at(answer), delta: answer.words[index], logprobs: [] }),
  ending: (answer) => {
    const next = RESPONSES_OPENING + answer.words.length;
    return [
      named({ type: 'response.output_text.done', sequence_number: next, ...at(answer), text: textOf(answer), logprobs: [] }),
      named({ type: 'response.content_part.done', sequence_number: next + 1, ...at(answer), part: textPart(textOf(answer)) }),
      named({ type: 'response.output_item.done', sequence_number: next + 2, output_index: 0, item: messageItem(answer, 'completed', [textPart(textOf(answer))]) }),
      named({ type: 'response.completed', sequence_number: next + 3, response: completed(answer) }),
    ];
  },
  overload: (answer) => named({
    type: 'response.failed', sequence_number: RESPONSES_OPENING,
    response: response(answer, { status: 'failed', output: [], error: { code: 'server_is_overloaded', message: OVERLOADED } }),
  }),
  whole: completed,
  error: openAiError,
};

const geminiChunk = (answer: DemoAnswer, text: string, more: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }], modelVersion: answer.model, responseId: answer.id,
});
const geminiUsage = (answer: DemoAnswer): object => ({
  usageMetadata: { promptTokenCount: answer.inputTokens, candidatesTokenCount: answer.words.length, totalTokenCount: answer.inputTokens + answer.words.length },
});
const geminiError = (status: number, message: string): object => ({
  error: { code: status, message, status: status === 503 ? 'UNAVAILABLE' : status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' },
});

const gemini: DemoFormat = {
  opening: (answer) => [['', geminiChunk(answer, '')]],
  word: (answer, index) => ['', geminiChunk(answer, answer.words[index] ?? '')],
  ending: (answer) => [['', { ...geminiChunk(answer, '', { finishReason: 'STOP' }), ...geminiUsage(answer) }]],
  overload: () => ['', geminiError(503, OVERLOADED)],
  whole: (answer) => ({ ...geminiChunk(answer, textOf(answer), { finishReason: 'STOP' }), ...geminiUsage(answer) }),
  error: geminiError,
};

/** The formats the demo speaks: all of them. */
export const DEMO_FORMATS: Readonly<Record<FormatName, DemoFormat>> = { anthropic, chat, responses, gemini };
