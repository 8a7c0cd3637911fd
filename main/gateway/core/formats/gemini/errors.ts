import type { AnswerError, FailedAnswer, Framing, OwnError, StreamPosition } from '../../wire-format.ts';
import { classOfCode } from '../classes.ts';
import { type Fault, httpError, type Numbered, SILENT, streamError } from '../fault.ts';
import { encodeText } from '../text.ts';
import { asArray, asCode, asObject, asText, type JsonObject } from '../value.ts';

/** The object that holds the error: streams without SSE wrap even an error body into an array, code assist wraps chunks. */
function errorHolder(value: unknown): JsonObject | null {
  const body = asObject(Array.isArray(value) ? (value as readonly unknown[]).find((item) => asObject(item)?.['error']) : value);
  return body?.['error'] ? body : asObject(body?.['response']);
}

/** What an error says: its status name is the code, else its number as text (wire formats 6). */
function geminiFault(value: unknown): Fault | null {
  const holder = errorHolder(value);
  if (!holder?.['error']) return null;
  const error = asObject(holder['error']);
  if (error === null) return { ...SILENT, message: asText(holder['error']) };
  const message = asText(error['message']);
  return { code: asText(error['status']) ?? asCode(error['code']), type: null, message, reasons: [...reasonsIn(asArray(error['details'])), ...(saysNoQuota(message) ? ['QUOTA_EXHAUSTED'] : [])] };
}

/** Reasons that decide ahead of the status name. A limit per day is used-up quota, one per minute is not (wire formats 9, row 10). */
function reasonsIn(details: readonly unknown[]): readonly string[] {
  return details.flatMap((item) => {
    const detail = asObject(item);
    const reason = asText(detail?.['reason']);
    const daily = asArray(detail?.['violations']).some((violation) => /PerDay|Daily/i.test(asText(asObject(violation)?.['quotaId']) ?? ''));
    return [...(reason === null ? [] : [reason]), ...(daily ? ['QUOTA_EXHAUSTED'] : [])];
  });
}

/** "limit: 0": this key has no quota at all for the model. */
function saysNoQuota(message: string | null): boolean {
  return /\blimit: 0(?![\d.])/.test(message ?? '');
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'], [401, 'UNAUTHENTICATED'], [402, 'RESOURCE_EXHAUSTED'], [403, 'PERMISSION_DENIED'], [404, 'NOT_FOUND'], [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'], [429, 'RESOURCE_EXHAUSTED'], [499, 'CANCELLED'], [500, 'INTERNAL'], [501, 'UNIMPLEMENTED'], [502, 'INTERNAL'], [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'], [529, 'UNAVAILABLE'],
]);

/** The number of an in-stream error; text counts as the number it spells (wire formats 9). */
function numberOf(value: unknown): number | null {
  const code = Number(asCode(asObject(errorHolder(value)?.['error'])?.['code']) ?? Number.NaN);
  return Number.isInteger(code) ? code : null;
}

/** What the number means when no name is known: 5xx but 501 and 505 are transient (SPEC 4.3), the others are what their names are. */
function numbered(code: number | null): Numbered | null {
  if (code === null) return null;
  const name = NAMES.get(code) ?? null;
  if (code >= 500 && code <= 599) return { class: code === 501 || code === 505 ? 'server' : 'transient', name };
  return { class: classOfCode(name) ?? 'server', name };
}

/** The error in a chunk or a whole answer, or null when there is none. */
export function geminiError(value: unknown): AnswerError | null {
  const fault = geminiFault(value);
  return fault === null ? null : streamError(fault, errorHolder(value), numbered(numberOf(value)));
}

/** Classifies a response whose status is no success. */
export function geminiFailure(answer: FailedAnswer): AnswerError {
  return httpError(answer, (value) => geminiFault(value) ?? { ...SILENT, message: asText(asObject(value)?.['message']) ?? asText(asObject(value)?.['detail']) });
}

/** Clients need a number of 400 to 599 and a name (wire formats 12); an upstream's own name is kept. */
function errorObject(error: OwnError): string {
  const code = error.status >= 400 && error.status <= 599 ? error.status : 500;
  const own = [...NAMES.values()].includes(error.code) || classOfCode(error.code) !== null && /^[A-Z_]+$/.test(error.code);
  const status = own ? error.code : (NAMES.get(code) ?? (code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'));
  return JSON.stringify({ error: { code, message: error.message, status } });
}

/** Body of an error response; an array where the client asked for one. */
export function writeGeminiError(error: OwnError, framing: Framing | null): Uint8Array {
  const body = errorObject(error);
  return encodeText(framing === 'json_array' ? `[${body}]` : body);
}

/** Error event; in an array it is the last element and closes it, bracket and comma by what was sent before. */
export function writeGeminiErrorEvent(error: OwnError, framing: Framing, at: StreamPosition): Uint8Array {
  const body = errorObject(error);
  if (framing === 'sse') return encodeText(`data: ${body}\r\n\r\n`);
  return encodeText(`${at.events === 0 ? '[' : ','}${body}]`);
}
