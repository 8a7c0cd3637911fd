import { asText, type JsonObject } from '../value.ts';

/** The seal of an item: encrypted reasoning, or a compacted history, which is sealed in the same way. */
export function itemSeal(item: JsonObject): string | null {
  return item['type'] === 'reasoning' || item['type'] === 'compaction' ? asText(item['encrypted_content']) : null;
}

/** Sealed items of Responses, in requests and whole answers. */
export const RESPONSES_SEALS = { marks: ['"encrypted_content"'], members: ['type', 'encrypted_content'], sealOf: itemSeal } as const;
