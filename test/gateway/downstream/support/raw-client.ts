import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createSignals } from '../../../support/signals.ts';

/** A client that writes and reads bytes, so that tests see exactly what is on the wire. */
export interface RawClient {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** All that came so far, one character per byte. */
  text(): string;
  /** Resolves with all that came as soon as it contains this. */
  seen(part: string): Promise<string>;
  /** Resolves when the gateway has ended or reset the connection, with all that came. */
  closed(): Promise<string>;
  reset(): void;
}

/** Connects to a port of 127.0.0.1, or of another host. */
export async function rawClient(port: number, host = '127.0.0.1'): Promise<RawClient> {
  const signals = createSignals();
  let chunks: string[] = [];
  let ended = false;
  const socket = connect({ port, host, allowHalfOpen: true });
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk.toString('latin1'));
    signals.changed();
  });
  const text = (): string => {
    chunks = [chunks.join('')];
    return chunks[0] ?? '';
  };
  // Looks at what is new only: some tests move many megabytes.
  const finder = (part: string): (() => boolean) => {
    let found = text().includes(part);
    let seenChunks = chunks.length;
    return () => {
      const from = Math.min(seenChunks, chunks.length) - 1;
      found ||= (chunks[from]?.slice(-part.length) ?? '').concat(...chunks.slice(from + 1)).includes(part) || (chunks.length < seenChunks && text().includes(part));
      seenChunks = chunks.length;
      return found;
    };
  };
  const end = (): void => {
    ended = true;
    signals.changed();
  };
  socket.on('end', end).on('close', end).on('error', end);
  await new Promise<void>((resolve, reject) => { socket.once('connect', resolve).once('error', reject); });
  return {
    socket,
    send: (text) => { socket.write(typeof text === 'string' ? Buffer.from(text, 'utf8') : text); },
    text,
    seen: async (part) => {
      const found = finder(part);
      await signals.when(() => found() || ended);
      if (!text().includes(part)) throw new Error(`the connection ended without ${JSON.stringify(part)}; it brought ${JSON.stringify(text().slice(0, 2_000))}`);
      return text();
    },
    closed: async () => {
      await signals.when(() => ended);
      socket.destroy();
      return text();
    },
    reset: () => { socket.resetAndDestroy(); },
  };
}

/** The bytes of one request. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body: string | null = null): string {
  const all: Record<string, string> = {
    host: 'localhost', ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }), ...headers,
  };
  return `${line} HTTP/1.1\r\n${Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

/** Status, headers and body of the one response in this text. */
export function parseResponse(text: string): { status: number; headers: Record<string, string>; body: string } {
  const gap = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, gap).split('\r\n');
  const headers = Object.fromEntries(lines.map((entry) => [entry.slice(0, entry.indexOf(':')).toLowerCase(), entry.slice(entry.indexOf(':') + 1).trim()]));
  const raw = text.slice(gap + 4);
  return { status: Number(line.split(' ')[1]), headers, body: headers['transfer-encoding'] === 'chunked' ? unchunked(raw) : raw };
}

function unchunked(raw: string): string {
  let rest = raw;
  let body = '';
  for (;;) {
    const gap = rest.indexOf('\r\n');
    const size = gap < 0 ? 0 : Number.parseInt(rest.slice(0, gap), 16);
    if (size === 0 || Number.isNaN(size)) return body;
    body += rest.slice(gap + 2, gap + 2 + size);
    rest = rest.slice(gap + 4 + size);
  }
}

/** Whether a chunked response in this text has its end. */
export function endsProperly(text: string): boolean {
  return text.endsWith('0\r\n\r\n');
}
