import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { fastify } from 'fastify';
import type { GatewayProblem } from '../../../shared/events.ts';
import { watchConnections } from './connection-faults.ts';
import { createConnections } from './connection-limit.ts';
import type { DoorParts } from './door.ts';
import { bind } from './listeners.ts';
import type { Bound, ListenPlace } from './listeners.ts';
import { networkUrls } from './network-addresses.ts';
import { serve } from './serve.ts';
import type { Visit } from './visit.ts';

export type { ListedModel } from './model-list.ts';
export type { RefusedRequest } from './visit.ts';

export type EndpointParts = Omit<DoorParts, 'stopping' | 'closed' | 'visiting'> & {
  /** Slow heads are cut after this (SPEC 1.1); the default is 60 s. */
  readonly headTimeoutMs?: number;
  /** Connections held at most; the default is 4,096. */
  readonly mostConnections?: number;
};

/** Where the endpoint listens, or why it does not. */
export type Listening =
  | { readonly kind: 'listening'; readonly port: number; readonly url: string; /** Where other machines reach it; only when it listens on all interfaces. */ readonly networkUrls?: readonly string[] }
  | { readonly kind: 'failed'; readonly problem: GatewayProblem };

/** The local endpoint (SPEC 1). */
export interface Endpoint {
  /** Opens a new listener and then closes the one before; if the new one cannot open, the old one stays (SPEC 1.1). */
  listen(place: { readonly port: number; readonly host?: string | null }): Promise<Listening>;
  /** Refuses new requests, or lets them in again; those that run go on. */
  setAccepting(accepting: boolean): void;
  /** Takes no more requests; those that run go on (SPEC 17). */
  stopAccepting(): void;
  /** Stops accepting and ends every connection, whatever runs on it. Resolves when all are closed. */
  close(): Promise<void>;
}

/** Where it listens now. */
interface Open { readonly place: ListenPlace; readonly listening: Listening & { kind: 'listening' }; readonly servers: readonly Server[] }

const HEAD_LIMIT_BYTES = 65_536;
const HEAD_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 75_000;

/** Makes the endpoint; it listens when it is told to. */
export function createEndpoint(parts: EndpointParts): Endpoint {
  const visits = new WeakMap<Duplex, Visit>();
  const connections = createConnections((socket) => visits.get(socket)?.response.writableFinished === false, parts.mostConnections);
  let open: Open | null = null;
  let stopping = false;
  let closed = false;
  const door: DoorParts = { ...parts, stopping: () => stopping, closed: () => closed, visiting: (socket, visit) => { visits.set(socket, visit); } };
  const app = createApp(door);
  const newServer = (): Server => {
    const server = createServer(serverOptions(parts.headTimeoutMs ?? HEAD_TIMEOUT_MS), (request, response) => { app.routing(request, response); });
    // The parser would leave out what is beyond its limit, a second Host included; the guard counts instead and refuses.
    server.maxHeadersCount = 0;
    // Asked for permission first, so that a body that is refused is never sent.
    server.on('checkContinue', (request, response) => { app.routing(request, response); });
    // An expectation that nobody knows is passed by: Node's own refusal goes around every guard and is in no client's format.
    server.on('checkExpectation', (request, response) => { app.routing(request, response); });
    server.on('connection', (socket) => {
      // Every pipelined request on it listens.
      socket.setMaxListeners(0);
      connections.take(socket);
    });
    watchConnections(server, (socket) => visits.get(socket));
    return server;
  };
  const retire = (servers: readonly Server[]): void => {
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
    }
  };
  // From loopback to all interfaces at the same port, or back: no system lets both listen at once. What runs goes on meanwhile.
  const swap = async (from: Open, place: ListenPlace): Promise<Bound> => {
    for (const server of from.servers) server.close();
    const bound = await bind(place, newServer, parts.log);
    if (bound.kind === 'listening') return bound;
    const back = await bind({ port: from.listening.port, host: from.place.host }, newServer, parts.log);
    if (back.kind === 'listening') open = { ...from, servers: back.servers };
    else parts.log.error('the endpoint could neither move nor go back', { code: back.problem.kind });
    return bound;
  };
  return {
    listen: async ({ port, host = null }) => {
      await app.ready();
      const place = { port, host: host === '127.0.0.1' || host === 'localhost' ? null : host };
      if (open !== null && port !== 0 && open.listening.port === port && open.place.host === place.host) return open.listening;
      const bound = open !== null && open.listening.port === port ? await swap(open, place) : await bind(place, newServer, parts.log);
      if (bound.kind === 'failed') return bound;
      const before = open?.servers ?? [];
      const listening = { kind: 'listening', port: bound.port, url: `http://127.0.0.1:${bound.port}`, ...(isEverywhere(place.host) && { networkUrls: networkUrls(bound.port) }) } as const;
      open = { place, listening, servers: bound.servers };
      retire(before);
      return listening;
    },
    setAccepting: (accepting) => { closed = !accepting; },
    stopAccepting: () => {
      stopping = true;
      retire(open?.servers ?? []);
    },
    close: async () => {
      stopping = true;
      const servers = open?.servers ?? [];
      open = null;
      const closed = servers.map((server) => new Promise<void>((resolve) => { server.close(() => { resolve(); }); }));
      const ended = connections.all().map((socket) => new Promise<void>((resolve) => { socket.once('close', () => { resolve(); }).destroy(); }));
      await Promise.all([...closed, ...ended, app.close()]);
    },
  };
}

function isEverywhere(host: string | null): boolean {
  return host === '::' || host === '0.0.0.0';
}

function serverOptions(headTimeoutMs: number) {
  return {
    maxHeaderSize: HEAD_LIMIT_BYTES,
    headersTimeout: headTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, headTimeoutMs),
    // Bodies have a time of their own, on our clock.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The guard answers for a missing Host, in the client's format.
    requireHostHeader: false,
    noDelay: true,
  };
}

// Fastify gives requests and connections their frame; body and answer are handled raw, since its own ways cost more than all the rest.
function createApp(door: DoorParts) {
  const take = (request: { raw: Parameters<typeof serve>[1] }, reply: { raw: Parameters<typeof serve>[2]; hijack(): unknown }): void => {
    reply.hijack();
    void serve(door, request.raw, reply.raw);
  };
  const app = fastify({
    logger: false,
    requestIdHeader: false,
    // For paths whose escapes Fastify cannot read: ours decides about them, too.
    frameworkErrors: (_error, request, reply) => { take(request, reply); },
  });
  // No `done`: a hijacked request ends here, ahead of Fastify's routing and body parsing.
  app.addHook('onRequest', (request, reply, _done) => { take(request, reply); });
  return app;
}
