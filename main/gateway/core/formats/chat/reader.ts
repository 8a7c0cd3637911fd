import { parseJson } from '../../../../../shared/json.ts';
import type { AnswerFacts, Usage } from '../../wire-format.ts';
import { CONTENT, END, errorReading, type Interpreter, LAST_CONTENT, OPENING, type Reading, SKIPPED, TERMINAL, withSeal } from '../stream.ts';
import { asArray, asObject, asText, isFilled, type JsonObject } from '../value.ts';
import { chatError } from './errors.ts';
import { detailSeal } from './seal.ts';
import { chatUsage } from './usage.ts';

/** A chunk after content needs parsing only when it may hold one of these (an escaped letter could hide a name). */
const MAY_CARRY_FACTS = /"(?:error|usage|finish_reason)"\s*:\s*(?!\s|null)|"error"\s*[,}]|"reasoning\.encrypted"|"signature"|\\u00[4-7]/;

/** Members of a delta that a user can see when they are not empty (wire formats 3). Reasoning details are looked at one by one. */
const VISIBLE = ['content', 'reasoning_content', 'reasoning', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio', 'images'];

/** Reads the chunks of Chat Completions. */
export function createChatInterpreter(): Interpreter {
  let model: string | null = null;
  let usage: Usage | null = null;
  let finishReason: string | null = null;
  let seal: string | null = null;

  const read = (_name: string | null, data: string, content: boolean, scan: boolean): Reading => {
    if (scan && !MAY_CARRY_FACTS.test(data) && data.startsWith('{')) return CONTENT;
    // Before content or a finish reason it ends nothing: the stream ended early (SPEC 5).
    if (data.trim() === '[DONE]') return content || finishReason !== null ? TERMINAL : OPENING;
    const chunk = asObject(parseJson(data));
    if (chunk === null) return SKIPPED;
    // Azure's first chunk has a blank model: only a name counts.
    model ??= asText(chunk['model']);
    usage = chatUsage(chunk['usage']) ?? usage;
    const error = chatError(chunk);
    return error === null ? readChoices(asArray(chunk['choices'])) : errorReading(error);
  };

  const readChoices = (choices: readonly unknown[]): Reading => {
    let visible = false;
    let finished = false;
    for (const item of choices) {
      const choice = asObject(item);
      if (choice === null) continue;
      const delta = asObject(choice['delta']) ?? asObject(choice['message']);
      for (const detail of asArray(delta?.['reasoning_details'])) seal = detailSeal(asObject(detail) ?? {}) ?? seal;
      visible ||= isVisible(asObject(choice['delta'])) || isVisible(asObject(choice['message'])) || isFilled(choice['text']);
      const reason = asText(choice['finish_reason']);
      if (reason === null) continue;
      finished = true;
      // With several choices the first one speaks for the answer.
      if (finishReason === null || (choice['index'] ?? 0) === 0) finishReason = reason;
    }
    if (visible) return finished ? LAST_CONTENT : CONTENT;
    return finished ? END : OPENING;
  };

  return {
    read,
    errorIn: chatError,
    facts: (): AnswerFacts => withSeal({ model, usage, finishReason }, seal),
    thread: () => ({ sequence: null, responseId: null }),
  };
}

function isVisible(delta: JsonObject | null): boolean {
  if (delta === null) return false;
  return VISIBLE.some((name) => isFilled(delta[name])) || asArray(delta['reasoning_details']).some(isReadable);
}

/** Encrypted reasoning and bare signatures cannot be seen; a kind we do not know may be. */
function isReadable(detail: unknown): boolean {
  const part = asObject(detail);
  if (part === null || part['type'] === 'reasoning.encrypted') return false;
  if (part['type'] === 'reasoning.text' || part['type'] === 'reasoning.summary') return isFilled(part['text']) || isFilled(part['summary']);
  return true;
}
