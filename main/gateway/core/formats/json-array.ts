import { MAX_EVENT_BYTES } from '../wire-format.ts';
import { type Block, createBlockBuffer, type Splitter } from './block.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Cuts a JSON array at the closing brace of each element: separators and white space ahead of an element belong to it, so that a cut is always clean (wire formats 6).
 * An object that stands there without an array around it is an element too. The bracket that closes the array is a block of its own.
 */
export function createArraySplitter(): Splitter {
  const block = createBlockBuffer();
  let blockStart = 0;
  let received = 0;
  let arrayOpen = false;
  let depth = 0;
  let inText = false;
  let escaped = false;

  const endBlock = (bytes: Uint8Array, terminated: boolean, closing: boolean): Block => {
    blockStart += block.length + bytes.length;
    return { endByte: blockStart, terminated, closing, ...block.end(bytes) };
  };

  /** What a byte outside texts does; true when a block ends with it. */
  const step = (byte: number | undefined): boolean => {
    if (byte === OPEN_BRACE) depth += 1;
    else if (byte === OPEN_BRACKET) {
      if (depth === 0 && !arrayOpen) arrayOpen = true;
      else depth += 1;
    } else if (byte === CLOSE_BRACE) {
      if (depth === 0) return false;
      depth -= 1;
      return depth === 0;
    } else if (byte === CLOSE_BRACKET) {
      if (depth === 0) return arrayOpen;
      depth -= 1;
    } else if (byte === QUOTE) inText = true;
    return false;
  };

  return {
    push(chunk) {
      const blocks: Block[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at];
        if (inText) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) inText = false;
        } else if (step(byte)) {
          blocks.push(endBlock(chunk.subarray(from, at + 1), true, byte === CLOSE_BRACKET));
          from = at + 1;
        }
      }
      if (from < chunk.length) block.append(chunk.subarray(from));
      received += chunk.length;
      return blocks;
    },
    // An element that the stream's end cut off is no event: nothing to tell but its bytes.
    finish: () => (block.length === 0 ? null : endBlock(new Uint8Array(0), false, false)),
    pendingBytes: () => received - blockStart,
    oversized: () => block.length > MAX_EVENT_BYTES,
  };
}
