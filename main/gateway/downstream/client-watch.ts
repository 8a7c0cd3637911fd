import type { IncomingMessage } from 'node:http';

/** Watches for the client's leaving. */
export interface ClientWatch {
  /** Aborts when the client closed, reset or half-closed its connection (SPEC 1.1). */
  readonly gone: AbortSignal;
  /** Stops watching: the answer is out, the connection may serve another request. */
  release(): void;
}

/** Starts watching; a client that has already left counts at once. */
export function watchClient(request: IncomingMessage): ClientWatch {
  const controller = new AbortController();
  const { socket } = request;
  // The socket itself is asked, not request or response: behind a pipelined request they hear nothing, and of a half-close never.
  const leave = (): void => { controller.abort(); };
  socket.on('end', leave).on('close', leave);
  if (socket.destroyed || socket.readableEnded) leave();
  return { gone: controller.signal, release: () => { socket.off('end', leave).off('close', leave); } };
}
