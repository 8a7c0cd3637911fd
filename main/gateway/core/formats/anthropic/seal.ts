import { asText, type JsonObject } from '../value.ts';

/** The seal of a content block: the signature of thinking, or thinking that is sealed whole. */
export function blockSeal(block: JsonObject): string | null {
  if (block['type'] === 'thinking') return asText(block['signature']);
  return block['type'] === 'redacted_thinking' ? asText(block['data']) : null;
}

/** Sealed blocks of Messages, in requests and whole answers. */
export const ANTHROPIC_SEALS = { marks: ['"signature"', '"redacted_thinking"'], members: ['type', 'signature', 'data'], sealOf: blockSeal } as const;
