import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventLabel } from '../../../main/gateway/core/wire-format.ts';
import { anyCuts, cutAt, saidOf } from '../../support/cuts.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

// SPEC 5.3, wire formats 2. Planted bugs seen here: `data` values joined without LF; `database:` taken for `data`; a comment that ended the event; a CRLF counted as
// two line ends; a lone CR at the end of a chunk whose block was cut too late; an array splitter that ignored backslashes, or nested brackets.

/** A block of lines and what a reader of Chat has to make of it. */
interface Line { readonly text: string; readonly data: string | null }
const line = fc.oneof(
  fc.constantFrom<Line>({ text: ': comment', data: null }, { text: ':', data: null }, { text: 'id: 7', data: null }, { text: 'retry: 3000', data: null }, { text: 'database: {', data: null }, { text: 'event: x', data: null }, { text: 'unknown', data: null }),
  fc.constantFrom('{"choices":[{"delta":{"content":"a"}}]}', '{"choices":[{"delta":{"content":""}}]}', '{"choices":', '{"choices":[{"delta":{"content":" 世\u{1F324}"}}]}', '[]', '', ' ', ': keep', '[DONE]', 'x')
    .chain((value) => fc.constantFrom<Line>({ text: `data: ${value}`, data: value }, { text: `data:${value.startsWith(' ') ? ` ${value}` : value}`, data: value })),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const stream = fc.array(fc.record({ lines: fc.array(line, { maxLength: 4 }), ends: fc.array(lineEnd, { minLength: 5, maxLength: 5 }) }), { maxLength: 8 });

/** What the standard says is dispatched, told by a reader of its own that sees the whole text at once. */
function dispatched(text: string): readonly string[] {
  const found: string[] = [];
  let data: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  // What follows the last line end is no line yet unless it says something.
  if (lines.at(-1) === '') lines.pop();
  for (const each of lines) {
    if (each === '') {
      if (data.length > 0) found.push(data.join('\n'));
      data = [];
    } else if (each === 'data' || each.startsWith('data:')) data.push(each.slice(5).replace(/^ /, ''));
  }
  // SPEC 5.3: a last event without its empty line counts if it parses.
  const rest = data.join('\n');
  return data.length > 0 && labelOfChat(rest, false) !== 'heartbeat' ? [...found, rest] : found;
}

function labelOfChat(data: string, content: boolean): EventLabel {
  if (data.trim() === '') return 'heartbeat';
  if (data.trim() === '[DONE]') return content ? 'end' : 'opening';
  // After content an event that names no facts is not parsed.
  if (content && data.startsWith('{')) return 'content';
  try {
    const chunk = JSON.parse(data) as { choices: { delta: { content: string } }[] } | unknown[];
    if (Array.isArray(chunk)) return 'heartbeat';
    return content || chunk.choices.some(({ delta }) => delta.content !== '') ? 'content' : 'opening';
  } catch {
    return 'heartbeat';
  }
}

describe('server-sent events', () => {
  it('are those of the standard, with any line ends, comments and cuts', () => {
    fc.assert(fc.property(stream, anyCuts, fc.boolean(), (blocks, cuts, bom) => {
      const text = (bom ? '\uFEFF' : '') + blocks.map(({ lines, ends }) => `${lines.map((each, index) => each.text + ends[index]!).join('')}${ends[4]!}`).join('');
      const bytes = bytesOf(text);
      const said = saidOf('chat', 'sse', cutAt(bytes, cuts)).events;
      let content = false;
      const expected = dispatched(text).map((data) => {
        const label = labelOfChat(data, content);
        content ||= label === 'content';
        return label;
      }).filter((label) => label !== 'heartbeat');
      expect(said.map(({ label }) => label).filter((label) => label !== 'heartbeat')).toEqual(expected);
    }), { numRuns: 3_000 });
  });
});

describe('elements of an array', () => {
  const element = fc.record({ text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('}', '{"', '\\', '\\"', '],[{', '"}]')), nested: fc.jsonValue({ maxDepth: 3 }), indent: fc.constantFrom(0, 2) });
  const gap = fc.constantFrom(',', ' , ', ',\r\n', '\n,\n');

  it('end at their closing brace, whatever stands in their texts, with any blanks and cuts', () => {
    fc.assert(fc.property(fc.array(fc.tuple(element, gap), { maxLength: 6 }), anyCuts, (elements, cuts) => {
      let text = ' [';
      const ends = elements.map(([{ text: shown, nested, indent }, before], index) => {
        text += (index === 0 ? '' : before) + JSON.stringify({ candidates: [{ content: { parts: [{ text: shown }] } }], other: { nested } }, null, indent);
        return bytesOf(text).length;
      });
      text += '\r\n]';
      const bytes = bytesOf(text);
      const said = saidOf('gemini', 'json_array', cutAt(bytes, cuts));
      expect(said.events.map(({ endByte }) => endByte)).toEqual([...ends, bytes.length]);
      expect(said.position.events).toBe(elements.length);
      const shown = elements.findIndex(([{ text: value }]) => value !== '');
      expect(said.events.findIndex(({ label }) => label === 'content')).toBe(shown);
    }), { numRuns: 2_000 });
  });
});
