/** Index of the first byte that says what a body is: not blank, not a byte order mark; -1 when there is none (SPEC 4.9). `atStart`: the bytes begin the body. */
export function firstTellingByte(bytes: Uint8Array, atStart: boolean): number {
  let index = atStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (index < bytes.byteLength && isBlank(bytes[index] ?? 0)) index += 1;
  return index < bytes.byteLength ? index : -1;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** The first character that says what a body is: `<` a page, `{` or `[` JSON. */
export const PAGE = 0x3c;
export const JSON_OBJECT = 0x7b;
export const JSON_ARRAY = 0x5b;
