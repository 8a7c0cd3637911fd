import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { FORMAT_NAMES, type FormatName } from '../../../shared/format.ts';
import { WIRE_FIXTURES } from '../../support/wire-fixtures.ts';

const bytesOf = (body: unknown) => new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
const lastSeal = (format: FormatName, body: unknown) => formatByName(format).lastSeal(bytesOf(body));
const streamed = (format: FormatName, ...values: readonly unknown[]) => {
  const reader = formatByName(format).reader('sse');
  for (const value of values) reader.push(bytesOf(`data: ${JSON.stringify(value)}\n\n`));
  return reader.facts().seal;
};
const whole = (format: FormatName, body: unknown) => {
  const reading = formatByName(format).readWhole(bytesOf(body));
  return reading.kind === 'answer' ? reading.facts.seal : reading;
};

/** A sealed item of each format, inside a history. */
const sealedBy: Readonly<Record<FormatName, (seal: string) => object>> = {
  anthropic: (signature) => ({ type: 'thinking', thinking: 'hm', signature }),
  chat: (data) => ({ type: 'reasoning.encrypted', data, id: 'r', format: 'f', index: 0 }),
  responses: (seal) => ({ type: 'reasoning', id: 'rs', summary: [], encrypted_content: seal }),
  gemini: (thoughtSignature) => ({ functionCall: { name: 'ls', args: {} }, thoughtSignature }),
};
const plain: Readonly<Record<FormatName, (text: string) => object>> = {
  anthropic: (text) => ({ type: 'text', text }), chat: (text) => ({ type: 'reasoning.text', text }),
  responses: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }), gemini: (text) => ({ text }),
};
/** A request whose history holds these items. */
const history: Readonly<Record<FormatName, (items: readonly object[]) => object>> = {
  anthropic: (content) => ({ model: 'm', messages: [{ role: 'user', content: 'hi' }, { role: 'assistant', content }, { role: 'user', content: 'go on' }], tools: [{ name: 't', input_schema: {} }] }),
  chat: (reasoning_details) => ({ model: 'm', messages: [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'yo', reasoning_details }, { role: 'user', content: 'go on' }] }),
  responses: (input) => ({ model: 'm', input, include: ['reasoning.encrypted_content'] }),
  gemini: (parts) => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }, { role: 'model', parts }, { role: 'user', parts: [{ text: 'go on' }] }] }),
};
/** A whole answer made of these items. */
const answer: Readonly<Record<FormatName, (items: readonly object[]) => object>> = {
  anthropic: (content) => ({ type: 'message', model: 'm', content, stop_reason: 'end_turn' }),
  chat: (reasoning_details) => ({ model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'yo', reasoning_details }, finish_reason: 'stop' }] }),
  responses: (output) => ({ object: 'response', model: 'm', status: 'completed', output }),
  gemini: (parts) => ({ modelVersion: 'm', candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] }),
};

// SPEC 9.5
describe.each(FORMAT_NAMES)('the last sealed item of %s', (format) => {
  const seal = sealedBy[format];
  it('is found in a request, compact or spread out', () => {
    const body = history[format]([seal('first'), plain[format]('then'), seal('last'), plain[format]('end')]);
    expect(lastSeal(format, body)).toBe('last');
    expect(lastSeal(format, JSON.stringify(body, null, 2))).toBe('last');
  });
  it('is null where nothing is sealed', () => {
    expect(lastSeal(format, history[format]([plain[format]('x')]))).toBeNull();
    expect(lastSeal(format, history[format]([seal('')]))).toBeNull();
    expect(lastSeal(format, '{}')).toBeNull();
  });
  it('is the text and not its spelling', () => {
    const spelt = JSON.stringify(history[format]([seal('a=b/c')])).replace('a=b/c', String.raw`a\u003db\/c`);
    expect(lastSeal(format, spelt)).toBe('a=b/c');
  });
  it('is not what a text only talks about', () => {
    const talk = JSON.stringify(history[format]([seal('in a text')]));
    expect(lastSeal(format, history[format]([seal('real'), plain[format](talk), plain[format](`\\${talk}\\`)]))).toBe('real');
  });
  it('is found whole, however long it is, in requests and answers', () => {
    const long = 'x'.repeat(300_000);
    expect(lastSeal(format, history[format]([seal(long), plain[format]('y'.repeat(300_000))]))).toBe(long);
    expect(whole(format, answer[format]([seal(long), plain[format]('y'.repeat(300_000))]))).toBe(long);
  });
  it('is told with a whole answer, and left out where there is none', () => {
    expect(whole(format, answer[format]([seal('first'), seal('last')]))).toBe('last');
    expect(whole(format, answer[format]([plain[format]('x')]))).toBeUndefined();
  });
});

describe('what is sealed and what is not', () => {
  it('anthropic: a signature in the input of a tool is an argument; redacted thinking is sealed whole', () => {
    const tool = { type: 'tool_use', id: 't', name: 'sign', input: { signature: 'mine', type: 'thinking' } };
    expect(lastSeal('anthropic', history.anthropic([sealedBy.anthropic('real'), tool]))).toBe('real');
    expect(lastSeal('anthropic', history.anthropic([{ type: 'redacted_thinking', data: 'opaque' }, tool]))).toBe('opaque');
    expect(lastSeal('anthropic', { ...history.anthropic([sealedBy.anthropic('real')]), tools: [{ name: 's', input_schema: { properties: { signature: { type: 'string' } } } }] })).toBe('real');
    expect(lastSeal('anthropic', history.anthropic([sealedBy.anthropic('real'), { type: 'image', source: { type: 'base64', data: 'AAAA' } }]))).toBe('real');
  });
  it('chat: the signature of a readable detail seals it, too', () => {
    expect(lastSeal('chat', history.chat([{ type: 'reasoning.text', text: 'hm', signature: 's', index: 0 }]))).toBe('s');
  });
  it('responses: encrypted results of a search are no reasoning; a compacted history is', () => {
    expect(lastSeal('responses', history.responses([sealedBy.responses('real'), { type: 'web_search_result', encrypted_content: 'found' }]))).toBe('real');
    expect(lastSeal('responses', history.responses([{ type: 'compaction', encrypted_content: 'compact' }]))).toBe('compact');
  });
  it('gemini: both spellings of the name; what stands in for a signature was made by nobody', () => {
    expect(lastSeal('gemini', history.gemini([{ text: '', thought_signature: 'snake' }]))).toBe('snake');
    expect(lastSeal('gemini', history.gemini([sealedBy.gemini('real'), sealedBy.gemini('skip_thought_signature_validator')]))).toBe('real');
  });
  it('a body made to cost the most is given up, not searched for ever', () => {
    const levels = 40_000;
    const nested = `${'[{"signature":1,"x":'.repeat(levels)}1${'}]'.repeat(levels)}`;
    expect(lastSeal('anthropic', `{"messages":${nested}}`)).toBeNull();
  });
});

// SPEC 9.5
describe('seals in streams', () => {
  const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
  const piece = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
  const signature = (index: number, text: string) => piece(index, { type: 'signature_delta', signature: text });
  const said = piece(1, { type: 'text_delta', text: 'said' });

  it('anthropic: the pieces of one block are put together, those of another are not', () => {
    expect(streamed('anthropic', block(0, { type: 'thinking', thinking: '', signature: '' }), signature(0, 'ab'), signature(0, 'cd'))).toBe('abcd');
    expect(streamed('anthropic', block(0, { type: 'thinking', thinking: '', signature: 'ab' }), signature(0, 'cd'))).toBe('abcd');
    expect(streamed('anthropic', signature(0, 'ab'), said, block(2, { type: 'thinking', thinking: '', signature: '' }), signature(2, 'cd'))).toBe('cd');
  });
  it('anthropic: also behind content, where events are not parsed any more', () => {
    expect(streamed('anthropic', said, signature(2, 'late'))).toBe('late');
    expect(streamed('anthropic', said, block(2, { type: 'redacted_thinking', data: 'opaque' }))).toBe('opaque');
    expect(streamed('anthropic', said, piece(1, { type: 'text_delta', text: '"signature_delta"' }))).toBeUndefined();
  });
  it('responses: an item counts as it is when it is done', () => {
    const item = (kind: string, seal: string) => ({ type: `response.output_item.${kind}`, output_index: 0, item: sealedBy.responses(seal) });
    expect(streamed('responses', item('added', 'early'), item('done', 'done'))).toBe('done');
    expect(streamed('responses', { type: 'response.output_text.delta', delta: 'x' }, item('done', 'late'), item('added', 'next'))).toBe('late');
    expect(streamed('responses', { type: 'response.completed', response: answer.responses([sealedBy.responses('only here')]) })).toBe('only here');
  });
  it('gemini: of the last part that has one, before and after content', () => {
    const chunk = (...parts: object[]) => ({ candidates: [{ content: { parts } }] });
    expect(streamed('gemini', chunk({ text: '', thoughtSignature: 'a' }), chunk({ text: 'hi' }))).toBe('a');
    expect(streamed('gemini', chunk({ text: 'hi' }), chunk({ text: 'x', thoughtSignature: 'b' }, { text: 'y' }), chunk({ text: 'z' }))).toBe('b');
  });
  it('chat: encrypted details and signatures, before and after content', () => {
    const delta = (members: object) => ({ choices: [{ index: 0, delta: members }] });
    expect(streamed('chat', delta({ reasoning_details: [sealedBy.chat('a')] }), delta({ content: 'hi' }))).toBe('a');
    expect(streamed('chat', delta({ content: 'hi' }), delta({ reasoning_details: [{ type: 'reasoning.text', signature: 's' }] }), delta({ content: 'x' }))).toBe('s');
  });
  it.each([
    ['anthropic.stream.ok-thinking.sse', 'c2lnLTE='], ['anthropic.stream.ok-thinking-omitted.sse', 'c2lnLTI='], ['anthropic.stream.ok-redacted-thinking.sse', 'b3BhcXVl'],
    ['responses.stream.ok-reasoning-encrypted.sse', 'b3BhcXVlLW1vcmU='], ['gemini.stream.ok-function-call.sse', 'c2ln'], ['chat.stream.ok-reasoning-encrypted-only.sse', 'b3BhcXVl'],
    ['anthropic.stream.ok-text.sse', undefined],
  ])('%s is sealed with %s', (file, seal) => {
    const fixture = WIRE_FIXTURES.find((one) => one.file === file);
    if (fixture === undefined) throw new Error(`no fixture ${file}`);
    const reader = formatByName(fixture.format).reader(fixture.framing);
    reader.push(fixture.bytes);
    expect(reader.facts().seal).toBe(seal);
  });
});

describe('a history of any kind', () => {
  const nasty = fc.oneof(fc.string(), fc.constantFrom('"signature":"x"', '\\', '\\"', '{"type":"thinking","signature":"t"}', '"redacted_thinking"', 'encrypted_content', '[{', '}]'));
  const seal = fc.string({ minLength: 1 });
  // Each item with the seal it should have: what a parser and a loop would find.
  const itemOf = (format: FormatName) => fc.oneof(
    seal.map((text) => ({ item: sealedBy[format](text), seal: text })),
    nasty.map((text) => ({ item: plain[format](text), seal: null })),
    fc.tuple(nasty, nasty).map(([name, text]) => ({ item: { type: 'tool_use', input: { [name]: text, signature: text, deep: [{ data: text }] } }, seal: null })),
  );
  it.each(FORMAT_NAMES)('of %s: the seal found from the end is that of the last sealed item', (format) => {
    fc.assert(fc.property(fc.array(itemOf(format), { maxLength: 8 }), fc.constantFrom(0, 1), (entries, indent) => {
      const body = JSON.stringify(history[format](entries.map(({ item }) => item)), null, indent);
      expect(lastSeal(format, body)).toBe(entries.findLast((entry) => entry.seal !== null)?.seal ?? null);
    }), { numRuns: 1_000 });
  });
});
