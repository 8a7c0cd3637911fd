import { parseJson } from '../../../../shared/json.ts';
import type { JsonCursor } from './json-cursor.ts';
import { decodeText } from './text.ts';

/** Where a value stands, first byte and the one after its last. */
export interface Span { readonly startByte: number; readonly endByte: number }

/** Told of a member: where its name stands (quotes included), the first byte of its value, and where the value stands. */
export type MemberVisit = (name: Span, first: number | undefined, value: Span) => void;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Takes the object that begins here and visits its own members in order; false when it is none. */
export function walkMembers(cursor: JsonCursor, visit: MemberVisit): boolean {
  return walkItems(cursor, OPEN_BRACE, CLOSE_BRACE, () => {
    cursor.next();
    const nameStart = cursor.at();
    const nameEnd = cursor.text();
    if (nameEnd === -1 || cursor.next() !== COLON) return false;
    cursor.skip();
    const first = cursor.next();
    const startByte = cursor.at();
    if (!cursor.value()) return false;
    visit({ startByte: nameStart, endByte: nameEnd }, first, { startByte, endByte: cursor.at() });
    return true;
  });
}

/** Takes the array that begins here and visits its elements in order; false when it is none. */
export function walkElements(cursor: JsonCursor, visit: (element: Span) => void): boolean {
  return walkItems(cursor, OPEN_BRACKET, CLOSE_BRACKET, () => {
    cursor.next();
    const startByte = cursor.at();
    if (!cursor.value()) return false;
    visit({ startByte, endByte: cursor.at() });
    return true;
  });
}

function walkItems(cursor: JsonCursor, opener: number, closer: number, takeItem: () => boolean): boolean {
  if (cursor.next() !== opener) return false;
  cursor.skip();
  if (cursor.next() === closer) {
    cursor.skip();
    return true;
  }
  for (;;) {
    if (!takeItem()) return false;
    const separator = cursor.next();
    if (separator !== COMMA && separator !== closer) return false;
    cursor.skip();
    if (separator === closer) return true;
  }
}

/** The value that stands there; undefined when it is no JSON. */
export function valueIn(body: Uint8Array, span: Span): unknown {
  return parseJson(decodeText(body.subarray(span.startByte, span.endByte)));
}
