import type { Opened } from './ports.ts';

/** A whole answer that the gateway has itself, as if an upstream had just given it: nothing was sent, nothing is known of model or tokens. */
export function answerAtHand(status: number, headers: Opened['headers'], body: Uint8Array, nowMs: number): Opened {
  return {
    kind: 'opened', status, headers, stream: false, whole: body,
    relay: (sink) => {
      sink.write(body, { boundary: true, content: true, terminal: true });
      return Promise.resolve({
        end: 'complete', failure: null, facts: { model: null, usage: null, finishReason: null },
        position: { events: 0, sequence: null, responseId: null, model: null }, firstContentMs: nowMs,
        report: { startedMs: nowMs, endedMs: nowMs, sentWhole: false, resent: false, bytes: 0 },
      });
    },
  };
}
