import { assertNever } from '../../../shared/assert-never.ts';
import { createHold, type HoldVerdict } from '../core/opening/hold.ts';
import type { AnswerHead, AnswerReader, AttemptContext } from './attempt-context.ts';
import { createFailedReader } from './failed-answer.ts';
import { firstTellingByte, JSON_ARRAY, JSON_OBJECT, PAGE } from './first-byte.ts';
import { openStream } from './relay.ts';
import { first } from './response-headers.ts';
import { createWholeReader } from './whole-answer.ts';

// Blank lines ahead of a stream are no answer; a server that sends nothing else is not waited for byte by byte.
const MOST_BLANK_BYTES = 64 * 1024;
// An upstream may say the same failure in two events; what follows at once is kept with the first.
const REST_OF_ERROR_MS = 250;

/**
 * Takes the answer to a stream request: first judges by its first byte what it is (SPEC 4.9), then holds the opening (SPEC 5, 6.1) until
 * content opens the attempt, an error fails it, or it is let go.
 */
export function createStreamReader(context: AttemptContext, head: AnswerHead): AnswerReader {
  const blanks: Uint8Array[] = [];
  let blankBytes = 0;
  // An announced stream needs no look at its bytes when nothing is held: its head goes out as it comes (SPEC 6.2).
  const announced = /^text\/event-stream\b/i.test(first(head.headers['content-type']) ?? '');

  const judge = (chunk: Uint8Array): void => {
    const at = firstTellingByte(chunk, blanks.length === 0);
    blanks.push(chunk);
    blankBytes += chunk.byteLength;
    if (at < 0 && blankBytes <= MOST_BLANK_BYTES) return;
    const { framing } = context.order.arrival;
    const byte = at < 0 ? undefined : chunk[at];
    if (byte === PAGE) context.become(createFailedReader(context, head, 'answer.invalid'), blanks);
    else if (byte === JSON_OBJECT || (byte === JSON_ARRAY && framing === 'sse')) context.become(createWholeReader(context, head), blanks);
    else hold();
  };
  const hold = (): AnswerReader => {
    const reader = createHoldingReader(context, head);
    context.become(reader, blanks);
    return reader;
  };

  if (announced && context.order.letGo.aborted) return createHoldingReader(context, head);
  return {
    data: judge,
    end: () => { hold().end(); },
    fail: (fault) => { hold().fail(fault); },
    expired: (code) => { context.fail(context.ownFailure(code, 'opening'), null); },
    letGo: () => { if (announced) hold(); },
    gone: () => undefined,
  };
}

function createHoldingReader(context: AttemptContext, head: AnswerHead): AnswerReader {
  const reader = context.format.reader(context.order.arrival.framing);
  const hold = createHold(reader);
  let failed: Extract<HoldVerdict, { kind: 'error' }> | null = null;
  let cancelRest: () => void = () => undefined;
  let over = false;

  const settleFailed = (): void => {
    if (failed === null || over) return;
    over = true;
    cancelRest();
    const { error, kept, opening } = failed;
    context.fail(context.toldFailure(error, 'opening', kept.subarray(opening.byteLength)), keptStream(context, head, kept));
  };
  const act = (verdict: HoldVerdict): void => {
    switch (verdict.kind) {
      case 'holding':
        if (verdict.live) context.timers.feed();
        return;
      case 'open':
        over = true;
        context.become(openStream(context, head, reader, verdict), []);
        return;
      case 'error':
        if (failed === null) cancelRest = context.clock.timer(REST_OF_ERROR_MS, settleFailed);
        failed = verdict;
        return;
      case 'ended_early':
        over = true;
        context.fail(context.ownFailure('stream_ended_early', 'opening', verdict.receivedBytes === 0 ? 'no byte came' : undefined), keptStream(context, head, verdict.kept));
        return;
      default: assertNever(verdict);
    }
  };
  const letGo = (): void => { if (!over && failed === null) act(hold.letGo()); };

  if (context.order.letGo.aborted) queueMicrotask(letGo);
  return {
    data: (chunk) => {
      if (over) return;
      act(hold.feed(chunk));
      if (context.order.letGo.aborted) letGo();
    },
    end: () => {
      if (over) return;
      act(hold.finish());
      settleFailed();
    },
    fail: (fault) => {
      settleFailed();
      if (!over) context.fail(context.ownFailure(fault.code === 'body_broken' ? 'stream_broken' : fault.code, 'opening', fault.detail), null);
    },
    expired: (code) => {
      settleFailed();
      if (!over) context.fail(context.ownFailure(code, 'opening'), null);
    },
    letGo,
    gone: () => {
      over = true;
      cancelRest();
    },
  };
}

function keptStream(context: AttemptContext, head: AnswerHead, body: Uint8Array) {
  return { kind: 'stream', status: head.status, headers: context.headersForClient(head, false), body, wellFormed: true, cut: false } as const;
}
