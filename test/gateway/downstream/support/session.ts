import type { UpstreamFailure } from '../../../../shared/failure.ts';
import type { SentEnding } from '../../../../main/gateway/ports.ts';
import { drivenAnswer, NOTES } from './harness.ts';
import type { DrivenAnswer, Harness, Run } from './harness.ts';
import { rawClient, requestText } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';

const KEY = { 'x-api-key': 'hf-test' };
export const STREAM = '{"model":"m","stream":true}';

/** A path that streams, for each format. */
export const FORMATS = {
  anthropic: '/v1/messages', chat: '/v1/chat/completions', responses: '/v1/responses', gemini: '/v1beta/models/m:streamGenerateContent?alt=sse', array: '/v1beta/models/m:streamGenerateContent',
};

export interface Session { readonly client: RawClient; readonly answer: DrivenAnswer; readonly run: Run; readonly ending: Promise<SentEnding>; readonly send: () => void }

/** A client that asked for a stream, and an answer that the test writes once it calls `send`. */
export async function session(harness: Harness, path: string, headers: Record<string, string> = {}, body = STREAM, answer = drivenAnswer()): Promise<Session> {
  let send: () => void = () => undefined;
  let settle: (ending: SentEnding) => void = () => undefined;
  const ending = new Promise<SentEnding>((resolve) => { settle = resolve; });
  const gate = new Promise<void>((resolve) => { send = resolve; });
  harness.script = async ({ reply }) => {
    await Promise.race([gate, new Promise((resolve) => { reply.gone.addEventListener('abort', resolve); })]);
    if (!reply.gone.aborted) settle(await reply.send(answer.opened, { ...NOTES, retries: 2 }));
  };
  const client = await rawClient(harness.port);
  client.send(requestText(`POST ${path}`, { ...KEY, ...headers }, body));
  const run = await harness.whenRuns(1);
  return { client, answer, run, ending, send };
}

/** The same, with the answer already on its way. */
export async function sent(harness: Harness, path: string, headers?: Record<string, string>, answer?: DrivenAnswer): Promise<Session> {
  const all = await session(harness, path, headers, STREAM, answer);
  all.send();
  await all.client.seen('\r\n\r\n');
  return all;
}

/** Writes more than the buffers of two sockets hold; returns the bytes. */
export function fill(answer: DrivenAnswer): number {
  const piece = Buffer.from(`data: ${'x'.repeat(65_000)}\n\n`);
  for (let written = 0; written < 500; written++) answer.write(piece);
  return 500 * piece.length;
}

/** An upstream that broke off after content. */
export const failure = (more: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  class: 'transient', code: 'stream_broken', upstreamId: 'a', status: 502, type: null, message: 'the connection broke', hintMs: null, where: 'after_content', sentWhole: true, ...more,
});
