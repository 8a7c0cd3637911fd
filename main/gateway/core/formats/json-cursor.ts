import { createTextWalk } from './json-text.ts';

/** Walks over JSON in bytes and checks its grammar. Blanks are passed over where they may stand. */
export interface JsonCursor {
  at(): number;
  atEnd(): boolean;
  /** The next byte that is not blank, not taken yet; undefined at the end. */
  next(): number | undefined;
  /** Takes one byte. */
  skip(): void;
  /** Takes the text that begins here and gives the byte after its closing quote; -1 when it is none. */
  text(): number;
  /** Takes one value of any kind and depth; false when there is none. */
  value(): boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

const WORDS = ['true', 'false', 'null'].map((word) => Array.from(word, (letter) => letter.charCodeAt(0)));

/** A cursor at the first byte. Nesting costs one byte a level and no stack. */
export function createJsonCursor(bytes: Uint8Array): JsonCursor {
  const walkText = createTextWalk(bytes);
  let at = 0;
  let levels = new Uint8Array(64);

  const next = (): number | undefined => {
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      at += 1;
      byte = bytes[at];
    }
    return byte;
  };

  const text = (): number => {
    const end = walkText(at);
    if (end !== -1) at = end;
    return end;
  };

  const digits = (): boolean => {
    const from = at;
    for (let byte = bytes[at]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = bytes[at]) at += 1;
    return at > from;
  };

  const number = (): boolean => {
    if (bytes[at] === MINUS) at += 1;
    if (bytes[at] === ZERO) at += 1;
    else if (!digits()) return false;
    if (bytes[at] === POINT) {
      at += 1;
      if (!digits()) return false;
    }
    if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return true;
    at += 1;
    if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
    return digits();
  };

  const word = (): boolean => {
    const found = WORDS.find((letters) => letters.every((letter, offset) => bytes[at + offset] === letter));
    at += found?.length ?? 0;
    return found !== undefined;
  };

  const scalar = (first: number | undefined): boolean => {
    if (first === QUOTE) return text() !== -1;
    return first === MINUS || (first !== undefined && first >= ZERO && first <= NINE) ? number() : word();
  };

  /** Takes a member's name and its colon. */
  const name = (): boolean => {
    if (next() !== QUOTE || text() === -1 || next() !== COLON) return false;
    at += 1;
    return true;
  };

  const enter = (closer: number, depth: number): void => {
    if (depth === levels.length) {
      const grown = new Uint8Array(2 * depth);
      grown.set(levels);
      levels = grown;
    }
    levels[depth] = closer;
    at += 1;
  };

  const value = (): boolean => {
    let depth = 0;
    for (;;) {
      const first = next();
      const closer = first === OPEN_BRACE ? CLOSE_BRACE : first === OPEN_BRACKET ? CLOSE_BRACKET : null;
      if (closer !== null) {
        enter(closer, depth);
        depth += 1;
        if (next() !== closer) {
          if (closer === CLOSE_BRACE && !name()) return false;
          continue;
        }
      } else if (!scalar(first)) return false;
      // A value is complete, or an empty object or array waits to be closed.
      for (;;) {
        if (depth === 0) return true;
        const separator = next();
        const open = levels[depth - 1];
        if (separator === COMMA) break;
        if (separator !== open) return false;
        at += 1;
        depth -= 1;
      }
      at += 1;
      if (levels[depth - 1] === CLOSE_BRACE && !name()) return false;
    }
  };

  return {
    at: () => at,
    atEnd: () => at >= bytes.length,
    next,
    skip: () => {
      at += 1;
    },
    text,
    value,
  };
}
