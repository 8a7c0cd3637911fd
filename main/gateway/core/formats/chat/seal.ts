import { asText, type JsonObject } from '../value.ts';

/** The seal of a reasoning detail: encrypted reasoning, or the signature of a readable one. */
export function detailSeal(detail: JsonObject): string | null {
  if (detail['type'] === 'reasoning.encrypted') return asText(detail['data']);
  return detail['type'] === 'reasoning.text' ? asText(detail['signature']) : null;
}

/** Sealed reasoning details of Chat Completions, in requests and whole answers. */
export const CHAT_SEALS = { marks: ['"reasoning.encrypted"', '"signature"'], members: ['type', 'data', 'signature'], sealOf: detailSeal } as const;
