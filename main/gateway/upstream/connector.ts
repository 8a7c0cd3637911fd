import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import * as tls from 'node:tls';
import { buildConnector } from 'undici';
import { isSocks, openSocksTunnel, socksPort } from './socks.ts';
import { openTunnel } from './tunnel.ts';

/** Makes connections for a pool; every socket it ever made and that is still open is in `sockets`. */
export interface Connector {
  readonly connect: buildConnector.connector;
  readonly sockets: ReadonlySet<Socket>;
}

/** A stage of the way that is behind us. */
export type ConnectStage = 'dns' | 'tcp' | 'proxy' | 'tls';

const FAMILY_ATTEMPT_MS = 1_000;

/** A connector that goes straight to the upstream, or through a proxy: http(s) by CONNECT, SOCKS 5 (SPEC 2.5, 2.6). `certificates` are trusted besides the system's; `passed` is told of each stage when it is over. */
export function createConnector(options: { readonly connectTimeoutMs: number; readonly proxy: URL | null; readonly certificates: readonly string[]; readonly passed?: ((stage: ConnectStage) => void) | undefined }): Connector {
  const sockets = new Set<Socket>();
  let trusted: tls.SecureContext | null = null;
  const connectors = new Map<string, buildConnector.connector>();

  // Reading the system's certificates takes a while, so it is done at the first secure connection, once for all.
  const direct = (secure: boolean): buildConnector.connector => {
    const known = connectors.get(String(secure));
    if (known !== undefined) return known;
    if (secure) trusted ??= tls.createSecureContext({ ca: trustedCertificates(options.certificates) });
    const made = buildConnector({
      timeout: options.connectTimeoutMs,
      allowH2: false,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: FAMILY_ATTEMPT_MS,
      lookup: lookupHost,
      ...(trusted === null ? {} : { secureContext: trusted }),
    });
    connectors.set(String(secure), made);
    return made;
  };

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => { sockets.delete(socket); });
    const { passed } = options;
    if (passed !== undefined) socket.once('lookup', (error: Error | null) => { if (error === null) passed('dns'); }).once('connect', () => { passed('tcp'); }).once('secureConnect', () => { passed('tls'); });
  };

  const connect: buildConnector.connector = (target, callback) => {
    const secure = target.protocol === 'https:';
    if (options.proxy === null) {
      track(startOf(direct(secure)(target, callback)));
      return;
    }
    const proxy = options.proxy;
    const toProxy = { hostname: proxy.hostname.replace(/^\[|\]$/g, ''), host: proxy.host, protocol: proxy.protocol, port: isSocks(proxy) ? socksPort(proxy) : proxy.port, servername: undefined } as unknown as buildConnector.Options;
    track(startOf(direct(proxy.protocol === 'https:')(toProxy, (fault, socket) => {
      if (fault !== null) { callback(fault, null); return; }
      const open = isSocks(proxy) ? openSocksTunnel : openTunnel;
      open(socket, proxy, target, options.connectTimeoutMs, (refused) => {
        if (refused === null) options.passed?.('proxy');
        if (refused !== null) callback(refused, null);
        else if (!secure) callback(null, socket);
        else track(startOf(direct(true)({ ...target, httpSocket: socket }, callback)));
      });
    })));
  };
  return { connect, sockets };
}

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }] as const;

// `localhost` means both loopbacks whatever the hosts file says: a local model server may listen on either (RFC 6761 6.3).
const lookupHost: LookupFunction = (hostname, options, callback) => {
  if (!/^(.+\.)?localhost\.?$/i.test(hostname)) { lookup(hostname, options, callback); return; }
  queueMicrotask(() => {
    if (options.all === true) callback(null, [...LOOPBACK]);
    else callback(null, LOOPBACK[0].address, LOOPBACK[0].family);
  });
};

// The library's connector returns the socket it starts, which its types leave out.
function startOf(started: unknown): Socket {
  return started as Socket;
}

function trustedCertificates(more: readonly string[]): string[] {
  // The older runtime of the tests has no access to the system's store, whatever the types say; there the bundled list has to do.
  const known: object = tls;
  const list = 'getCACertificates' in known ? [...tls.getCACertificates('default'), ...tls.getCACertificates('system')] : tls.rootCertificates;
  return [...new Set([...list, ...more])];
}
