// A Messages stream in its parts, exact to the byte.
const event = (data: { readonly type: string; readonly [field: string]: unknown }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

export const MESSAGE_START = event({
  type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm-test', content: [], stop_reason: null, usage: { input_tokens: 11, output_tokens: 1 } },
});
export const BLOCK_START = event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
export const OPENING = MESSAGE_START + BLOCK_START;
export const PING = event({ type: 'ping' });
/** Content. */
export const textEvent = (text: string): string => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
export const MESSAGE_STOP = event({ type: 'message_stop' });
export const STOP_REASON = event({ type: 'content_block_stop', index: 0 }) + event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } });
export const END = STOP_REASON + MESSAGE_STOP;
export const OVERLOADED = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
/** Opening, two pieces of text, end. */
export const WHOLE_STREAM = OPENING + textEvent('hel') + textEvent('lo') + END;
export const SSE = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

/** The same as a whole answer. */
export const WHOLE_ANSWER = JSON.stringify({
  id: 'msg_1', type: 'message', role: 'assistant', model: 'm-test', content: [{ type: 'text', text: 'hello' }], stop_reason: 'end_turn', stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: 7 },
});
