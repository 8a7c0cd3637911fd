import { parseJson } from '../../../shared/json.ts';
import type { KeptAnswer } from '../ports.ts';
import type { AnswerHead, AnswerReader, AttemptContext } from './attempt-context.ts';
import { flatHeaders } from './response-headers.ts';

const LONGEST_BODY_BYTES = 64 * 1024;
const LONGEST_WAIT_MS = 2_000;

/**
 * Reads an answer that is none: an error status, a redirect, or a page where an answer should be (SPEC 4.2, 4.9). Looks at no more than
 * 64 KiB of its body and waits no more than 2 s for it, then settles the attempt as failed. `verdict` null: status and body decide.
 */
export function createFailedReader(context: AttemptContext, head: AnswerHead, verdict: 'answer.invalid' | 'answer.redirect' | null): AnswerReader {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let cut = false;
  let over = false;
  const cancel = context.clock.timer(LONGEST_WAIT_MS, () => { settle(true); });

  const settle = (early: boolean): void => {
    if (over) return;
    over = true;
    cancel();
    cut ||= early;
    const body = Buffer.concat(parts);
    const failure = verdict === null
      ? context.toldFailure(context.format.readFailure({
        status: head.status, headers: flatHeaders(head.headers), body, transientStatuses: context.order.transientStatuses, utcMs: context.clock.utc(),
      }), 'head', body)
      : context.ruled(context.ownFailure(verdict, 'head', `status ${head.status}`, head.status), body);
    context.fail(failure, keptAnswer(context, head, body, cut, verdict === null));
  };

  return {
    data: (chunk) => {
      if (over) return;
      const room = LONGEST_BODY_BYTES - bytes;
      const taken = chunk.byteLength > room ? chunk.subarray(0, room) : chunk;
      parts.push(taken);
      bytes += taken.byteLength;
      if (chunk.byteLength > room) settle(true);
    },
    end: () => { settle(false); },
    // What came of the body still says what was wrong.
    fail: () => { settle(true); },
    expired: () => { settle(true); },
    letGo: () => undefined,
    gone: () => {
      over = true;
      cancel();
    },
  };
}

function keptAnswer(context: AttemptContext, head: AnswerHead, body: Uint8Array, cut: boolean, answersInFormat: boolean): KeptAnswer {
  const text = new TextDecoder().decode(body);
  const value = answersInFormat && !cut ? parseJson(text) : undefined;
  const wellFormed = (typeof value === 'object' && value !== null) || (answersInFormat && !cut && isErrorEvent(context, body));
  return {
    kind: 'http', status: head.status, headers: context.headersForClient(head, false), cut, wellFormed,
    // What is not handed over unchanged is quoted in our own words, and those never hold a secret.
    body: wellFormed ? body : new TextEncoder().encode(context.masked(text)),
  };
}

// Only a client that reads events can read one (SPEC 10.1).
function isErrorEvent({ order: { arrival }, format }: AttemptContext, body: Uint8Array): boolean {
  if (!arrival.streamed || arrival.framing !== 'sse') return false;
  const reader = format.reader('sse');
  return [...reader.push(body), ...reader.finish()].some((event) => event.label === 'error');
}
