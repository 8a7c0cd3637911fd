import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Clock } from '../ports.ts';

/** Slow bodies are cut after this (SPEC 1.1). */
export const BODY_TIMEOUT_MS = 300_000;

// Bodies of a declared length up to this are put where they belong as they come; for a longer one no memory is taken on the client's word alone.
const MOST_BYTES_AHEAD = 4 * 1024 * 1024;

/** How reading a request body ended. `left`: the client went away. With `unread` the rest was not taken, and the connection cannot be used again. */
export type BodyReading =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' | 'slow'; readonly unread: boolean }
  | { readonly kind: 'encoding_unknown'; readonly encoding: string; readonly unread: boolean }
  | { readonly kind: 'encoding_broken'; readonly encoding: string }
  | { readonly kind: 'left' };

/** Reads the whole body, up to `limitBytes` of decoded bytes; what is above is read and thrown away (SPEC 1.6). Never rejects. */
export async function readBody(request: IncomingMessage, response: ServerResponse, limitBytes: number, clock: Clock): Promise<BodyReading> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decode = encoding === '' || encoding === 'identity' ? null : decoderOf(encoding);
  if (decode === undefined) return { kind: 'encoding_unknown', encoding: encoding.slice(0, 40), unread: !(await discardBody(request, clock)) };
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limitBytes) return { kind: 'too_large', unread: !(await discardBody(request, clock)) };
  if (expectsContinue(request)) response.writeContinue();
  const read = await collect(request, limitBytes, clock);
  if (read.kind !== 'body' || decode === null) return read;
  return decode(read.bytes, limitBytes, encoding);
}

/** Reads the body and throws it away, so that an answer is not lost with the connection; false when the client holds it back or is too slow. */
export async function discardBody(request: IncomingMessage, clock: Clock): Promise<boolean> {
  if (request.complete && request.readableEnded) return true;
  // Asked first, the client sends nothing until it is told to.
  if (expectsContinue(request)) return false;
  const end = await collect(request, 0, clock);
  return end.kind !== 'left' && !('unread' in end && end.unread);
}

function expectsContinue(request: IncomingMessage): boolean {
  return /^100-continue$/i.test(request.headers.expect?.trim() ?? '');
}

function collect(request: IncomingMessage, limitBytes: number, clock: Clock): Promise<BodyReading> {
  return new Promise((resolve) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    let chunks: Buffer[] = [];
    let whole: Buffer | null = null;
    let sizeBytes = 0;
    const settle = (reading: BodyReading): void => {
      cancel();
      request.off('data', take).off('end', end).off('close', left).off('error', left);
      // A request that is destroyed later may still report an error.
      request.on('error', ignore);
      resolve(reading);
    };
    const take = (chunk: Buffer): void => {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) {
        chunks = [];
        whole = null;
        return;
      }
      const isFirst = sizeBytes === chunk.length;
      if (isFirst && chunk.length < declared && declared <= Math.min(limitBytes, MOST_BYTES_AHEAD)) whole = Buffer.allocUnsafeSlow(declared);
      if (whole === null) chunks.push(chunk);
      else whole.set(chunk, sizeBytes - chunk.length);
    };
    const end = (): void => {
      if (sizeBytes > limitBytes) return settle({ kind: 'too_large', unread: false });
      settle({ kind: 'body', bytes: whole ?? (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, sizeBytes)) });
    };
    const left = (): void => { settle({ kind: 'left' }); };
    const cancel = clock.timer(BODY_TIMEOUT_MS, () => { settle({ kind: sizeBytes > limitBytes ? 'too_large' : 'slow', unread: true }); });
    if (request.destroyed && !request.readableEnded) return left();
    if (request.readableEnded) return end();
    request.on('data', take).on('end', end).on('close', left).on('error', left);
  });
}

function ignore(): void { /* The end of the exchange is told by its own events. */ }

type Decode = (bytes: Buffer, limitBytes: number, encoding: string) => Promise<BodyReading>;
type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

// undefined: an encoding that this runtime does not know.
function decoderOf(encoding: string): Decode | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip': return decodeBy(promisify(zlib.gunzip));
    case 'deflate': return decodeBy(inflateEither);
    case 'br': return decodeBy(promisify(zlib.brotliDecompress));
    // Older runtimes have no zstd.
    case 'zstd': return typeof zlib.zstdDecompress === 'function' ? decodeBy(promisify(zlib.zstdDecompress)) : undefined;
    default: return undefined;
  }
}

function decodeBy(inflate: Inflate): Decode {
  return async (bytes, limitBytes, encoding) => {
    try {
      return { kind: 'body', bytes: await inflate(bytes, { maxOutputLength: Math.max(limitBytes, 1) }) };
    } catch (error) {
      const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
      return tooLarge ? { kind: 'too_large', unread: false } : { kind: 'encoding_broken', encoding };
    }
  };
}

// Some senders of "deflate" leave the zlib wrapper away.
async function inflateEither(bytes: Buffer, options: { maxOutputLength: number }): Promise<Buffer> {
  const wrapped = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) + (bytes[1] ?? 0)) % 31 === 0;
  return wrapped ? promisify(zlib.inflate)(bytes, options) : promisify(zlib.inflateRaw)(bytes, options);
}
