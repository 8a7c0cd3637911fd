import type { DryRunRequest } from '../../../shared/dry-run.ts';
import { formatByName } from '../core/formats/index.ts';
import type { Clock, Reply } from '../ports.ts';
import { refusalAnswer, refusalEvents } from './refusal.ts';

const LONGEST_TEXT = 2_000;

/** The client of a dry run: it stays, and keeps what it is told. A stream gets its head after the silence that a keep-alive ends (SPEC 6.2), a refusal after that is an event. */
export function createSimulatedReply(clock: Clock, { id, atMs, format: name, model, streamed }: Pick<DryRunRequest, 'format' | 'model' | 'streamed'> & { readonly id: string; readonly atMs: number }, keepAliveMs: number): { readonly reply: Reply; text(): string | null; leave(): void } {
  const gone = new AbortController();
  let text: string | null = null;
  const reply: Reply = {
    gone: gone.signal,
    send: async (opened) => {
      const relayed = await opened.relay({ write: () => true, whenDrained: () => undefined });
      return { status: opened.status, bytes: relayed.report.bytes, clientGone: gone.signal.aborted, relayed };
    },
    refuse: (refusal) => {
      const context = { format: formatByName(name), framing: 'sse' as const, streamed, requestId: id, model, createdSecs: Math.floor(clock.utc() / 1_000) };
      const headIsOut = streamed && clock.now() - atMs >= keepAliveMs;
      const answer = headIsOut ? { status: 200, body: refusalEvents(refusal, context) } : refusalAnswer(refusal, context);
      text = new TextDecoder().decode(answer.body).trim().slice(0, LONGEST_TEXT);
      return Promise.resolve({ status: answer.status, bytes: answer.body.byteLength, clientGone: gone.signal.aborted });
    },
  };
  return { reply, text: () => text, leave: () => { gone.abort(); } };
}
