import { bare, inTwo, OVERLOADED_TEXT, USAGE, type ProviderWords } from './provider.ts';

const usage = {
  prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output,
  prompt_tokens_details: { cached_tokens: USAGE.cached }, completion_tokens_details: { reasoning_tokens: 0 },
};

const chunk = (model: string, choices: readonly object[], more: object = {}): string =>
  bare({ id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_900_000_000, model, choices, ...more });

const delta = (model: string, part: object, finish: string | null = null): string => chunk(model, [{ index: 0, delta: part, finish_reason: finish }]);

const TYPES: Readonly<Record<number, string>> = { 400: 'invalid_request_error', 401: 'invalid_request_error', 429: 'rate_limit_error' };

export const chatWords: ProviderWords = {
  opening: (model) => [delta(model, { role: 'assistant', content: '', refusal: null })],
  overload: () => bare({ error: { message: OVERLOADED_TEXT, type: 'server_error', param: null, code: 'server_error' } }),
  overloadCode: 'server_error',
  answer: (model, text) => [
    ...inTwo(text).map((piece) => delta(model, { content: piece })),
    delta(model, {}, 'stop'),
    chunk(model, [], { usage }),
    'data: [DONE]\n\n',
  ],
  whole: (model, text) => ({
    id: 'chatcmpl-scripted', object: 'chat.completion', created: 1_900_000_000, model, usage,
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop' }],
  }),
  error: (status, text) => ({ error: { message: text, type: TYPES[status] ?? 'server_error', param: null, code: null } }),
};
