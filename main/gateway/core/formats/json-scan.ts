import type { RequestScan } from '../wire-format.ts';
import { createJsonCursor } from './json-cursor.ts';
import { type Span, valueIn, walkMembers } from './json-members.ts';

/** The body is no JSON object: what is wrong and at which byte, in words that may follow a colon. */
export interface ScanFault { readonly fault: string }

/** The longest name we look for is no longer than this, even with every letter escaped. */
const LONGEST_NAME_BYTES = 6 * 'prompt_cache_key'.length + 2;

const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;
const LOWER_T = 0x74;

interface Found { model: Span | null; cacheKey: Span | null; stream: boolean }

/**
 * Reads what the gateway must know of a request from the top level of its body, and checks on the way that the body is JSON (SPEC 1.6). One pass, nothing built: far
 * cheaper than parsing. Of a name that comes twice the last one counts, as for every parser behind us. Any depth of nesting is fine.
 */
export function scanRequest(body: Uint8Array): RequestScan | ScanFault {
  const cursor = createJsonCursor(body);
  const first = cursor.next();
  if (first === undefined) return { fault: 'it is empty' };
  if (first !== OPEN_BRACE) return { fault: `an object should begin at byte ${cursor.at()}` };
  const found: Found = { model: null, cacheKey: null, stream: false };
  const isObject = walkMembers(cursor, (name, opening, value) => {
    if (name.endByte - name.startByte <= LONGEST_NAME_BYTES) note(found, textIn(body, name), opening, value);
  });
  if (!isObject) return { fault: cursor.atEnd() ? `it ends too early, at byte ${cursor.at()}` : `byte ${cursor.at()} does not belong there` };
  if (cursor.next() !== undefined) return { fault: `something follows the object at byte ${cursor.at()}` };
  return { model: textIn(body, found.model), modelSpan: found.model, stream: found.stream, cacheKey: textIn(body, found.cacheKey) };
}

function note(found: Found, name: string | null, first: number | undefined, span: Span): void {
  const text = first === QUOTE ? span : null;
  if (name === 'model') found.model = text;
  else if (name === 'prompt_cache_key') found.cacheKey = text;
  else if (name === 'stream') found.stream = first === LOWER_T;
}

function textIn(body: Uint8Array, span: Span | null): string | null {
  const value = span === null ? null : valueIn(body, span);
  return typeof value === 'string' ? value : null;
}
