import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { OwnFailureCode } from './network-failure.ts';
import { faultError, type FaultError, type TunnelTarget } from './tunnel.ts';

const DEFAULT_PORT = 1_080;

/** Whether a proxy speaks SOCKS 5; the host name is always looked up behind it. */
export function isSocks(proxy: URL): boolean {
  return ['socks5:', 'socks5h:', 'socks:'].includes(proxy.protocol);
}

/** Where a SOCKS proxy listens when its address names no port. */
export function socksPort(proxy: URL): string {
  return proxy.port === '' ? String(DEFAULT_PORT) : proxy.port;
}

/** Asks a SOCKS 5 proxy over a fresh socket to connect on to `target`; `done` as in `openTunnel`. */
export function openSocksTunnel(socket: Socket, proxy: URL, target: TunnelTarget, timeoutMs: number, done: (refused: FaultError | null) => void): void {
  const login = proxy.username === '' ? {} : { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
  const asked = SocksClient.createConnection({
    existing_socket: socket, command: 'connect', timeout: timeoutMs,
    proxy: { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(socksPort(proxy)), type: 5, ...login },
    destination: { host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : target.port) },
  });
  asked.then(() => { done(null); }, (error: unknown) => {
    // A late error of a socket that is given up must not end the process.
    socket.on('error', () => undefined).destroy();
    const reason = error instanceof Error ? error.message : String(error);
    done(faultError(codeOf(reason), codeOf(reason) === 'connect.timeout' ? `the proxy did not answer within ${timeoutMs} ms` : `the SOCKS proxy: ${reason}`));
  });
}

// The library tells by its sentences. What somebody has to change before it goes away is no passing trouble.
function codeOf(reason: string): OwnFailureCode {
  if (/timed out/i.test(reason)) return 'connect.timeout';
  if (/authentication|no acceptable|unknown auth|NotAllowed|invalid|CommandNotSupported|AddressNotSupported/i.test(reason)) return 'bad_address.proxy';
  return 'connect.proxy';
}
