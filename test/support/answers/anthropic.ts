import { inTwo, named, USAGE, type ProviderWords } from './provider.ts';

/** Anthropic counts cached tokens beside the input, not in it. */
const usage = (output: number): object => ({ input_tokens: USAGE.input - USAGE.cached, cache_creation_input_tokens: 0, cache_read_input_tokens: USAGE.cached, output_tokens: output });

const message = (model: string, content: readonly object[], stop: string | null, output: number): object => ({
  id: 'msg_scripted', type: 'message', role: 'assistant', model, content, stop_reason: stop, stop_sequence: null, usage: usage(output),
});

const TYPES: Readonly<Record<number, string>> = { 400: 'invalid_request_error', 401: 'authentication_error', 404: 'not_found_error', 429: 'rate_limit_error', 503: 'api_error', 529: 'overloaded_error' };

export const anthropicWords: ProviderWords = {
  opening: (model) => [
    { type: 'message_start', message: message(model, [], null, 1) },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ].map(named),
  overload: () => named({ type: 'error', error: { details: null, type: 'overloaded_error', message: 'Overloaded' } }),
  overloadCode: 'overloaded_error',
  answer: (_model, text) => [
    ...inTwo(text).map((piece) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: USAGE.output } },
    { type: 'message_stop' },
  ].map(named),
  whole: (model, text) => message(model, [{ type: 'text', text }], 'end_turn', USAGE.output),
  error: (status, text) => ({ type: 'error', error: { type: TYPES[status] ?? 'api_error', message: text }, request_id: 'req_scripted' }),
};
