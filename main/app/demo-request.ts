import { request } from 'node:http';
import type { DemoSent } from '../../shared/ipc.ts';

/** The model that fails twice before it answers (SPEC 2.8). */
export const DEMO_MODEL = 'demo/flaky';

export interface DemoTarget {
  /** Address of the running endpoint. */
  readonly url: string;
  /** A gateway key; null when there is none, which is enough where none is asked for. */
  readonly key: string | null;
  readonly model: string;
  readonly version: string;
}

/** Sends one streamed request to the demo upstream through the real endpoint. Resolves when it is on its way; the answer is read to its end and dropped. */
export function sendDemoRequest({ url, key, model, version }: DemoTarget): Promise<DemoSent> {
  return new Promise((resolve) => {
    const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello from the first steps.' }] });
    const outgoing = request(new URL('/v1/chat/completions', url), {
      method: 'POST',
      // A connection of its own: nothing else is sent this way, so none is kept open.
      agent: false,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': `Holdfast/${version}`,
      },
    });
    outgoing.on('finish', () => { resolve({ kind: 'sent' }); });
    outgoing.on('response', (response) => {
      // A cut answer is told by the exchange's own row.
      response.on('error', () => undefined);
      response.resume();
    });
    outgoing.on('error', () => { resolve({ kind: 'failed', reason: 'gateway_not_running' }); });
    outgoing.end(body);
  });
}
