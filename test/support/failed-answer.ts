import { formatByName } from '../../main/gateway/core/formats/index.ts';
import type { AnswerError, FailedAnswer } from '../../main/gateway/core/wire-format.ts';
import type { FormatName } from '../../shared/format.ts';

/** Statuses that are transient by default (SPEC 4.2). */
export const TRANSIENT_STATUSES = [500, 502, 503, 504, 529];

/** A response that is no success; `body` is sent as JSON unless it is text. */
export function failedAnswer(status: number, body: unknown = '', changes: Partial<FailedAnswer> = {}): FailedAnswer {
  return { status, headers: {}, body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)), transientStatuses: TRANSIENT_STATUSES, utcMs: 1_893_456_000_000, ...changes };
}

/** What a format makes of such a response. */
export function readFailed(format: FormatName, status: number, body: unknown = '', changes: Partial<FailedAnswer> = {}): AnswerError {
  return formatByName(format).readFailure(failedAnswer(status, body, changes));
}

/** What a format makes of an error event, as the first event of a stream. */
export function readEventError(format: FormatName, event: unknown, name: string | null = null): AnswerError | null {
  const text = `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`;
  return formatByName(format).reader('sse').push(new TextEncoder().encode(text))[0]?.error ?? null;
}
