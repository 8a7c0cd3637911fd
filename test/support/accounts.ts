import { askedBy, bare, bareCrlf, json, named, type Asked } from './answers/provider.ts';
import { wordsOf } from './answers/index.ts';
import type { Call, Script } from './scripted-upstream.ts';

/** A provider's account: it seals its reasoning and, as providers do, refuses for good a history that holds what another account has sealed. */
export interface Account {
  /** Answers with sealed reasoning and this text, streamed or whole as it was asked for. `afterwards` runs when the last event is out, before the body ends. */
  says(text: string, afterwards?: () => Promise<void>): Script;
  /** As `says`, but calls a tool. */
  calls(tool: string): Script;
  /** Every seal it has made, in order. */
  readonly seals: readonly string[];
}

const SEAL = /sealed-by-(\w+?)-\d+/g;
const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

export function createAccount(name: string): Account {
  const seals: string[] = [];
  const answering = (text: string, tool: string | null, afterwards: () => Promise<void>): Script => async (call: Call) => {
    const asked = await askedBy(call);
    if (asked === null) throw new Error(`no answer for ${call.target}`);
    const history = (await call.body).toString();
    if ([...history.matchAll(SEAL)].some(([, maker]) => maker !== name)) {
      return json(call, 400, wordsOf[asked.format].error(400, 'The signature in the history could not be verified.'));
    }
    // As long as real ones, with the letters of real ones.
    const seal = `sealed-by-${name}-${seals.length}${'+/AbC='.repeat(60)}`;
    seals.push(seal);
    if (!asked.streamed) return json(call, 200, WHOLE[asked.format](asked.model, seal, text, tool));
    await call.head(200, EVENTS);
    for (const event of STREAMS[asked.format](asked.model, seal, text, tool)) await call.write(event);
    await afterwards();
    await call.end();
  };
  return {
    seals,
    says: (text, afterwards = () => Promise.resolve()) => answering(text, null, afterwards),
    calls: (tool) => answering('', tool, () => Promise.resolve()),
  };
}

type Words<R> = Readonly<Record<Asked['format'], (model: string, seal: string, text: string, tool: string | null) => R>>;

const STREAMS: Words<readonly string[]> = {
  anthropic: (model, signature, text, tool) => [
    { type: 'message_start', message: { id: 'msg', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Let me see.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: tool === null ? { type: 'text', text: '' } : { type: 'tool_use', id: 'toolu_1', name: tool, input: {} } },
    { type: 'content_block_delta', index: 1, delta: tool === null ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: '{"signature":"an argument"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: tool === null ? 'end_turn' : 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ].map(named),
  responses: (model, seal, text, tool) => {
    const output = itemsOf(seal, text, tool);
    return [
      { type: 'response.created', response: { id: 'resp', object: 'response', status: 'in_progress', model, output: [] } },
      ...output.flatMap((item, output_index) => [
        // Until it is done the reasoning is encrypted in another way.
        { type: 'response.output_item.added', output_index, item: item.type === 'reasoning' ? { ...item, encrypted_content: 'not-yet' } : { ...item, content: [], arguments: '' } },
        ...(item.type === 'message' ? [{ type: 'response.output_text.delta', output_index, delta: text }] : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: { id: 'resp', object: 'response', status: 'completed', model, output, usage: null } },
    ].map((event, sequence_number) => named({ ...event, sequence_number }));
  },
  gemini: (model, thoughtSignature, text, tool) => [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Let me see.', thought: true }] } }], modelVersion: model },
    { candidates: [{ content: { role: 'model', parts: [partOf(thoughtSignature, text, tool)] } }], modelVersion: model },
    { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }], modelVersion: model },
  ].map(bareCrlf),
  chat: (model, data, text, tool) => [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '', reasoning_details: [{ type: 'reasoning.encrypted', data, index: 0 }] }, finish_reason: null }], model },
    { choices: [{ index: 0, delta: tool === null ? { content: text } : { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: '{}' } }] }, finish_reason: null }], model },
    { choices: [{ index: 0, delta: {}, finish_reason: tool === null ? 'stop' : 'tool_calls' }], model },
  ].map(bare).concat('data: [DONE]\n\n'),
};

const WHOLE: Words<object> = {
  anthropic: (model, signature, text, tool) => ({
    id: 'msg', type: 'message', role: 'assistant', model, stop_reason: tool === null ? 'end_turn' : 'tool_use', usage: { input_tokens: 3, output_tokens: 7 },
    content: [{ type: 'thinking', thinking: 'Let me see.', signature }, tool === null ? { type: 'text', text } : { type: 'tool_use', id: 'toolu_1', name: tool, input: {} }],
  }),
  responses: (model, seal, text, tool) => ({ id: 'resp', object: 'response', status: 'completed', model, output: itemsOf(seal, text, tool), usage: null }),
  gemini: (model, seal, text, tool) => ({ candidates: [{ content: { role: 'model', parts: [partOf(seal, text, tool)] }, finishReason: 'STOP' }], modelVersion: model }),
  chat: (model, data, text) => ({ model, choices: [{ index: 0, message: { role: 'assistant', content: text, reasoning_details: [{ type: 'reasoning.encrypted', data, index: 0 }] }, finish_reason: 'stop' }] }),
};

function itemsOf(encrypted_content: string, text: string, tool: string | null) {
  return [
    { type: 'reasoning', id: 'rs', summary: [], encrypted_content },
    tool === null ? { type: 'message', id: 'msg', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }
      : { type: 'function_call', id: 'fc', call_id: 'call_1', name: tool, arguments: '{"signature":"an argument"}', status: 'completed' },
  ];
}

function partOf(thoughtSignature: string, text: string, tool: string | null): object {
  return tool === null ? { text, thoughtSignature } : { functionCall: { name: tool, args: {} }, thoughtSignature };
}
