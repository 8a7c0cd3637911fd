import { describe, expect, it } from 'vitest';
import { conversationStart } from '../../../main/gateway/core/formats/conversation.ts';
import { FORMAT_NAMES, type FormatName } from '../../../shared/format.ts';

const startOf = (format: FormatName, body: object) => conversationStart(format, new TextEncoder().encode(JSON.stringify(body)));

/** A request of each format: instructions, then turns of user and model in turn. */
const request: Readonly<Record<FormatName, (told: string, ...said: readonly string[]) => object>> = {
  anthropic: (system, ...said) => ({ model: 'm', messages: said.map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content })), system }),
  chat: (system, ...said) => ({ messages: [{ role: 'system', content: system }, ...said.map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content }))], model: 'm' }),
  responses: (instructions, ...said) => ({ instructions, input: said.map((text, n) => ({ type: 'message', role: n % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'input_text', text }] })) }),
  gemini: (text, ...said) => ({ systemInstruction: { parts: [{ text }] }, contents: said.map((words, n) => ({ role: n % 2 === 0 ? 'user' : 'model', parts: [{ text: words }] })) }),
};

// SPEC 9.5
describe.each(FORMAT_NAMES)('what a conversation of %s begins with', (format) => {
  const ask = request[format];
  it('stays the same through its turns', () => {
    expect(startOf(format, ask('be kind', 'hi', 'yo', 'go on', 'ok', 'more'))).toBe(startOf(format, ask('be kind', 'hi')));
  });
  it('differs with the first message and with the instructions, and tells them apart', () => {
    const starts = [ask('be kind', 'hi'), ask('be kind', 'ho'), ask('be brief', 'hi'), ask('be kindhi', ''), ask('', 'be kindhi')].map((body) => startOf(format, body));
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts).not.toContain(null);
  });
  it('is null without a message of the user', () => {
    expect(startOf(format, ask('be kind'))).toBeNull();
    expect(startOf(format, {})).toBeNull();
  });
});

describe('what clients change on the way does not matter', () => {
  const cached = { cache_control: { type: 'ephemeral' } };
  it('cache marks move along with an Anthropic conversation, and texts get wrapped for them', () => {
    const bare = startOf('anthropic', { system: 'be kind', messages: [{ role: 'user', content: 'hi' }] });
    expect(startOf('anthropic', { system: [{ type: 'text', text: 'be kind', ...cached }], messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...cached }] }] })).toBe(bare);
    const image = { type: 'image', source: { type: 'url', url: 'u' } };
    expect(startOf('anthropic', { messages: [{ role: 'user', content: [{ ...image, ...cached }] }] })).toBe(startOf('anthropic', { messages: [{ role: 'user', content: [image] }] }));
    expect(startOf('anthropic', { messages: [{ role: 'user', content: [image] }] })).not.toBe(startOf('anthropic', { messages: [{ role: 'user', content: [{ ...image, source: 'v' }] }] }));
  });
  it('Responses takes a bare text; messages of the developer are instructions', () => {
    expect(startOf('responses', { input: 'hi' })).toBe(startOf('responses', { input: [{ role: 'user', content: 'hi' }] }));
    expect(startOf('responses', { input: [{ role: 'developer', content: 'be kind' }, { role: 'user', content: 'hi' }] })).toBe(startOf('responses', { instructions: 'be kind', input: 'hi' }));
  });
  it('Gemini leaves the role out and spells names in two ways', () => {
    expect(startOf('gemini', { contents: [{ parts: [{ text: 'hi' }] }], system_instruction: { parts: [{ text: 's' }] } }))
      .toBe(startOf('gemini', { systemInstruction: { parts: { text: 's' } }, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }));
  });
});
