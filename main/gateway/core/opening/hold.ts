import { createByteBuffer } from '../byte-buffer.ts';
import { type AnswerError, MAX_EVENT_BYTES, type ReadEvent, type StreamReader } from '../wire-format.ts';

/** Most that is held before it is released, content or not (SPEC 6.1), bytes. */
export const HOLD_CAP_BYTES = 1_048_576;

const NOTHING = new Uint8Array(0);

/** What is read on after an error, so that the kept failure is as complete as it came (a second error event, the bracket of an array), bytes. */
const AFTER_ERROR_BYTES = 65_536;

/** Why a hold ended by opening. After `cap` and `let_go` no content has been seen yet; an event over 1 MiB (`oversized`) is content. */
export type OpenReason = 'content' | 'end' | 'oversized' | 'cap' | 'let_go';

/** Where a hold stands after the bytes so far. Only `holding` and `error` may be fed on. */
export type HoldVerdict =
  /** `live`: the chunk completed an event that is no heartbeat, which feeds the idle timer (SPEC 2.5). */
  | { readonly kind: 'holding'; readonly live: boolean }
  | {
    readonly kind: 'open';
    readonly because: OpenReason;
    /** Everything received, in two parts: whole events, and the beginning of the next one, which must not go out before the rest of it. */
    readonly complete: Uint8Array;
    readonly tail: Uint8Array;
    /** The events of the last chunk from the one on that ended the hold: an error may follow content in the same read (SPEC 5.4). */
    readonly events: readonly ReadEvent[];
  }
  | {
    readonly kind: 'error';
    readonly error: AnswerError;
    /** The events ahead of the error's. */
    readonly opening: Uint8Array;
    /** Opening, error event, and the whole events received after it: what the client gets when no retry follows (SPEC 10.2). */
    readonly kept: Uint8Array;
  }
  /** The stream ended without content, end mark or error (SPEC 4.5). `receivedBytes` 0: it was empty. */
  | { readonly kind: 'ended_early'; readonly kept: Uint8Array; readonly receivedBytes: number };

/** Keeps the opening of one attempt back. Pure: bytes in, verdicts out. */
export interface Hold {
  feed(chunk: Uint8Array): HoldVerdict;
  /** The stream ended properly. (When it broke, no verdict is needed: nothing of it counts.) */
  finish(): HoldVerdict;
  /** Nothing could be tried after this attempt: what is held goes out (SPEC 6.1). After an error it is too late, the error stands. */
  letGo(): HoldVerdict;
}

/** What the events of a chunk decide. */
type Decision =
  | { readonly kind: 'open'; readonly because: OpenReason; readonly events: readonly ReadEvent[] }
  | { readonly kind: 'error'; readonly error: AnswerError; readonly atByte: number };

/** Order decides, not the chunk (SPEC 5.4). Past the cap the bytes have gone out before an event was whole, however the chunks were cut. */
function decide(events: readonly ReadEvent[], capBytes: number): Decision | null {
  for (const [at, { label, error, startByte, endByte }] of events.entries()) {
    if (endByte > capBytes) return { kind: 'open', because: endByte - startByte > MAX_EVENT_BYTES ? 'oversized' : 'cap', events: events.slice(at) };
    if (label === 'content' || label === 'end') return { kind: 'open', because: label, events: events.slice(at) };
    if (error !== null) return { kind: 'error', error, atByte: startByte };
  }
  return null;
}

/** A hold over the reader of a stream that has not begun. Released bytes are exactly the received ones (laws 6 and 7); throws when used after `open` or `ended_early`. */
export function createHold(reader: StreamReader, capBytes: number = HOLD_CAP_BYTES): Hold {
  const held = createByteBuffer();
  let receivedBytes = 0;
  /** End of the last whole event that is held. */
  let completeBytes = 0;
  let over = false;
  let failure: { readonly error: AnswerError; readonly atByte: number } | null = null;
  let keeping = true;

  const use = (): void => {
    if (over) throw new Error('this hold is over');
  };
  const open = (because: OpenReason, events: readonly ReadEvent[], bytes: Uint8Array): HoldVerdict => {
    over = true;
    return { kind: 'open', because, complete: bytes.subarray(0, completeBytes), tail: bytes.subarray(completeBytes), events };
  };
  const failed = ({ error, atByte }: { readonly error: AnswerError; readonly atByte: number }): HoldVerdict => {
    const kept = held.view().subarray(0, completeBytes);
    return { kind: 'error', error, opening: kept.subarray(0, atByte), kept };
  };

  /** Bytes behind an error change nothing but what is kept of it. */
  const readOn = (chunk: Uint8Array, events: readonly ReadEvent[], atByte: number): void => {
    keeping &&= held.length + chunk.length <= atByte + AFTER_ERROR_BYTES;
    if (!keeping) return;
    held.append(chunk);
    completeBytes = events.at(-1)?.endByte ?? completeBytes;
  };

  const settle = (events: readonly ReadEvent[], first: Uint8Array | null): HoldVerdict | null => {
    completeBytes = events.at(-1)?.endByte ?? completeBytes;
    const overfull: Decision | null = receivedBytes > capBytes ? { kind: 'open', because: reader.oversized() ? 'oversized' : 'cap', events: [] } : null;
    const decision = decide(events, capBytes) ?? overfull;
    // Most streams open with their first chunk: that one is passed on as it is.
    if (decision?.kind === 'open') return open(decision.because, decision.events, first ?? held.take());
    if (first !== null) held.append(first);
    if (decision === null) return null;
    failure = decision;
    return failed(decision);
  };

  return {
    feed(chunk) {
      use();
      const events = reader.push(chunk);
      receivedBytes += chunk.length;
      if (failure !== null) {
        readOn(chunk, events, failure.atByte);
        return failed(failure);
      }
      const isFirst = held.length === 0;
      if (!isFirst) held.append(chunk);
      return settle(events, isFirst ? chunk : null) ?? { kind: 'holding', live: events.some(({ label }) => label !== 'heartbeat') };
    },
    finish() {
      use();
      const events = reader.finish();
      if (failure !== null) {
        readOn(NOTHING, events, failure.atByte);
        return failed(failure);
      }
      const verdict = settle(events, null);
      if (verdict !== null) return verdict;
      over = true;
      return { kind: 'ended_early', kept: held.take().subarray(0, completeBytes), receivedBytes };
    },
    letGo() {
      use();
      return failure === null ? open('let_go', [], held.take()) : failed(failure);
    },
  };
}
