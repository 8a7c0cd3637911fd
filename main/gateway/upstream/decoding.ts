import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { NetworkFault } from './network-failure.ts';

/** Where the bytes of a body go. `end` and `fail` come at most once and last. */
export interface BodyEvents {
  data(chunk: Uint8Array): void;
  end(): void;
  fail(fault: NetworkFault): void;
}

/** Stops and starts a flow of bytes; `drop` ends it without a word. */
export interface Flow {
  pause(): void;
  resume(): void;
  drop(): void;
}

/** Whether a body comes in an encoding that has to be undone (SPEC 1.7). */
export function isEncoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && !['', 'identity'].includes(encoding.trim().toLowerCase());
}

/**
 * Undoes the encoding of a body as it comes: what one network read holds goes on at once, event by event. Bytes that are not in the
 * named encoding, and encodings that are not known, end in `fail` with `body_encoding`; memory stays within the streams' own buffers.
 */
export function decodeBody(encoding: string, to: BodyEvents, from: Flow): { readonly into: BodyEvents; readonly flow: Flow } {
  const name = encoding.trim().toLowerCase();
  let decoder: Transform | null = null;
  let over = false;

  const fail = (fault: NetworkFault): void => {
    if (over) return;
    over = true;
    decoder?.destroy();
    to.fail(fault);
  };
  const begin = (firstByte: number): Transform | null => {
    const made = makeDecoder(name, firstByte);
    if (made === null) return null;
    made.on('data', (chunk: Buffer) => { if (!over) to.data(chunk); });
    made.on('end', () => { if (!over) { over = true; to.end(); } });
    made.on('error', (error: NodeJS.ErrnoException) => {
      fail(error.code === 'Z_BUF_ERROR' ? { code: 'body_broken', detail: `the ${name} body ended before its end` } : { code: 'body_encoding', detail: `the body is not ${name}: ${error.message}` });
    });
    made.on('drain', () => { from.resume(); });
    return made;
  };

  return {
    into: {
      data: (chunk) => {
        if (over || chunk.byteLength === 0) return;
        decoder ??= begin(chunk[0] ?? 0);
        if (decoder === null) fail({ code: 'body_encoding', detail: `the encoding ${name.slice(0, 40)} is not known` });
        else if (!decoder.write(chunk)) from.pause();
      },
      end: () => {
        if (over) return;
        if (decoder !== null) { decoder.end(); return; }
        over = true;
        to.end();
      },
      fail: (fault) => {
        if (over || decoder === null) { fail(fault); return; }
        // What came before the break is still inside the decoder; it goes out first, so that nothing that arrived is lost.
        decoder.once('error', () => undefined);
        decoder.write(Buffer.alloc(0), () => { fail(fault); });
      },
    },
    flow: {
      pause: () => { decoder?.pause(); },
      resume: () => { decoder?.resume(); },
      drop: () => {
        over = true;
        decoder?.destroy();
        from.drop();
      },
    },
  };
}

function makeDecoder(name: string, firstByte: number): Transform | null {
  const flushed = { flush: zlib.constants.Z_SYNC_FLUSH };
  switch (name) {
    case 'gzip':
    case 'x-gzip': return zlib.createGunzip(flushed);
    // Some servers mean the bare format; the first byte of the proper one says method 8.
    case 'deflate': return (firstByte & 0x0f) === 8 ? zlib.createInflate(flushed) : zlib.createInflateRaw(flushed);
    case 'br': return zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH });
    case 'zstd': return createZstd();
    default: return null;
  }
}

// Older runtimes have none, whatever the types say.
function createZstd(): Transform | null {
  const known: object = zlib;
  return 'createZstdDecompress' in known ? zlib.createZstdDecompress({ flush: zlib.constants.ZSTD_e_flush }) : null;
}
