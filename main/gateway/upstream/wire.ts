import type { Socket } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { skipInterimResponses } from './interim-responses.ts';
import { couldBeStale, networkFault, type NetworkFault, type NetworkPhase } from './network-failure.ts';
import type { RawResponseHeaders } from './response-headers.ts';
import { tellSocketOfRequest } from './socket-of-request.ts';
import type { FaultError } from './tunnel.ts';

/** One request as it goes out. */
export interface WireRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Shared pieces, never changed; empty for none. */
  readonly body: readonly Uint8Array[];
}

/** What becomes of it. `end` and `fail` come at most once and last; nothing comes after `abort`. */
export interface WireEvents {
  head(status: number, headers: RawResponseHeaders): void;
  data(chunk: Uint8Array): void;
  end(): void;
  fail(fault: NetworkFault, phase: NetworkPhase): void;
}

/** A request under way. */
export interface Wire {
  /** One chunk may still come after it. */
  pause(): void;
  resume(): void;
  /** Closes the connection at once. */
  abort(): void;
  /** Whether there was a connection to send it on. */
  connected(): boolean;
  /** Whether every byte of the request has left this process. */
  sentWhole(): boolean;
  /** Whether it was sent a second time on a new connection (SPEC 4.6). */
  resent(): boolean;
}

/** Pools to send on: `pooled` reuses connections, `fresh` makes one for each request. */
export interface Pools { readonly pooled: Agent; readonly fresh: Agent }

// What is taken from one connection before all others get their turn: a long answer that comes as fast as it can be read keeps nobody waiting.
const MOST_BYTES_IN_A_ROW = 256 * 1024;

// Sockets that have carried a request before.
const used = new WeakSet<Socket>();

/** Sends a request. Never throws: what the library refuses comes as `fail`. */
export function startWire(pools: Pools, request: WireRequest, events: WireEvents): Wire {
  const secure = request.origin.startsWith('https:');
  const bodyBytes = request.body.reduce((sum, piece) => sum + piece.byteLength, 0);
  let controller: Dispatcher.DispatchController | null = null;
  let socket: Socket | null = null;
  let reused = false;
  let answerBegun = false;
  let headSeen = false;
  let handedOver = false;
  let flushed = false;
  let resent = false;
  let sentWholeBefore = false;
  let over = false;
  let paused = false;
  let resting = false;
  let bytesInARow = 0;

  const resume = (): void => { if (!paused && !resting) controller?.resume(); };
  const giveWay = (): void => {
    resting = true;
    controller?.pause();
    setImmediate(() => {
      resting = false;
      bytesInARow = 0;
      if (!over) resume();
    });
  };
  const sentWhole = (): boolean => {
    flushed ||= handedOver && socket !== null && !socket.destroyed && socket.writableLength === 0;
    return flushed || sentWholeBefore;
  };
  const settle = (): void => {
    over = true;
    socket?.off('drain', sentWhole);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      if (over) { started.abort(new Error('not wanted any more')); return; }
      controller = started;
      tellSocketOfRequest((carrier) => {
        socket = carrier;
        reused = used.has(carrier);
        used.add(carrier);
        handedOver = request.body.length < 2;
        // Written in this same step. What the system did not take at once has left when the socket drains.
        queueMicrotask(() => { if (!sentWhole()) carrier.once('drain', sentWhole); });
        skipInterimResponses(carrier, () => { answerBegun = true; });
      });
    },
    onResponseStart: (_controller, status, headers) => {
      if (over || status < 200) return;
      headSeen = true;
      sentWhole();
      events.head(status, headers);
    },
    onResponseData: (_controller, chunk) => {
      if (over) return;
      events.data(chunk);
      bytesInARow += chunk.byteLength;
      if (bytesInARow >= MOST_BYTES_IN_A_ROW && !resting) giveWay();
    },
    onResponseEnd: () => {
      if (over) return;
      settle();
      // An answer that came ahead of the whole request leaves the rest of it in the pipe: not a connection for others.
      if (!sentWhole()) socket?.destroy();
      // A body that only the end of the connection ends looks whole to the library even when a reset ended it.
      if (socket?.errored != null && isBreak(socket.errored)) events.fail(networkFault(socket.errored, 'body', secure), 'body');
      else events.end();
    },
    onResponseError: (_controller, error) => {
      if (over) return;
      if (reused && !answerBegun && !headSeen && !resent && couldBeStale(error)) {
        resent = true;
        // What went out once may have been billed, whatever becomes of the second time.
        sentWholeBefore = flushed;
        controller = socket = null;
        reused = handedOver = flushed = false;
        send(pools.fresh, true);
        return;
      }
      settle();
      sentWhole();
      const phase: NetworkPhase = socket === null ? 'connect' : headSeen ? 'body' : 'head';
      // Bytes of a request that was sent again have been sent: its failure is none of connecting, whatever its name.
      events.fail(faultOf(error) ?? networkFault(error, phase, secure), resent && phase === 'connect' ? 'head' : phase);
    },
  };
  const send = (pool: Agent, reset: boolean): void => {
    pool.dispatch({
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: bodyBytes > 0 && request.body.length > 1 ? { ...request.headers, 'content-length': String(bodyBytes) } : request.headers,
      // Several pieces go out one after the other: a large body is never copied together.
      body: request.body.length > 1 ? inTurn(request.body, () => { handedOver = true; }) : (request.body[0] ?? null),
      ...(reset ? { reset } : {}),
    } as Dispatcher.DispatchOptions, handler);
  };
  send(pools.pooled, false);

  return {
    pause: () => {
      paused = true;
      controller?.pause();
    },
    resume: () => {
      paused = false;
      resume();
    },
    abort: () => {
      if (over) return;
      sentWhole();
      settle();
      controller?.abort(new Error('not wanted any more'));
    },
    connected: () => socket !== null || resent,
    sentWhole,
    resent: () => resent,
  };
}

function* inTurn(pieces: readonly Uint8Array[], done: () => void): Generator<Uint8Array> {
  yield* pieces;
  done();
}

function isBreak(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

function faultOf(error: unknown): NetworkFault | null {
  return error instanceof Error && 'fault' in error ? (error as FaultError).fault : null;
}
