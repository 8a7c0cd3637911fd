import { Pool } from 'undici';
import { modelFor } from '../answers.ts';
import { KEY } from '../targets/target.ts';
import type { Job } from './job.ts';

/** How one request went. */
export interface Outcome { readonly whole: boolean; readonly status: number }

/** Sends requests of one kind to a target. */
export interface Client {
  /** `onData` gets each chunk of the answer. Never rejects. */
  send(body: Buffer, onData: (chunk: Buffer) => void): Promise<Outcome>;
  close(): Promise<void>;
}

const PATHS = { chat: '/v1/chat/completions', anthropic: '/v1/messages' } as const;
const PATIENCE_MS = 60_000;

/** A client with as many connections as it sends requests at once. */
export function createClient({ url, format }: Pick<Job, 'url' | 'format'>, connections: number): Client {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const headers = {
    'content-type': 'application/json', authorization: `Bearer ${KEY}`, 'user-agent': 'bench/1',
    ...(format === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
  };
  return {
    send: (body, onData) => new Promise((resolve) => {
      let status = 0;
      pool.dispatch({ path: PATHS[format], method: 'POST', headers, body }, {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => { status = code; },
        onResponseData: (_controller, chunk) => { onData(chunk); },
        onResponseEnd: () => { resolve({ whole: true, status }); },
        onResponseError: () => { resolve({ whole: false, status }); },
      });
    }),
    close: () => pool.destroy(),
  };
}

/** A conversation of about this many bytes, as coding tools send them: text with quotes and line ends. */
export function requestBody(bytes: number, stream: { readonly events: number; readonly perSec: number } | null): Buffer {
  const turn = (n: number) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: `Turn ${n}: ${'return a + b; // "sum" of the two\n'.repeat(20)}` });
  const messages = [turn(0)];
  const request = { model: modelFor(stream), max_tokens: 1_024, ...(stream === null ? {} : { stream: true }), messages };
  const missing = (): number => bytes - Buffer.byteLength(JSON.stringify(request));
  const eachBytes = Buffer.byteLength(JSON.stringify(turn(1_000)));
  for (let left = missing(); left > 2 * eachBytes; left -= eachBytes) messages.push(turn(messages.length));
  messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content: '' });
  const last = messages.at(-1);
  if (last !== undefined) last.content = 'x'.repeat(Math.max(0, missing()));
  return Buffer.from(JSON.stringify(request));
}
