import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

// undici tells which socket carries a request only here. It publishes in the same synchronous step in which it calls `onRequestStart`, so the one
// that waits is the one that is meant; the variable is empty again before anything else can run.
let waiting: ((socket: Socket) => void) | null = null;

subscribe('undici:client:sendHeaders', (message) => {
  const tell = waiting;
  waiting = null;
  tell?.((message as { readonly socket: Socket }).socket);
});

/** Called from `onRequestStart`: `tell` gets the socket of that request before any byte of it is written. */
export function tellSocketOfRequest(tell: (socket: Socket) => void): void {
  waiting = tell;
}
