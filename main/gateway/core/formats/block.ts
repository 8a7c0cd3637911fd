import { createByteBuffer } from '../byte-buffer.ts';
import { MAX_EVENT_BYTES } from '../wire-format.ts';
import { createSkeleton, type Skeleton } from './skeleton.ts';
import { decodeText } from './text.ts';

/** The bytes between two places where a stream may be cut. */
export interface Block {
  readonly endByte: number;
  /** The block as text; of an oversized one with its long texts cut, or null when nothing of it could be kept. */
  readonly text: string | null;
  readonly oversized: boolean;
  /** False: the stream ended inside it. */
  readonly terminated: boolean;
  /** The bracket that closes a JSON array. */
  readonly closing: boolean;
}

/** Cuts a stream into blocks. */
export interface Splitter {
  /** Blocks that end in this chunk, in order. */
  push(chunk: Uint8Array): readonly Block[];
  /** The block that was open when the stream ended, if any. */
  finish(): Block | null;
  /** Bytes since the end of the last block. */
  pendingBytes(): number;
  oversized(): boolean;
}

/** Collects the bytes of one block after the other: at most 1 MiB of one, a skeleton of a longer one. */
export interface BlockBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Ends the block with these last bytes and begins the next one. */
  end(bytes: Uint8Array): { readonly text: string | null; readonly oversized: boolean };
}

/** An empty block. */
export function createBlockBuffer(): BlockBuffer {
  const kept = createByteBuffer();
  let skeleton: Skeleton | null = null;
  let length = 0;

  const append = (bytes: Uint8Array): void => {
    length += bytes.length;
    if (skeleton === null && length > MAX_EVENT_BYTES) {
      skeleton = createSkeleton();
      skeleton.push(kept.view());
      kept.clear();
    }
    if (skeleton === null) kept.append(bytes);
    else skeleton.push(bytes);
  };

  return {
    get length() {
      return length;
    },
    append,
    end(bytes) {
      // The common case: the block lies in one chunk and is read where it stands.
      if (length === 0 && bytes.length <= MAX_EVENT_BYTES) return { text: decodeText(bytes), oversized: false };
      append(bytes);
      const ended = { text: skeleton === null ? decodeText(kept.view()) : skeleton.text(), oversized: skeleton !== null };
      kept.clear();
      skeleton = null;
      length = 0;
      return ended;
    },
  };
}
