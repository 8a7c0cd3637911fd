import { assertNever } from '../../../shared/assert-never.ts';
import { parseJson } from '../../../shared/json.ts';
import type { AnswerFacts, WholeReading } from '../core/wire-format.ts';
import { NO_FACTS, NO_POSITION, type AnswerHead, type AnswerReader, type AttemptContext } from './attempt-context.ts';
import { createFailedReader } from './failed-answer.ts';
import { firstTellingByte, JSON_OBJECT, PAGE } from './first-byte.ts';
import { openFlowingBody } from './flowing-body.ts';
import { first } from './response-headers.ts';

/** Whole answers are kept up to this, then they flow (SPEC 5.7). */
export const LONGEST_WHOLE_BYTES = 8 * 1024 * 1024;

/**
 * Keeps a whole answer until it is complete, so that a break in it can be cured, then judges it (SPEC 4.5, 4.9, 5.7). Also reads the JSON that
 * some upstreams send to a stream request. Past 8 MiB the answer flows and nothing is retried.
 */
export function createWholeReader(context: AttemptContext, head: AnswerHead): AnswerReader {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let told = false;

  const data = (chunk: Uint8Array): void => {
    context.timers.feed();
    parts.push(chunk);
    bytes += chunk.byteLength;
    if (!told) {
      const at = firstTellingByte(chunk, parts.length === 1);
      told = at >= 0;
      if (at >= 0 && chunk[at] === PAGE) {
        context.become(createFailedReader(context, head, 'answer.invalid'), parts);
        return;
      }
    }
    if (bytes > LONGEST_WHOLE_BYTES) context.become(openFlowingBody(context, head, parts, true), []);
  };

  const end = (): void => {
    const body = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    const reading = readWhole(context, body);
    switch (reading.kind) {
      case 'answer': openWhole(context, head, body, reading.facts); return;
      case 'empty': context.fail(context.ownFailure('answer.empty', 'body', undefined, head.status), null); return;
      case 'error': {
        const failure = context.toldFailure(reading.error, 'body', body);
        // With its own status it would pass for an answer.
        context.fail(failure, { kind: 'http', status: reading.error.status, headers: context.headersForClient(head, false), body, wellFormed: true, cut: false });
        return;
      }
      case 'invalid':
        // Half of a JSON object in a body that only the end of the connection ends: that end was a break.
        if (isUnframed(head) && body[firstTellingByte(body, true)] === JSON_OBJECT) context.fail(context.ownFailure('body_broken', 'body'), null);
        else {
          const failed = createFailedReader(context, head, 'answer.invalid');
          context.become(failed, [body]);
          failed.end();
        }
        return;
      default: assertNever(reading);
    }
  };

  return {
    data,
    end,
    fail: (fault) => { context.fail(context.ownFailure(fault.code, 'body', fault.detail), null); },
    expired: (code) => { context.fail(context.ownFailure(code, 'body'), null); },
    letGo: () => undefined,
    gone: () => undefined,
  };
}

function readWhole(context: AttemptContext, body: Uint8Array): WholeReading {
  const reading = context.format.readWhole(body);
  // A count of tokens has a shape of its own; any JSON object will do (SPEC 1.2).
  if (context.order.arrival.operation === 'count_tokens' && reading.kind === 'invalid') {
    const value = parseJson(new TextDecoder().decode(body));
    if (typeof value === 'object' && value !== null) return { kind: 'answer', facts: NO_FACTS };
  }
  return reading;
}

function openWhole(context: AttemptContext, head: AnswerHead, body: Uint8Array, facts: AnswerFacts): void {
  context.timers.clear();
  const firstContentMs = context.clock.now();
  context.open({
    kind: 'opened', status: head.status, headers: context.headersForClient(head, true), stream: false, whole: body, facts: () => facts,
    relay: (sink) => {
      const gone = context.order.gone.aborted;
      if (!gone) sink.write(body, { boundary: true, content: true, terminal: true });
      context.finish();
      return Promise.resolve({ end: gone ? 'gone' : 'complete', failure: null, facts, position: NO_POSITION, firstContentMs, report: context.report() });
    },
  });
}

// Neither a length nor chunks: only the end of the connection ended it.
function isUnframed(head: AnswerHead): boolean {
  return first(head.headers['content-length']) === undefined && first(head.headers['transfer-encoding']) === undefined;
}
