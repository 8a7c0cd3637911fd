import type { AnswerError, FailedAnswer, OwnError } from '../../wire-format.ts';
import { httpError, streamError } from '../fault.ts';
import { openAiErrorBody, openAiFault, openAiHttpFault } from '../openai.ts';
import { encodeText } from '../text.ts';

/** The error in a chunk or a whole answer, or null: `"error": null` is none (SPEC 4.4). */
export function chatError(value: unknown): AnswerError | null {
  const fault = openAiFault(value);
  return fault === null ? null : streamError(fault, value);
}

/** Classifies a response whose status is no success. */
export function chatFailure(answer: FailedAnswer): AnswerError {
  return httpError(answer, openAiHttpFault);
}

/** Body of an error response. */
export function writeChatError(error: OwnError): Uint8Array {
  return encodeText(openAiErrorBody(error));
}

/** Error event. No `[DONE]` after it: to naive clients that would be success (wire formats 12). */
export function writeChatErrorEvent(error: OwnError): Uint8Array {
  return encodeText(`data: ${openAiErrorBody(error)}\n\n`);
}
