import type { Usage, WholeReading, WireFormat } from '../../wire-format.ts';
import { lastSeal } from '../last-sealed.ts';
import { createStreamReader } from '../stream.ts';
import { asText } from '../value.ts';
import { readWholeAnswer } from '../whole.ts';
import { geminiError, geminiFailure, writeGeminiError, writeGeminiErrorEvent } from './errors.ts';
import { createGeminiInterpreter, endOf, unwrapChunk } from './reader.ts';
import { GEMINI_SEALS } from './seal.ts';
import { geminiUsage } from './usage.ts';

/** Google Gemini generateContent. */
export const gemini: WireFormat = {
  name: 'gemini',
  reader: (framing) => createStreamReader(framing, createGeminiInterpreter()),
  readWhole: (body) => readWholeAnswer(body, readAnswer, GEMINI_SEALS),
  readFailure: geminiFailure,
  lastSeal: (body) => lastSeal(body, GEMINI_SEALS),
  writeError: writeGeminiError,
  writeErrorEvent: (error, framing, at) => writeGeminiErrorEvent(error, framing, at),
};

/** A whole answer is one chunk, or, for a stream that was not read as one, an array of them. */
function readAnswer(value: unknown): WholeReading {
  const error = geminiError(value);
  if (error !== null) return { kind: 'error', error };
  let model: string | null = null;
  let usage: Usage | null = null;
  let finishReason: string | null = null;
  let found = false;
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const chunk = unwrapChunk(item);
    if (chunk === null) continue;
    found ||= 'candidates' in chunk || 'promptFeedback' in chunk || 'usageMetadata' in chunk;
    model ??= asText(chunk['modelVersion']);
    usage = geminiUsage(chunk['usageMetadata']) ?? usage;
    finishReason ??= endOf(chunk)?.finishReason ?? null;
  }
  return found ? { kind: 'answer', facts: { model, usage, finishReason } } : { kind: 'invalid' };
}
