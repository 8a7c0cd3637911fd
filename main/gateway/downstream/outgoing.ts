import type { ServerResponse } from 'node:http';
import type { AnswerSight, Clock, SinkMark } from '../ports.ts';
import { contentKeepAlive, holdingKeepAlive, PING_SILENCE_MS } from './keep-alive.ts';
import type { WaitingClient } from './keep-alive.ts';
import { flat, streamHeaders } from './reply-head.ts';
import type { HeaderList } from './reply-head.ts';

export interface OutgoingParts {
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
  readonly clock: Clock;
  /** Set for clients that asked for server-sent events of a generation; null: nothing goes out before the answer. */
  readonly waiting: WaitingClient | null;
  readonly keepAliveMs: number;
  /** Headers of every head of this request. */
  readonly headers: HeaderList;
  readonly requestId: string;
  /** Notes what goes out, for the log; null when nobody looks. */
  readonly sight: AnswerSight | null;
}

/** The one writer of a response: head, answer bytes, and keep-alives in the silence between (SPEC 6.2-6.4). */
export interface Outgoing {
  readonly headSent: () => boolean;
  /** Answer bytes written; keep-alives do not count. */
  readonly bytes: () => number;
  /** Whether the last bytes ended an event, and whether the terminal event is out. */
  readonly mark: () => SinkMark;
  /** The last byte written, null before the first. */
  readonly lastByte: () => number | null;
  head(status: number, headers: HeaderList): void;
  /** False: wait for `whenDrained`. Bytes for a client that left are dropped. */
  write(bytes: Uint8Array, mark: SinkMark): boolean;
  whenDrained(resume: () => void): void;
  /** Sends the head alone, where nothing has been written behind it. */
  flush(): void;
  /** No further keep-alive. */
  quiet(): void;
  /** Ends the response; resolves when it is out, or when the client has left. */
  end(): Promise<void>;
}

/** Starts counting silence at once: the request body has just ended. */
export function createOutgoing({ response, gone, clock, waiting, keepAliveMs, headers, requestId, sight }: OutgoingParts): Outgoing {
  const startMs = clock.now();
  let lastMs = startMs;
  let mark: SinkMark = { boundary: true, content: false, terminal: false };
  let lastByte: number | null = null;
  let answerBytes = 0;
  let resumeRelay: (() => void) | null = null;
  let cancelBeat: (() => void) | null = null;

  const head = (status: number, more: HeaderList): void => {
    if (response.headersSent || gone.aborted) return;
    const lines = flat([...more, ...headers]);
    if (sight !== null) sight.head = lines;
    response.writeHead(status, lines);
  };

  const silenceMs = (): number => (mark.content ? PING_SILENCE_MS : keepAliveMs);
  const arm = (waitMs: number): void => {
    cancelBeat?.();
    cancelBeat = clock.timer(waitMs, beat);
  };
  // One timer for the whole stream, not one per chunk: it looks at the time of the last byte when it fires.
  const beat = (): void => {
    cancelBeat = null;
    if (waiting === null || gone.aborted || mark.terminal) return;
    const nowMs = clock.now();
    const leftMs = lastMs + silenceMs() - nowMs;
    if (leftMs > 0) return arm(leftMs);
    // Between events only, and never on top of bytes that the client has yet to read.
    if (mark.boundary && response.writableLength === 0) {
      const early: HeaderList = [['content-type', 'text/event-stream'], ...streamHeaders([]), ['x-holdfast-request-id', requestId]];
      if (!response.headersSent) {
        head(200, early);
        response.flushHeaders();
      }
      const bytes = mark.content ? contentKeepAlive(waiting) : holdingKeepAlive(waiting, nowMs - startMs);
      if (bytes !== null) response.write(bytes);
      lastMs = nowMs;
    }
    arm(silenceMs());
  };

  // Keep-alives stop at the first content; only pings may follow.
  const keepAfterContent = (client: WaitingClient): void => {
    if (contentKeepAlive(client) === null) quiet();
    else if (cancelBeat !== null) arm(PING_SILENCE_MS);
  };
  const quiet = (): void => {
    cancelBeat?.();
    cancelBeat = null;
  };

  const drained = (): void => {
    const resume = resumeRelay;
    resumeRelay = null;
    resume?.();
  };
  response.on('drain', drained);
  // Writing to a client that left is no fault of anybody; `gone` tells of it.
  response.on('error', () => undefined);
  if (waiting !== null) arm(keepAliveMs);

  return {
    headSent: () => response.headersSent,
    bytes: () => answerBytes,
    mark: () => mark,
    lastByte: () => lastByte,
    head,
    write: (bytes, next) => {
      if (gone.aborted) return true;
      const contentBegins = next.content && !mark.content;
      mark = next;
      lastMs = clock.now();
      answerBytes += bytes.byteLength;
      lastByte = bytes[bytes.byteLength - 1] ?? lastByte;
      if (sight !== null && sight.body !== null) sight.body.append(bytes);
      if (contentBegins && waiting !== null) keepAfterContent(waiting);
      return response.write(bytes);
    },
    whenDrained: (resume) => {
      if (response.writableNeedDrain && !gone.aborted) resumeRelay = resume;
      else queueMicrotask(resume);
    },
    flush: () => { if (answerBytes === 0 && response.headersSent && !gone.aborted) response.flushHeaders(); },
    quiet,
    end: () => endOf(response, gone),
  };
}

function endOf(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      gone.removeEventListener('abort', done);
      response.off('finish', done);
      resolve();
    };
    gone.addEventListener('abort', done);
    response.on('finish', done);
    response.end();
  });
}
