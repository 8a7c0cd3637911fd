import { MAX_EVENT_BYTES } from '../wire-format.ts';
import { type Block, createBlockBuffer, type Splitter } from './block.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts server-sent events at their empty lines (SPEC 5.3): LF, CRLF and lone CR, mixed, cut anywhere. Comments and extra empty lines are blocks of their own.
 *
 * A CR that ends an empty line may be half of a CRLF. After a lone CR it is taken as a lone CR at once (a LF that follows then leads the next block, where it means
 * nothing); otherwise the block waits for the next byte. So where a block ends follows from the bytes alone, never from the chunks.
 */
export function createSseSplitter(): Splitter {
  const block = createBlockBuffer();
  let blockStart = 0;
  let received = 0;
  let lineIsEmpty = true;
  let afterCr = false;
  let awaitsLf = false;

  const endBlock = (bytes: Uint8Array, terminated: boolean): Block => {
    const startByte = blockStart;
    blockStart = startByte + block.length + bytes.length;
    const ended = block.end(bytes);
    return { endByte: blockStart, terminated, closing: false, ...ended };
  };

  const push = (chunk: Uint8Array): readonly Block[] => {
    const blocks: Block[] = [];
    let from = 0;
    const cut = (to: number): void => {
      blocks.push(endBlock(chunk.subarray(from, to), true));
      from = to;
      awaitsLf = false;
      lineIsEmpty = true;
    };
    let at = 0;
    let lf = chunk.indexOf(LF);
    let cr = chunk.indexOf(CR);
    while (at < chunk.length) {
      if (afterCr && chunk[at] === LF) {
        // The second half of a CRLF.
        at += 1;
        afterCr = false;
        lf = chunk.indexOf(LF, at);
        if (awaitsLf) cut(at);
        continue;
      }
      if (awaitsLf) cut(at);
      if (lf === -1 && cr === -1) {
        lineIsEmpty = false;
        afterCr = false;
        break;
      }
      const isCr = lf === -1 || (cr !== -1 && cr < lf);
      const end = isCr ? cr : lf;
      const emptyLine = lineIsEmpty && end === at;
      const afterLoneCr = afterCr && end === at;
      at = end + 1;
      lineIsEmpty = true;
      afterCr = isCr;
      if (isCr) cr = chunk.indexOf(CR, at);
      else lf = chunk.indexOf(LF, at);
      if (!emptyLine) continue;
      if (isCr && !afterLoneCr) awaitsLf = true;
      else cut(at);
    }
    if (from < chunk.length) block.append(chunk.subarray(from));
    received += chunk.length;
    return blocks;
  };

  return {
    push,
    finish: () => (block.length === 0 ? null : endBlock(new Uint8Array(0), awaitsLf)),
    pendingBytes: () => received - blockStart,
    oversized: () => block.length > MAX_EVENT_BYTES,
  };
}

/** The fields of one event (SPEC 5.3). */
export interface SseFields {
  readonly name: string | null;
  /** The data lines joined with LF; null when there is none. */
  readonly data: string | null;
}

/** Reads the fields of a block. Comments, `id`, `retry` and unknown fields mean nothing here. */
export function readSseFields(block: string): SseFields {
  const text = block.includes('\r') ? block.replace(/\r\n?/g, '\n') : block;
  let name: string | null = null;
  let data: string | null = null;
  let from = 0;
  while (from < text.length) {
    const lf = text.indexOf('\n', from);
    const end = lf === -1 ? text.length : lf;
    if (text.startsWith('data', from)) {
      const value = fieldValue(text, from + 4, end);
      if (value !== null) data = data === null ? value : `${data}\n${value}`;
    } else if (text.startsWith('event', from)) {
      name = fieldValue(text, from + 5, end) ?? name;
    }
    from = end + 1;
  }
  return { name, data };
}

/** What stands after a field's name, or null when the name goes on (`database:` is no `data`). */
function fieldValue(text: string, at: number, end: number): string | null {
  if (at === end) return '';
  if (text[at] !== ':') return null;
  return text.slice(text[at + 1] === ' ' ? at + 2 : at + 1, end);
}
