// One decoder for all: without `stream` it keeps nothing between calls. It drops a leading byte order mark by itself.
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Longest message that is kept of an upstream's words, bytes (SPEC 4.8). */
export const MAX_MESSAGE_BYTES = 2_048;

/** UTF-8 to text; wrong bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Text to UTF-8. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text cut to `maxBytes` of UTF-8, between characters. */
export function clipText(text: string, maxBytes: number = MAX_MESSAGE_BYTES): string {
  // A UTF-16 unit never takes more than three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
