import { createJsonCursor } from './json-cursor.ts';
import { valueIn, walkMembers } from './json-members.ts';
import { encodeText } from './text.ts';
import type { JsonObject } from './value.ts';

/** How sealed items look in one format. */
export interface SealedItems {
  /** Texts, quotes included, at least one of which stands directly in every sealed item, as a name or as a value. */
  readonly marks: readonly string[];
  /** Members that `sealOf` looks at; only their texts are read. */
  readonly members: readonly string[];
  /** The seal of an item, null when it is not sealed. */
  sealOf(item: JsonObject): string | null;
}

const LONGEST_NAME_BYTES = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The seal of the last sealed item in a JSON body, or null. Sealed items are elements of arrays in all formats. The body is searched for marks from its end, and only what
 * stands around a mark is read: the newest part of a conversation decides, and of a long one the rest is never looked at. The body must be valid JSON.
 */
export function lastSeal(body: Uint8Array, items: SealedItems): string | null {
  const searches = searchesFor(items);
  const hits = searches.map((search) => search(body, body.length));
  // What looks like sealed items and is none, one inside the other, must not make this quadratic.
  let bytesLeft = 2 * body.length;
  for (;;) {
    const hit = Math.max(...hits);
    if (hit === -1 || bytesLeft < 0) return null;
    if (!isEscaped(body, hit)) {
      const startByte = enclosingObject(body, hit);
      bytesLeft -= hit - startByte;
      if (isElement(body, startByte)) {
        const read = readItem(body, startByte, items);
        bytesLeft -= read.bytes;
        if (read.seal !== null) return read.seal;
      }
    }
    hits.forEach((one, index) => { if (one === hit) hits[index] = searches[index]?.(body, hit) ?? -1; });
  }
}

function readItem(body: Uint8Array, startByte: number, items: SealedItems): { readonly seal: string | null; readonly bytes: number } {
  const object = body.subarray(startByte);
  const cursor = createJsonCursor(object);
  const found: Record<string, unknown> = {};
  const isObject = walkMembers(cursor, (name, first, value) => {
    const known = first === QUOTE && name.endByte - name.startByte <= LONGEST_NAME_BYTES ? valueIn(object, name) : null;
    if (typeof known === 'string' && items.members.includes(known)) found[known] = valueIn(object, value);
  });
  return { seal: isObject ? items.sealOf(found) : null, bytes: cursor.at() };
}

/** Finds the last place before a byte where a needle stands whole, -1 when there is none. */
type Search = (body: Uint8Array, beforeByte: number) => number;

// Every answer is searched, and making the tables would cost more than a short search. An entry goes with its items.
const madeSearches = new WeakMap<SealedItems, readonly Search[]>();

function searchesFor(items: SealedItems): readonly Search[] {
  let searches = madeSearches.get(items);
  if (searches === undefined) {
    searches = items.marks.map((mark) => createSearch(encodeText(mark)));
    madeSearches.set(items, searches);
  }
  return searches;
}

/** Horspool's search, from the end. */
function createSearch(needle: Uint8Array): Search {
  // How far to step left when this byte stands at the left end of the window.
  const steps = new Uint8Array(256).fill(needle.length);
  for (let at = needle.length - 1; at > 0; at -= 1) steps[needle[at] ?? 0] = at;
  return (body, beforeByte) => {
    let at = beforeByte - needle.length;
    while (at >= 0 && !standsAt(body, at, needle)) at -= steps[body[at] ?? 0] ?? 1;
    return at < 0 ? -1 : at;
  };
}

function standsAt(body: Uint8Array, at: number, needle: Uint8Array): boolean {
  for (let offset = 0; offset < needle.length; offset += 1) if (body[at + offset] !== needle[offset]) return false;
  return true;
}

/** Whether the quote at this byte belongs to a text. */
function isEscaped(body: Uint8Array, at: number): boolean {
  let from = at;
  while (body[from - 1] === BACKSLASH) from -= 1;
  return (at - from) % 2 === 1;
}

/** Where the object begins in which the text at this byte stands directly; -1 when it stands in an array. */
function enclosingObject(body: Uint8Array, textAt: number): number {
  let depth = 0;
  for (let at = textAt - 1; at >= 0; at -= 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      at -= 1;
      while (at >= 0 && (body[at] !== QUOTE || isEscaped(body, at))) at -= 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === 0) return byte === OPEN_BRACE ? at : -1;
      depth -= 1;
    }
  }
  return -1;
}

/** Whether the object at this byte is an element of an array: in an object a name would stand before it. */
function isElement(body: Uint8Array, objectAt: number): boolean {
  let at = objectAt - 1;
  while (at >= 0 && (body[at] ?? 0) <= 0x20) at -= 1;
  return body[at] === OPEN_BRACKET || body[at] === COMMA;
}
