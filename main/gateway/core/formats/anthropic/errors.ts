import type { AnswerError, FailedAnswer, OwnError } from '../../wire-format.ts';
import { type Fault, httpError, SILENT, streamError } from '../fault.ts';
import { encodeText } from '../text.ts';
import { asObject, asText } from '../value.ts';

/** `details.error_code` is the stable cause and refines the type (wire formats 5). */
function anthropicFault(value: unknown): Fault | null {
  const body = asObject(value);
  if (body === null) return null;
  const error = asObject(body['error']);
  if (error !== null) {
    const type = asText(error['type']);
    return { code: asText(asObject(error['details'])?.['error_code']) ?? type, type, message: asText(error['message']), reasons: [] };
  }
  if (body['error']) return { ...SILENT, message: asText(body['error']) };
  return body['type'] === 'error' ? { ...SILENT, message: asText(body['message']) } : null;
}

/** The error in an event or a whole answer, or null when there is none. */
export function anthropicError(value: unknown): AnswerError | null {
  const fault = anthropicFault(value);
  return fault === null ? null : streamError(fault, value);
}

/** Classifies a response whose status is no success. */
export function anthropicFailure(answer: FailedAnswer): AnswerError {
  return httpError(answer, (value) => anthropicFault(value) ?? { ...SILENT, message: asText(asObject(value)?.['message']) ?? asText(asObject(value)?.['detail']) });
}

/** Body of an error response. */
export function writeAnthropicError(error: OwnError): Uint8Array {
  return encodeText(JSON.stringify({ ...errorObject(error), request_id: error.requestId }));
}

/** Error event; SDKs need its name. */
export function writeAnthropicErrorEvent(error: OwnError): Uint8Array {
  return encodeText(`event: error\ndata: ${JSON.stringify(errorObject(error))}\n\n`);
}

function errorObject(error: OwnError): object {
  const type = error.type ?? typeOfStatus(error.status);
  const details = error.code === type ? {} : { details: { error_code: error.code } };
  return { type: 'error', error: { type, message: error.message, ...details } };
}

const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'], [402, 'billing_error'], [403, 'permission_error'], [404, 'not_found_error'], [409, 'conflict_error'], [413, 'request_too_large'],
  [429, 'rate_limit_error'], [503, 'overloaded_error'], [504, 'timeout_error'], [529, 'overloaded_error'],
]);

function typeOfStatus(status: number): string {
  return TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}
