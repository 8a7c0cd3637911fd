/** Bytes that grow at their end. */
export interface ByteBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** What was appended so far, in place; what is done to the buffer later does not change these bytes. */
  view(): Uint8Array;
  /** Takes the bytes away; the buffer is empty afterwards and never touches them again. */
  take(): Uint8Array;
  clear(): void;
}

const FIRST_CAPACITY = 1_024;

/** An empty buffer. Copies what comes in (each byte at most twice on average), so that thousands of tiny chunks cost no thousands of objects. */
export function createByteBuffer(): ByteBuffer {
  let bytes = new Uint8Array(0);
  let length = 0;
  const clear = (): void => {
    bytes = new Uint8Array(0);
    length = 0;
  };
  return {
    get length() {
      return length;
    },
    append(more) {
      const needed = length + more.length;
      if (needed > bytes.length) {
        const grown = new Uint8Array(Math.max(needed, 2 * bytes.length, FIRST_CAPACITY));
        grown.set(bytes.subarray(0, length));
        bytes = grown;
      }
      bytes.set(more, length);
      length = needed;
    },
    view: () => bytes.subarray(0, length),
    take() {
      const taken = bytes.subarray(0, length);
      clear();
      return taken;
    },
    clear,
  };
}
