import { parseJson } from '../../../../shared/json.ts';
import type { WholeReading } from '../wire-format.ts';
import { lastSeal, type SealedItems } from './last-sealed.ts';
import { createSkeleton } from './skeleton.ts';
import { withSeal } from './stream.ts';
import { decodeText } from './text.ts';

/** Larger answers are read by their skeleton: parsing megabytes of an image would hold up every stream. */
const PARSED_WHOLE_BYTES = 262_144;

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Judges a whole answer by its first byte that is not blank (SPEC 4.9), then lets the format read its JSON. The seal is taken from the bytes: a skeleton has only the beginning of it. */
export function readWholeAnswer(body: Uint8Array, read: (value: unknown) => WholeReading, seals: SealedItems): WholeReading {
  const first = body[firstByte(body)];
  if (first === undefined) return { kind: 'empty' };
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return { kind: 'invalid' };
  const value = parseJson(textOf(body));
  if (value === undefined) return { kind: 'invalid' };
  const reading = read(value);
  return reading.kind === 'answer' ? { kind: 'answer', facts: withSeal(reading.facts, lastSeal(body, seals)) } : reading;
}

/** Where the first byte stands that is neither blank nor part of a byte order mark. */
function firstByte(body: Uint8Array): number {
  let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (BLANKS.has(body[at] ?? -1)) at += 1;
  return at;
}

function textOf(body: Uint8Array): string {
  if (body.length <= PARSED_WHOLE_BYTES) return decodeText(body);
  const skeleton = createSkeleton();
  skeleton.push(body);
  return skeleton.text() ?? decodeText(body);
}
