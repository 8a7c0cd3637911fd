import type { FailureClass } from '../../../../shared/failure.ts';
import { parseJson } from '../../../../shared/json.ts';
import type { AnswerError, FailedAnswer } from '../wire-format.ts';
import { classOfCode, saysModelMissing, saysUsedUp, statusOfCode } from './classes.ts';
import { bodyHintMs, headerHintMs } from './hints.ts';
import { clipText, decodeText } from './text.ts';

/** What an error body or event says, before it is classified. */
export interface Fault {
  /** The most telling code; null when there is none. */
  readonly code: string | null;
  readonly type: string | null;
  readonly message: string | null;
  /** Further codes that may decide, ahead of the type: Google's reasons, Anthropic's error codes. */
  readonly reasons: readonly string[];
}

/** A fault that says nothing. */
export const SILENT: Fault = { code: null, type: null, message: null, reasons: [] };

/** Code of an error inside a stream that has none of its own. */
const UNNAMED = 'stream_error';

/** Most of an error body that is looked at (SPEC 4.2), bytes. */
const MAX_BODY_BYTES = 65_536;

/** What a number stands for in a stream, where numbers mean something (Gemini). */
export interface Numbered {
  readonly class: FailureClass;
  /** The name it is short for, when there is one. */
  readonly name: string | null;
}

/** Classifies an error that came inside a 200 (SPEC 4.3): its reasons and code decide, then its type, then its number. `value` is the whole event, for hints. */
export function streamError(fault: Fault, value: unknown, numbered: Numbered | null = null): AnswerError {
  const named = [...fault.reasons, fault.code, fault.type].find((code) => classOfCode(code) !== null) ?? null;
  const found = classOfCode(named) ?? numbered?.class ?? 'server';
  const usedUp = found !== 'transient' && found !== 'auth' && saysUsedUp(fault.message ?? '');
  const errorClass = usedUp ? 'quota' : found;
  const decider = named ?? numbered?.name ?? fault.code ?? fault.type;
  return {
    class: errorClass,
    code: fault.code ?? fault.type ?? UNNAMED,
    type: fault.type,
    message: clipText(fault.message ?? fault.code ?? fault.type ?? 'The upstream reported an error without a message.'),
    status: statusOfCode(decider, errorClass, [fault.code, fault.type].some((code) => classOfCode(code) === 'rate_limited')),
    hintMs: bodyHintMs(value),
  };
}

/** Reads a response whose status is no success (SPEC 4.1, 4.2, 8.4). `readFault` finds the error object in the format's JSON. */
export function httpError(answer: FailedAnswer, readFault: (value: unknown) => Fault): AnswerError {
  const text = decodeText(answer.body.subarray(0, MAX_BODY_BYTES)).trim();
  const whole = parseJson(text);
  const value = whole === undefined ? parseJson(lastData(text)) : whole;
  const fault = value === undefined ? { ...SILENT, message: text } : readFault(value);
  const message = fault.message ?? (text === '' ? null : text);
  return {
    class: classOfStatus(answer, { ...fault, message: text.startsWith('<') ? null : message }),
    code: fault.code ?? fault.type ?? `http.${answer.status}`,
    type: fault.type,
    message: clipText(message === null || message === '' ? `HTTP ${answer.status}` : message),
    status: answer.status,
    hintMs: headerHintMs(answer.headers, answer.utcMs) ?? bodyHintMs(value),
  };
}

// Some answer a stream request with an error status and the event of the error: its data is what they mean.
function lastData(text: string): string {
  const blocks = text.split(/\r\n\r\n|\n\n|\r\r/).map((block) => block.split(/\r\n|\n|\r/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : [])).join('\n'));
  return blocks.findLast((data) => data.trimStart().startsWith('{')) ?? '';
}

function classOfStatus(answer: FailedAnswer, fault: Fault): FailureClass {
  const { status } = answer;
  if (status < 400) return 'invalid';
  const named = new Set([...fault.reasons, fault.code, fault.type].map(classOfCode));
  if (status === 402 || named.has('quota') || saysUsedUp(fault.message ?? '')) return 'quota';
  if (fault.reasons.includes('API_KEY_INVALID')) return 'auth';
  // A status that the user listed is transient although its class is another one; only a 5xx that names a fault of the request is not.
  if (answer.transientStatuses.includes(status)) return status >= 500 && (named.has('request') || named.has('policy')) ? 'request' : 'transient';
  if (status >= 500) return 'server';
  if (named.has('policy')) return 'request';
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_missing';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate_limited';
  const missing = named.has('model_missing') || saysModelMissing(fault.message ?? '');
  return (status === 400 || status === 422) && missing ? 'model_missing' : 'request';
}
