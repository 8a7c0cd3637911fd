import type { AnswerError, FailedAnswer, OwnError, StreamPosition } from '../../wire-format.ts';
import { type Fault, httpError, SILENT, streamError } from '../fault.ts';
import { openAiErrorBody, openAiFault, openAiHttpFault } from '../openai.ts';
import { encodeText } from '../text.ts';
import { asCode, asObject, asText, type JsonObject } from '../value.ts';

/** States of a response object that are no end, or a good one. Any other is a failure, also one that we do not know (wire formats 4). */
const SOUND_STATES: ReadonlySet<unknown> = new Set(['in_progress', 'queued', 'completed', 'incomplete', null, undefined]);

/** The error that a response object reports: its `error`, or a state that is none of a good answer. */
function faultOfResponse(response: JsonObject | null): Fault | null {
  if (response === null) return null;
  const fault = openAiFault(response);
  if (fault !== null) return fault;
  return SOUND_STATES.has(response['status']) ? null : SILENT;
}

/** The error in an event or a whole answer, in both shapes of an event (SPEC 4.4), or null. `name` is that of the event line. */
export function responsesError(value: unknown, name: string | null = null): AnswerError | null {
  const event = asObject(value);
  if (event === null) return null;
  const type = asText(event['type']) ?? name;
  const fault = openAiFault(event) ?? (type === 'error' ? flatFault(event) : faultOfResponse(event['object'] === 'response' ? event : asObject(event['response'])));
  if (fault !== null) return streamError(fault, flatAsNested(event, type));
  return type === 'response.failed' ? streamError(SILENT, event) : null;
}

/** The flat shape has code and message beside `type`, which is the event's name and no error type. */
function flatFault(event: JsonObject): Fault {
  return { code: asCode(event['code']), type: null, message: asText(event['message']), reasons: [] };
}

function flatAsNested(event: JsonObject, type: string | null): JsonObject {
  return type === 'error' && !event['error'] ? { error: event } : event;
}

/** Classifies a response whose status is no success. */
export function responsesFailure(answer: FailedAnswer): AnswerError {
  return httpError(answer, openAiHttpFault);
}

/** Body of an error response. */
export function writeResponsesError(error: OwnError): Uint8Array {
  return encodeText(openAiErrorBody(error));
}

/** A full `response.failed`, which is what clients end a turn by; the connection has to close after it (wire formats 12). */
export function writeResponsesErrorEvent(error: OwnError, at: StreamPosition, createdSecs: number): Uint8Array {
  const event = {
    type: 'response.failed',
    sequence_number: at.sequence === null ? 0 : at.sequence + 1,
    response: {
      id: at.responseId ?? `resp_${error.requestId}`, object: 'response', created_at: createdSecs, status: 'failed',
      error: { code: error.code, message: error.message },
      incomplete_details: null, model: at.model ?? '', output: [], usage: null,
    },
  };
  return encodeText(`event: response.failed\ndata: ${JSON.stringify(event)}\n\n`);
}
