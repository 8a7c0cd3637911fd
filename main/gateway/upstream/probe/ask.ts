import { decodeBody, isEncoded, type BodyEvents } from '../decoding.ts';
import type { Clock } from '../../ports.ts';
import type { NetworkFault, NetworkPhase } from '../network-failure.ts';
import { first, type RawResponseHeaders } from '../response-headers.ts';
import { startWire, type Pools, type WireRequest } from '../wire.ts';

/** What became of a request whose answer is wanted whole. */
export type Asked =
  | { readonly kind: 'answer'; readonly status: number; readonly headers: RawResponseHeaders; readonly body: Uint8Array }
  | { readonly kind: 'failed'; readonly fault: NetworkFault; readonly phase: NetworkPhase }
  | { readonly kind: 'timed_out' | 'too_large' };

/** Sends a request and waits up to `timeoutMs` for its whole answer of up to `mostBytes`. Never rejects, leaves nothing behind. */
export function ask(clock: Clock, pools: Pools, request: WireRequest, limits: { readonly timeoutMs: number; readonly mostBytes: number }): Promise<Asked> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let head: { readonly status: number; readonly headers: RawResponseHeaders } | null = null;
    let input: BodyEvents | null = null;
    let bytes = 0;
    let over = false;
    const finish = (asked: Asked): void => {
      if (over) return;
      over = true;
      cancel();
      wire.abort();
      resolve(asked);
    };
    const cancel = clock.timer(limits.timeoutMs, () => { finish({ kind: 'timed_out' }); });
    const body: BodyEvents = {
      data: (chunk) => {
        bytes += chunk.byteLength;
        if (bytes > limits.mostBytes) finish({ kind: 'too_large' });
        else parts.push(Uint8Array.from(chunk));
      },
      end: () => { if (head !== null) finish({ kind: 'answer', ...head, body: Buffer.concat(parts) }); },
      fail: (fault) => { finish({ kind: 'failed', fault, phase: 'body' }); },
    };
    const wire = startWire(pools, request, {
      head: (status, headers) => {
        head = { status, headers };
        const encoding = first(headers['content-encoding']);
        input = isEncoded(encoding) ? decodeBody(encoding, body, { pause: () => { wire.pause(); }, resume: () => { wire.resume(); }, drop: () => { wire.abort(); } }).into : body;
      },
      data: (chunk) => input?.data(chunk),
      end: () => input?.end(),
      fail: (fault, phase) => {
        if (input === null) finish({ kind: 'failed', fault, phase });
        else input.fail(fault);
      },
    });
  });
}
