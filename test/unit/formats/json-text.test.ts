import { expect, it } from 'vitest';
import { createTextWalk } from '../../../main/gateway/core/formats/json-text.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What the walk must say of a text of these two bytes among letters, looked at one by one. */
function endOf(bytes: Uint8Array, startByte: number): number {
  for (let at = startByte + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) continue;
    if (!'"\\/bfnrt'.includes(String.fromCharCode(bytes[at + 1]!))) return -1;
    at += 1;
  }
  return -1;
}

// SPEC 1.6: four bytes are looked at in one step, and no byte may be taken for another because of its neighbour.
it('ends a text where a look at each byte does, for every pair of bytes at every place of a word', () => {
  for (let lead = 0; lead < 4; lead += 1) {
    const bytes = new Uint8Array([QUOTE, ...new Uint8Array(lead).fill(0x61), 0, 0, 0x61, 0x61, 0x61, QUOTE, 0x61, 0x61]);
    const walk = createTextWalk(bytes);
    const wrong: number[][] = [];
    for (let first = 0; first < 256; first += 1) {
      for (let second = 0; second < 256; second += 1) {
        bytes[1 + lead] = first;
        bytes[2 + lead] = second;
        if (walk(0) !== endOf(bytes, 0)) wrong.push([first, second]);
      }
    }
    expect(wrong).toEqual([]);
  }
});
