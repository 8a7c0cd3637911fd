import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Configuration, Exchanges, Keys, Log, Random, Sights } from '../ports.ts';
import { goesRound, LOOP_MARK_HEADER } from '../core/loop-mark.ts';
import { corsHeaders, hostAllowed, originListed, preflightHeaders } from './guard.ts';
import type { ListedModel } from './model-list.ts';
import { EXISTING_PATHS } from './paths.ts';
import type { KnownPath } from './paths.ts';
import { judgeKeys, KEY_MESSAGES, presentedKeys } from './presented-keys.ts';
import type { PresentedKey } from './presented-keys.ts';
import type { RequestTarget } from './request-target.ts';
import { answerVisit, refuseVisit } from './visit.ts';
import type { RefusedRequest, Visit, VisitRefusal } from './visit.ts';
import type { HeaderList } from './reply-head.ts';

/** What the edge needs to serve requests. */
export interface DoorParts {
  readonly config: Configuration;
  readonly keys: Keys;
  readonly exchanges: Exchanges;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
  /** Mark of this gateway, by which it knows requests of its own that come back. */
  readonly mark: () => string;
  /** Models that clients of this shape may ask for: the same that routing admits (SPEC 1.8). `chat` stands for both OpenAI formats. */
  readonly listModels: (shape: 'anthropic' | 'chat' | 'gemini') => readonly ListedModel[];
  /** Prometheus text (SPEC 16). */
  readonly metrics: () => string | Promise<string>;
  /** Watches exchanges for the log. */
  readonly sights?: Sights | undefined;
  /** Told of each request that was turned away before it became an exchange. */
  readonly refused?: ((request: RefusedRequest) => void) | undefined;
  /** Whether the endpoint takes no more requests (SPEC 17). */
  readonly stopping: () => boolean;
  /** Whether the user lets no new requests in for now. */
  readonly closed: () => boolean;
  /** Tells which request a connection is at, for faults of the connection itself. */
  readonly visiting: (socket: Socket, visit: Visit) => void;
}

/** A request that may come in. */
export interface Admission {
  readonly target: RequestTarget;
  readonly keyName: string | null;
  /** The client's own credentials. */
  readonly own: readonly PresentedKey[];
  readonly revoked: AbortSignal;
}

// Clients send about twenty, browsers and proxies add about as many.
const MOST_HEADERS = 256;

/** The guards of SPEC 1.2-1.5, in order. Null: refused, and the answer is on its way. */
export async function admit(parts: DoorParts, visit: Visit, target: RequestTarget | null, known: KnownPath): Promise<Admission | null> {
  const { request } = visit;
  const settings = parts.config.settings();
  const refuse = async (refusal: VisitRefusal, headers?: HeaderList): Promise<null> => {
    await refuseVisit(visit, refusal, headers);
    return null;
  };
  if (parts.stopping()) return refuse({ status: 503, code: 'gateway.stopping', message: 'This Holdfast is stopping.' }, [['connection', 'close']]);
  if (target === null) return refuse({ status: 400, code: 'request.bad_target', message: 'The request line names no path.' });
  if (request.rawHeaders.length > MOST_HEADERS * 2) return refuse({ status: 431, code: 'request.too_many_headers', message: `The request has more than ${MOST_HEADERS} headers.` });
  if (hasTwoHosts(request.rawHeaders)) return refuse({ status: 400, code: 'request.bad_host', message: 'The request has more than one Host header.' });
  if (!hostAllowed(target.authority ?? request.headers.host, request.socket.localAddress, settings['gateway.allowed_hosts'])) {
    return refuse({ status: 403, code: 'host_not_allowed', message: 'The Host of this request is neither this machine nor one of the allowed hosts in the settings.' });
  }
  const { origin } = request.headers;
  if (origin !== undefined) {
    if (!originListed(origin, settings['gateway.allowed_origins'])) {
      return refuse({ status: 403, code: 'origin_not_allowed', message: 'Web pages may use this gateway only if their origin is listed in the settings.' });
    }
    visit.headers = corsHeaders(origin);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) return preflight(visit);
  } else if (isOfAPage(request.headers)) {
    return refuse({ status: 403, code: 'origin_not_allowed', message: 'Web pages may use this gateway only if their origin is listed in the settings.' });
  }
  const pathRefusal = refusalOfPath(parts, visit, known);
  if (pathRefusal !== null) return refuse(pathRefusal, pathRefusal.headers);
  const free = known.meaning.kind === 'health' || known.meaning.kind === 'warm_up';
  if (parts.closed() && !free) return refuse({ status: 503, code: 'gateway.closed', message: 'This Holdfast lets no new requests in for now: its user has paused it, and can resume it from its window, menu or tray.' });
  const verdict = free ? null : judgeKeys(presentedKeys(target, request.headers), parts.keys);
  if (!free && goesRound(viaOf(request), parts.mark())) {
    return refuse({ status: 508, code: 'gateway.loop', message: 'This request has come round: an upstream of this Holdfast leads back to it. Correct the base URL of that upstream.' });
  }
  const required = settings['gateway.require_key'] || settings['gateway.bind'] === 'lan';
  if (verdict?.kind === 'valid') return { target, keyName: verdict.name, own: verdict.own, revoked: verdict.revoked };
  if (verdict !== null && required) return refuse({ status: 401, code: `key.${verdict.kind}`, message: KEY_MESSAGES[verdict.kind] });
  return { target, keyName: null, own: verdict?.own ?? [], revoked: new AbortController().signal };
}

// Pictures, scripts and links of a page carry no Origin; of what asks for them browsers tell all the same.
function isOfAPage(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** The gateways that a request says it has passed. */
export function viaOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const via = headers[LOOP_MARK_HEADER];
  return via === undefined ? null : String(via);
}

// Of two Host headers Node shows the first; a proxy in front may have gone by the second.
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

function refusalOfPath(parts: DoorParts, { request }: Visit, { meaning, methods }: KnownPath): (VisitRefusal & { headers?: HeaderList }) | null {
  const method = request.method ?? '';
  if (request.headers.upgrade?.toLowerCase().split(',').some((protocol) => protocol.trim().startsWith('websocket')) === true) {
    return { status: 426, code: 'websocket_not_supported', message: 'WebSockets are not relayed. Send the request over HTTP.' };
  }
  if (method === 'TRACE') return notAllowed(method, methods.length > 0 ? methods : ['GET', 'HEAD', 'POST']);
  const off = meaning.kind === 'metrics' && !parts.config.settings()['gateway.metrics'];
  if (meaning.kind === 'unknown' || off) return { status: 404, code: 'path_not_found', message: `There is nothing at this path. What exists: ${EXISTING_PATHS}.` };
  return methods.includes(method) ? null : notAllowed(method, methods);
}

function notAllowed(method: string, methods: readonly string[]): VisitRefusal & { headers: HeaderList } {
  const allow = methods.join(', ');
  return { status: 405, code: 'method_not_allowed', message: `${method} is not possible here; possible is ${allow}.`, headers: [['allow', allow]] };
}

function preflight(visit: Visit): null {
  const { headers } = visit.request;
  const asked = headers['access-control-request-headers'];
  answerVisit(visit, 204, preflightHeaders(Array.isArray(asked) ? asked.join(',') : asked, headers['access-control-request-private-network'] === 'true'), new Uint8Array());
  return null;
}
