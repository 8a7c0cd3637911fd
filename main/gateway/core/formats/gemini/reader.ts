import { parseJson } from '../../../../../shared/json.ts';
import type { AnswerFacts, Usage } from '../../wire-format.ts';
import { CONTENT, errorReading, type Interpreter, LAST_CONTENT_TERMINAL, OPENING, type Reading, SKIPPED, TERMINAL, withSeal } from '../stream.ts';
import { asArray, asObject, asText, isFilled, type JsonObject } from '../value.ts';
import { geminiError } from './errors.ts';
import { partSeal } from './seal.ts';
import { geminiUsage } from './usage.ts';

/** After content a chunk decides something only when it may hold one of these. */
const MAY_DECIDE = /"(?:error|finishReason|blockReason|thoughtSignature)"\s*:\s*(?!\s|null)|\\u00[4-7]/;

/** Code assist wraps each chunk (wire formats 6). */
export function unwrapChunk(value: unknown): JsonObject | null {
  const chunk = asObject(value);
  return asObject(chunk?.['response']) ?? chunk;
}

/** Why a chunk ends the answer: a finish reason, or a blocked prompt. Null when it does not. */
export function endOf(chunk: JsonObject): { readonly finishReason: string | null } | null {
  let reason: string | null = null;
  for (const item of asArray(chunk['candidates'])) {
    const own = asText(asObject(item)?.['finishReason']);
    if (own !== 'FINISH_REASON_UNSPECIFIED') reason ??= own;
  }
  if (reason !== null) return { finishReason: reason };
  const blocked = asText(asObject(chunk['promptFeedback'])?.['blockReason']);
  return blocked === null || blocked === 'BLOCKED_REASON_UNSPECIFIED' ? null : { finishReason: null };
}

/** Reads the chunks of Gemini's generateContent. */
export function createGeminiInterpreter(): Interpreter {
  let model: string | null = null;
  let usage: Usage | null = null;
  let finishReason: string | null = null;
  let seal: string | null = null;
  /** The newest chunk that was not parsed: its usage counts when nothing newer has one. */
  let unread: string | null = null;

  const take = (chunk: JsonObject): void => {
    model ??= asText(chunk['modelVersion']);
    usage = geminiUsage(chunk['usageMetadata']) ?? usage;
    for (const part of asArray(chunk['candidates']).flatMap(partsOf)) seal = partSeal(asObject(part) ?? {}) ?? seal;
  };
  const catchUp = (): void => {
    const chunk = unread === null ? null : unwrapChunk(parseJson(unread));
    unread = null;
    if (chunk !== null) take(chunk);
  };

  const read = (_name: string | null, data: string, _content: boolean, scan: boolean): Reading => {
    if (scan && !MAY_DECIDE.test(data) && data.startsWith('{')) {
      if (data.includes('"usageMetadata"')) unread = data;
      return CONTENT;
    }
    catchUp();
    const value = parseJson(data);
    const error = geminiError(value);
    if (error !== null) return errorReading(error);
    const chunk = unwrapChunk(value);
    if (chunk === null) return SKIPPED;
    take(chunk);
    const visible = asArray(chunk['candidates']).some(isVisibleCandidate);
    const end = endOf(chunk);
    if (end === null) return visible ? CONTENT : OPENING;
    finishReason ??= end.finishReason;
    return visible ? LAST_CONTENT_TERMINAL : TERMINAL;
  };

  return {
    read,
    errorIn: geminiError,
    facts(): AnswerFacts {
      catchUp();
      return withSeal({ model, usage, finishReason }, seal);
    },
    thread: () => ({ sequence: null, responseId: null }),
  };
}

/** Members of a part that show nothing by themselves. */
const SILENT_MEMBERS: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature']);

function partsOf(candidate: unknown): readonly unknown[] {
  return asArray(asObject(asObject(candidate)?.['content'])?.['parts']);
}

function isVisibleCandidate(candidate: unknown): boolean {
  return partsOf(candidate).some((item) => {
    const part = asObject(item) ?? {};
    return isFilled(part['text']) || Object.entries(part).some(([name, member]) => !SILENT_MEMBERS.has(name) && member !== null);
  });
}
