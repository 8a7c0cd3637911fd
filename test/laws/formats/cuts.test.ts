import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCuts, byteByByte, cutAt, saidOf } from '../../support/cuts.ts';
import { WIRE_FIXTURES } from '../../support/wire-fixtures.ts';

// Law 6 of DESIGN 8: what a reader says does not depend on where the bytes are cut, and content never turns back into opening.
//
// Planted bugs these tests were seen to catch: a CR at the end of a chunk taken for a whole line end; the state of a line not carried into the next chunk;
// an array splitter that forgot a backslash at the end of a chunk; labels after content left as the kind says.

const STREAMS = WIRE_FIXTURES.filter(({ kind }) => kind === 'stream');

/** Comparing a short text is many times faster than comparing values, and this runs a hundred thousand times. */
function inShort({ events, facts, ended, position }: ReturnType<typeof saidOf>): string {
  let text = `${facts.model} ${facts.finishReason} ${facts.seal} ${facts.usage?.input} ${facts.usage?.output} ${ended} ${position.events} ${position.sequence} ${position.responseId}`;
  for (const { label, startByte, endByte, error, terminal } of events) text += `|${label} ${startByte} ${endByte} ${error?.class} ${error?.code} ${error?.hintMs} ${terminal}`;
  return text;
}

describe('a recorded stream is read the same', () => {
  it('cut at every single byte', () => {
    for (const { file, format, framing, bytes } of STREAMS) {
      const whole = saidOf(format, framing, [bytes]);
      const wholeInShort = inShort(whole);
      for (let at = 1; at < bytes.length; at += 1) {
        const cut = saidOf(format, framing, cutAt(bytes, [at]));
        if (inShort(cut) !== wholeInShort) expect({ file, at, ...cut }).toEqual({ file, at, ...whole });
      }
    }
  });

  it('byte by byte', () => {
    for (const { file, format, framing, bytes } of STREAMS) expect({ file, ...saidOf(format, framing, byteByByte(bytes)) }).toEqual({ file, ...saidOf(format, framing, [bytes]) });
  });

  it('cut at any pair of places, and at many', () => {
    fc.assert(fc.property(fc.constantFrom(...STREAMS), anyCuts, ({ format, framing, bytes }, offsets) => {
      expect(saidOf(format, framing, cutAt(bytes, offsets))).toEqual(saidOf(format, framing, [bytes]));
    }), { numRuns: 3_000 });
  });

  it('with every kind of line end', () => {
    for (const { file, format, framing, bytes } of STREAMS.filter((fixture) => fixture.framing === 'sse')) {
      const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
      const labels = (lineEnd: string) => saidOf(format, framing, [new TextEncoder().encode(text.replaceAll('\n', lineEnd))]).events.map(({ label }) => label);
      // A text cut inside its last line end is another text after this.
      if (file.includes('truncated')) continue;
      expect({ file, labels: labels('\r\n') }).toEqual({ file, labels: labels('\n') });
      expect({ file, labels: labels('\r') }).toEqual({ file, labels: labels('\n') });
    }
  });
});

describe('what a reader says of a recorded stream', () => {
  it('covers it from the first byte on without a gap, each event beginning where the last one ended', () => {
    for (const { format, framing, bytes } of STREAMS) {
      let end = 0;
      for (const event of saidOf(format, framing, [bytes]).events) {
        expect(event.startByte).toBe(end);
        expect(event.endByte).toBeGreaterThan(event.startByte);
        end = event.endByte;
      }
      expect(end).toBeLessThanOrEqual(bytes.length);
    }
  });

  it('never goes back to opening after content', () => {
    for (const { file, format, framing, bytes } of STREAMS) {
      const labels = saidOf(format, framing, [bytes]).events.map(({ label }) => label);
      const first = labels.indexOf('content');
      if (first !== -1) expect({ file, opening: labels.indexOf('opening', first) }).toEqual({ file, opening: -1 });
    }
  });
});
