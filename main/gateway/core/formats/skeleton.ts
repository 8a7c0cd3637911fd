import { createByteBuffer } from '../byte-buffer.ts';
import { decodeText } from './text.ts';

/** Texts inside an oversized event are cut to about this many bytes: enough for names, models and codes. */
const KEPT_TEXT_BYTES = 256;
/** A skeleton that grows beyond this is given up: memory per stream stays bounded (SPEC 6.5). */
const MAX_SKELETON_BYTES = 1_048_576;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const LOWER_U = 0x75;
const AFTER_BACKSLASH = -1;
const TELLING = [QUOTE, BACKSLASH, LF, CR] as const;

/** Reads an event of any length and keeps its JSON with the long texts (images, mostly) cut short. */
export interface Skeleton {
  push(bytes: Uint8Array): void;
  /** The event with its long texts cut: still JSON when the event was. Null when even that was too large. */
  text(): string | null;
}

/** Finds the next byte at or after a place that means something inside a text, or the end. Each kind is looked for again only when it has been passed: one search in all. */
function createSearch(bytes: Uint8Array): (from: number) => number {
  const places = TELLING.map(() => -1);
  return (from) => {
    let nearest = bytes.length;
    for (let kind = 0; kind < TELLING.length; kind += 1) {
      let place = places[kind] ?? -1;
      if (place < from) {
        const found = bytes.indexOf(TELLING[kind] ?? QUOTE, from);
        places[kind] = place = found < 0 ? bytes.length : found;
      }
      if (place < nearest) nearest = place;
    }
    return nearest;
  };
}

/** An empty skeleton. One pass over the bytes, whatever the chunks. */
export function createSkeleton(): Skeleton {
  const kept = createByteBuffer();
  let overflowed = false;
  let inText = false;
  let textBytes = 0;
  let cutting = false;
  /** Bytes that still belong to an escape sequence, `AFTER_BACKSLASH` when that is not known yet: a text is never cut inside one. */
  let escapeLeft = 0;

  const keep = (bytes: Uint8Array): void => {
    if (overflowed) return;
    if (kept.length + bytes.length > MAX_SKELETON_BYTES) {
      overflowed = true;
      kept.clear();
    } else if (bytes.length > 0) kept.append(bytes);
  };

  return {
    push(bytes) {
      const next = createSearch(bytes);
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        // What is cut away is images for the most part: megabytes without a byte that means anything.
        if (cutting && escapeLeft === 0) at = next(at);
        const byte = bytes[at];
        if (byte === undefined) break;
        // A line end cannot stand inside a JSON text: a stray quote in a comment line ends with its line.
        if (byte === LF || byte === CR) {
          if (cutting) from = at;
          inText = cutting = false;
          escapeLeft = 0;
        } else if (!inText) {
          if (byte === QUOTE) {
            inText = true;
            textBytes = 0;
          }
        } else if (escapeLeft !== 0) {
          if (escapeLeft === AFTER_BACKSLASH) escapeLeft = byte === LOWER_U ? 4 : 0;
          else escapeLeft -= 1;
          textBytes += 1;
        } else if (byte === QUOTE) {
          if (cutting) from = at;
          inText = cutting = false;
        } else {
          if (!cutting && textBytes >= KEPT_TEXT_BYTES) {
            keep(bytes.subarray(from, at));
            cutting = true;
          }
          if (byte === BACKSLASH) escapeLeft = AFTER_BACKSLASH;
          textBytes += 1;
        }
      }
      if (!cutting) keep(bytes.subarray(from));
    },
    text: () => (overflowed ? null : decodeText(kept.view())),
  };
}
