const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LOWER_U = 0x75;

/** One byte repeated in a word of four. */
const EACH = 0x01010101;
const BACKSLASHES = BACKSLASH * EACH;
/** With this bit turned over a quote comes next to the control characters, and nothing else comes there. */
const QUOTE_BITS = (QUOTE ^ FIRST_PRINTABLE) * EACH;
const FIRST_ORDINARY = (FIRST_PRINTABLE + 1) * EACH;
const TOP_BITS = 0x80808080 | 0;

/** The letters that may follow a backslash, but `u`: 1 each. */
const SHORT_ESCAPE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') SHORT_ESCAPE[letter.charCodeAt(0)] = 1;

/**
 * Takes the JSON text that begins at a byte: gives the byte after its closing quote, or -1 when it is no text (not closed, a control character, a wrong escape).
 * Looks at four bytes at a time: requests are long texts for the most part, and each byte of them passes here while every other exchange waits.
 */
export function createTextWalk(bytes: Uint8Array): (startByte: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastWord = bytes.length - 4;

  /** The first byte from here on that is a quote, a backslash or a control character; may stop up to three bytes early at the end of all. */
  const passOrdinary = (from: number): number => {
    let at = from;
    while (at <= lastWord) {
      const word = view.getInt32(at, true);
      const turned = word ^ QUOTE_BITS;
      const backslash = word ^ BACKSLASHES;
      // The top bit of a byte is set by the difference when that byte is zero (or below the limit), and in no ordinary word.
      const marks = (((turned - FIRST_ORDINARY) & ~turned) | ((backslash - EACH) & ~backslash)) & TOP_BITS;
      // Marks above the lowest one may be borrowed from it; the lowest one is true.
      if (marks !== 0) return at + ((31 - Math.clz32(marks & -marks)) >> 3);
      at += 4;
    }
    return at;
  };

  return (startByte) => {
    if (bytes[startByte] !== QUOTE) return -1;
    let at = passOrdinary(startByte + 1);
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) {
        const length = escapeLength(bytes, at);
        if (length === 0) return -1;
        at = passOrdinary(at + length);
      } else if (byte === undefined || byte < FIRST_PRINTABLE) return -1;
      else at += 1;
    }
  };
}

/** Bytes of the escape sequence at a backslash, 0 when it is none. */
function escapeLength(bytes: Uint8Array, at: number): number {
  if (SHORT_ESCAPE[bytes[at + 1] ?? 0] === 1) return 2;
  if (bytes[at + 1] !== LOWER_U) return 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHex(bytes[digit])) return 0;
  return 6;
}

function isHex(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66));
}
