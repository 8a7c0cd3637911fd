import { createByteBuffer } from '../core/byte-buffer.ts';
import type { StreamReader } from '../core/wire-format.ts';
import { firstTellingByte } from './first-byte.ts';

// Larger events are passed on in pieces: memory stays bounded (SPEC 6.5).
const LONGEST_WITHHELD_BYTES = 64 * 1024;

/** Passes a stream on in complete events: an incomplete one waits for its rest, and is dropped when the stream breaks, so that nothing is ever put behind half an event. */
export interface EventCutter {
  /** The held bytes: whole events, and the beginning of the next. */
  begin(complete: Uint8Array, tail: Uint8Array): void;
  /** Bytes that the reader has just been given. */
  take(chunk: Uint8Array): void;
  /** The stream ended by itself: what counted as an event without its blank line goes out, and blanks; half an event never does. */
  finish(lastEventEndByte: number): void;
}

/** Cuts by what `reader` says of where events end. `write` gets the bytes in order, each once; `boundary` when they end with an event. */
export function createEventCutter(reader: StreamReader, write: (bytes: Uint8Array, boundary: boolean) => void): EventCutter {
  const withheld = createByteBuffer();
  let receivedBytes = 0;
  let writtenBytes = 0;

  const emit = (bytes: Uint8Array, boundary: boolean): void => {
    writtenBytes += bytes.byteLength;
    write(bytes, boundary);
  };
  const withhold = (bytes: Uint8Array, boundaryByte: number): void => {
    if (bytes.byteLength === 0) return;
    // Once a part of an event is out, waiting with its rest protects nothing.
    const rest = writtenBytes > boundaryByte;
    if (rest && withheld.length === 0) { emit(bytes, false); return; }
    withheld.append(bytes);
    if (rest || withheld.length > LONGEST_WITHHELD_BYTES) emit(withheld.take(), false);
  };

  return {
    begin: (complete, tail) => {
      receivedBytes = complete.byteLength + tail.byteLength;
      if (complete.byteLength > 0) emit(complete, true);
      withhold(tail, complete.byteLength);
    },
    take: (chunk) => {
      const before = receivedBytes;
      receivedBytes += chunk.byteLength;
      const boundaryByte = receivedBytes - reader.pendingBytes();
      if (boundaryByte <= writtenBytes) { withhold(chunk, boundaryByte); return; }
      if (boundaryByte > before) {
        const whole = chunk.subarray(0, boundaryByte - before);
        if (withheld.length === 0) emit(whole, true);
        else {
          withheld.append(whole);
          emit(withheld.take(), true);
        }
        withhold(chunk.subarray(boundaryByte - before), boundaryByte);
        return;
      }
      // The chunk showed that the withheld bytes were whole: a lone CR that ended them was no half CRLF.
      const waiting = withheld.take();
      const whole = boundaryByte - writtenBytes;
      emit(waiting.subarray(0, whole), true);
      withheld.append(waiting.subarray(whole));
      withhold(chunk, boundaryByte);
    },
    finish: (lastEventEndByte) => {
      if (withheld.length === 0) return;
      const waiting = withheld.take();
      const whole = Math.max(0, lastEventEndByte - writtenBytes);
      const rest = firstTellingByte(waiting.subarray(whole), false) < 0 ? waiting.byteLength : whole;
      if (rest > 0) emit(waiting.subarray(0, rest), true);
    },
  };
}
