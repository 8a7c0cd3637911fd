import { asText, type JsonObject } from '../value.ts';

/** What Google tells clients to send where they have no signature: made by nobody. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']);

/** The seal of a part: its thought signature. */
export function partSeal(part: JsonObject): string | null {
  const seal = asText(part['thoughtSignature']) ?? asText(part['thought_signature']);
  return seal === null || PLACEHOLDERS.has(seal) ? null : seal;
}

/** Sealed parts of generateContent, in requests (which may spell names either way) and whole answers. */
export const GEMINI_SEALS = { marks: ['"thoughtSignature"', '"thought_signature"'], members: ['thoughtSignature', 'thought_signature'], sealOf: partSeal } as const;
