import type { Socket } from 'node:net';
import type { NetworkFault } from './network-failure.ts';

const LONGEST_HEAD_BYTES = 16 * 1024;

/** Where a tunnel leads. */
export interface TunnelTarget { readonly hostname: string; readonly protocol: string; readonly port: string }

/** An error that already knows which fault it is, for callbacks that want an Error. */
export interface FaultError extends Error { readonly fault: NetworkFault }

/**
 * Asks a proxy over a fresh socket to connect on to `target`; `done(null)` when the socket leads there, else with a fault; the socket is closed then.
 * Gives up after `timeoutMs` (real time: it owns the connecting socket, like the connect timeout).
 */
export function openTunnel(socket: Socket, proxy: URL, target: TunnelTarget, timeoutMs: number, done: (refused: FaultError | null) => void): void {
  const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
  const authority = `${host}:${target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port}`;
  let head = Buffer.alloc(0);

  const finish = (refused: FaultError | null, rest: Buffer = Buffer.alloc(0)): void => {
    clearTimeout(timer);
    socket.off('data', take).off('error', broke).off('close', broke);
    // A late error of a socket that is given up must not end the process.
    if (refused !== null) socket.on('error', () => undefined).destroy();
    else {
      socket.pause();
      if (rest.byteLength > 0) socket.unshift(rest);
    }
    done(refused);
  };
  const broke = (error?: unknown): void => { finish(faultError('connect.proxy', `the proxy closed the connection${error instanceof Error ? `: ${error.message}` : ''}`)); };
  const take = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (head.byteLength > LONGEST_HEAD_BYTES) finish(faultError('connect.proxy', 'the proxy did not answer like a proxy'));
      return;
    }
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, 32))?.[1] ?? 0);
    // Somebody has to change something before a 407 or 403 goes away; the rest may be a passing trouble behind the proxy.
    if (status >= 200 && status < 300) finish(null, head.subarray(end + 4));
    else finish(faultError(status >= 500 ? 'connect.proxy' : 'bad_address.proxy', status === 407 ? 'the proxy wants a user name and password (407)' : `the proxy answered ${status === 0 ? 'something that is not HTTP' : status}`));
  };
  const timer = setTimeout(() => { finish(faultError('connect.timeout', `the proxy did not answer within ${timeoutMs} ms`)); }, timeoutMs);
  socket.on('data', take).on('error', broke).on('close', broke);
  const login = proxy.username === '' ? '' : `proxy-authorization: Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${login}\r\n`);
}

/** Makes one; `detail` is one line. */
export function faultError(code: NetworkFault['code'], detail: string): FaultError {
  return Object.assign(new Error(detail), { fault: { code, detail } });
}
