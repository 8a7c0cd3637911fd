// Kept bodies set in lines, and the words of an answer (UI.md, detail drawer; SPEC 12.4).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyLines, eventsOf, jsonLines, rawLines } from '../../renderer/requests/body-lines.ts';
import { wordsOf } from '../../renderer/requests/body-words.ts';

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;

describe('a body in lines', () => {
  it('sets JSON with indents and changes nothing of what it says', () => {
    expect(jsonLines('{"a":1.50,"b":[ ],"c":{"d":"x, {y}: \\"z\\""},"e":[1,true]}')).toEqual(['{', '  "a": 1.50,', '  "b": [],', '  "c": {', '    "d": "x, {y}: \\"z\\""', '  },', '  "e": [', '    1,', '    true', '  ]', '}']);
    fc.assert(fc.property(fc.json({ maxDepth: 4 }).filter((text) => /^[{[]/.test(text)), (text) => {
      expect(JSON.parse(jsonLines(text).join('\n'))).toEqual(JSON.parse(text));
    }));
  });

  it('reads as far as it goes when it is cut off anywhere', () => {
    const text = '{"a":{"b":"long string","c":[1,2,{"d":null}]}}';
    for (let end = 1; end < text.length; end++) expect(jsonLines(text.slice(0, end)).join('').replaceAll(/\s/g, '')).toBe(text.slice(0, end).replaceAll(/\s/g, ''));
  });

  it('shows the events of a stream by name, each with its data', () => {
    const { kind, lines } = bodyLines(`: comment\n\n${event('ping', {})}data: [DONE]\n\n`);
    expect(kind).toBe('events');
    expect(lines).toEqual(['ping', '  {', '    "type": "ping"', '  }', 'data', '  [DONE]']);
    expect(eventsOf('data: a\r\ndata: b\r\n\r\nevent: x\r\n\r\n')).toEqual([{ name: null, data: 'a\nb' }, { name: 'x', data: '' }]);
  });

  it('leaves everything else as it stands', () => {
    expect(bodyLines('<html>\r\nhi')).toEqual({ kind: 'text', lines: ['<html>', 'hi'] });
  });

  it('draws no endless line, and stays bounded in depth and in time', () => {
    const long = rawLines('x'.repeat(262_144));
    expect(Math.max(...long.map((line) => line.length))).toBeLessThanOrEqual(242);
    expect(long.join('').replaceAll('↪ ', '')).toHaveLength(262_144);
    const deep = bodyLines('['.repeat(262_144));
    expect(deep.lines.join('').length).toBeLessThan(262_144 * 60);
  });
});

describe('the words of an answer', () => {
  it.each([
    ['anthropic', event('message_start', {}) + event('content_block_delta', { delta: { type: 'text_delta', text: 'he' } }) + event('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'no' } }) + event('content_block_delta', { delta: { type: 'text_delta', text: 'llo' } })],
    ['chat', 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\ndata: {"choices":[{"delta":{"content":"hello"}}]}\n\ndata: [DONE]\n\n'],
    ['responses', event('response.created', {}) + event('response.output_text.delta', { delta: 'hel' }) + event('response.output_text.delta', { delta: 'lo' }) + event('response.output_text.done', { text: 'hello' })],
    ['gemini', 'data: {"candidates":[{"content":{"parts":[{"text":"thoughts","thought":true},{"text":"hello"}]}}]}\n\n'],
    ['gemini as an array', '[{"candidates":[{"content":{"parts":[{"text":"hel"}]}}]},\n{"candidates":[{"content":{"parts":[{"text":"lo"}]}}]}]'],
    ['anthropic, whole', '{"type":"message","content":[{"type":"text","text":"hello"},{"type":"tool_use","input":{}}]}'],
    ['chat, whole', '{"choices":[{"message":{"content":"hello"}}]}'],
    ['responses, whole', '{"output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"hello"}]}]}'],
    ['gemini, whole', '{"candidates":[{"content":{"parts":[{"text":"hello"}]}}]}'],
  ])('are put together of %s', (_, body) => { expect(wordsOf(body)).toBe('hello'); });

  it.each(['', 'plain', '{"error":{"message":"x"}}', '{"cut', 'data: {"cut'])('are none in %j', (body) => { expect(wordsOf(body)).toBe(''); });
});
