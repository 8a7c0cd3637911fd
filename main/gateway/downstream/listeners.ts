import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createPlainServer } from 'node:net';
import type { GatewayProblem } from '../../../shared/events.ts';
import type { Log } from '../ports.ts';
import { portOwner } from './port-owner.ts';

/** Where to listen. `host` null is loopback in both families; `::` is every interface. */
export interface ListenPlace { readonly port: number; readonly host: string | null }

/** Servers that listen on one port. */
export type Bound =
  | { readonly kind: 'listening'; readonly port: number; readonly servers: readonly Server[] }
  | { readonly kind: 'failed'; readonly problem: GatewayProblem };

const BACKLOG = 1_024;
const FREE_PORT_TRIES = 50;
// With port 0 the second family may find the number taken; then another number is asked for.
const ANY_PORT_TRIES = 5;

/** Listens on 127.0.0.1 and takes the same port on ::1, or on the host that was asked for (SPEC 1.1). */
export async function bind(place: ListenPlace, newServer: () => Server, log: Log): Promise<Bound> {
  for (let tries = place.port === 0 ? ANY_PORT_TRIES : 1; ; tries--) {
    const first = newServer();
    let fault = await listenOn(first, place.port, place.host ?? '127.0.0.1');
    // A machine without IPv6.
    if (place.host === '::' && (fault === 'EAFNOSUPPORT' || fault === 'EADDRNOTAVAIL' || fault === 'EINVAL')) fault = await listenOn(first, place.port, '0.0.0.0');
    if (fault !== null) return { kind: 'failed', problem: await problemOf(fault, place.port) };
    const { port } = first.address() as AddressInfo;
    if (place.host !== null) return { kind: 'listening', port, servers: [first] };
    const second = newServer();
    const secondFault = await listenOn(second, port, '::1');
    if (secondFault === null) return { kind: 'listening', port, servers: [first, second] };
    if (secondFault !== 'EADDRINUSE') {
      log.info('no IPv6 loopback, listening on 127.0.0.1 only', { code: secondFault });
      return { kind: 'listening', port, servers: [first] };
    }
    // Somebody else would get the requests of clients that try ::1 first.
    await new Promise((resolve) => { first.close(resolve); });
    if (tries <= 1) return { kind: 'failed', problem: await problemOf(secondFault, port) };
  }
}

function listenOn(server: Server, port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => { settle(error.code ?? 'UNKNOWN'); };
    const listening = (): void => { settle(null); };
    const settle = (code: string | null): void => {
      server.off('error', failed).off('listening', listening);
      resolve(code);
    };
    server.on('error', failed).on('listening', listening);
    server.listen({ port, host, backlog: BACKLOG });
  });
}

async function problemOf(code: string, port: number): Promise<GatewayProblem> {
  if (code === 'EADDRINUSE') return { kind: 'port_in_use', port, owner: await portOwner(port), freePort: await nextFreePort(port) };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'port_forbidden', port, owner: null, freePort: await nextFreePort(Math.max(port, 4_652)) };
  return { kind: 'address_unavailable', port, owner: null, freePort: null };
}

/** The next port above this one that is free on loopback in both families; null when there is none near. */
export async function nextFreePort(port: number): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + FREE_PORT_TRIES, 65_535); candidate++) {
    if (await isFree(candidate, '127.0.0.1') && await isFree(candidate, '::1')) return candidate;
  }
  return null;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createPlainServer();
    probe.on('error', (error: NodeJS.ErrnoException) => { resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'); });
    probe.listen({ port, host }, () => { probe.close(() => { resolve(true); }); });
  });
}
