import type { SimulatedAnswer } from '../../../../shared/dry-run.ts';
import type { FormatName } from '../../../../shared/format.ts';
import { formatByName } from '../../core/formats/index.ts';
import type { AnswerError } from '../../core/wire-format.ts';
import type { AttemptOrder } from '../../ports.ts';
import type { OwnFailureCode } from '../network-failure.ts';

/** How an attempt goes that nothing cuts short. Times are ms since it began. */
export type Plan =
  /** `openingMs`: when a stream shows its first, still invisible event. */
  | { readonly kind: 'answer'; readonly openingMs: number; readonly contentMs: number; readonly endMs: number }
  | { readonly kind: 'breaks'; readonly openingMs: number; readonly contentMs: number; readonly endMs: number }
  | { readonly kind: 'stream_error'; readonly openingMs: number; readonly endMs: number; readonly error: AnswerError; readonly bytes: Uint8Array }
  | { readonly kind: 'error_answer'; readonly endMs: number; readonly error: AnswerError; readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: Uint8Array }
  | { readonly kind: 'own_failure'; readonly endMs: number; readonly code: OwnFailureCode; readonly where: 'connect' | 'head'; readonly sentWhole: boolean }
  | { readonly kind: 'silence' };

// Plausible times of a provider far away; what matters is their order and that none is zero.
const REFUSED_MS = 20;
const STATUS_MS = 250;
const OPENING_MS = 300;
const ERROR_EVENT_MS = 800;
const CONTENT_MS = 1_000;
const STREAM_MS = 1_000;

/** What a simulated answer means for this order: bodies and events are written, and read again, by the format itself. */
export function planOf(answer: SimulatedAnswer, order: AttemptOrder, utcMs: number): Plan {
  const { format, streamed } = order.arrival;
  switch (answer.kind) {
    case 'answer': return { kind: 'answer', openingMs: Math.min(OPENING_MS, answer.after_ms), contentMs: answer.after_ms, endMs: answer.after_ms + (streamed ? STREAM_MS : 0) };
    case 'breaks_off': return { kind: 'breaks', openingMs: OPENING_MS, contentMs: CONTENT_MS, endMs: CONTENT_MS + STREAM_MS };
    case 'status': return errorAnswer(order, utcMs, answer.status, String(answer.status), []);
    case 'rate_limited': return errorAnswer(order, utcMs, 429, 'rate_limit_error', answer.retry_after_secs === null ? [] : [['retry-after', String(answer.retry_after_secs)]]);
    case 'stream_error': return streamed ? streamError(format, answer.code) : errorAnswer(order, utcMs, streamError(format, answer.code).error.status, answer.code, []);
    case 'refuse': return { kind: 'own_failure', endMs: REFUSED_MS, code: 'connect.refused', where: 'connect', sentWhole: false };
    case 'reset': return { kind: 'own_failure', endMs: STATUS_MS, code: 'head.closed', where: 'head', sentWhole: true };
    case 'hang': return { kind: 'silence' };
  }
}

function errorAnswer(order: AttemptOrder, utcMs: number, status: number, code: string, more: readonly (readonly [string, string])[]): Plan {
  const format = formatByName(order.arrival.format);
  const headers = [['content-type', 'application/json'] as const, ...more];
  const body = format.writeError({ status, code, type: null, message: `simulated ${code}`, requestId: order.arrival.id }, null);
  const error = format.readFailure({ status, headers: Object.fromEntries(headers), body, transientStatuses: order.transientStatuses, utcMs });
  return { kind: 'error_answer', endMs: STATUS_MS, status, headers, body, error };
}

function streamError(name: FormatName, code: string): Extract<Plan, { kind: 'stream_error' }> {
  const format = formatByName(name);
  const bytes = format.writeErrorEvent({ status: 500, code, type: code, message: `simulated ${code}`, requestId: 'dry-run' }, 'sse', { events: 0, sequence: null, responseId: null, model: null }, 0);
  const reader = format.reader('sse');
  const error = [...reader.push(bytes), ...reader.finish()].find((event) => event.error !== null)?.error;
  if (error === undefined || error === null) throw new Error(`an error event of ${name} that is none`);
  return { kind: 'stream_error', openingMs: OPENING_MS, endMs: ERROR_EVENT_MS, bytes, error };
}
