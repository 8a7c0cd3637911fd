import { joinTarget } from '../../../shared/base-url.ts';
import { isSecretHeader } from '../../../shared/mask.ts';
import { formatByName } from '../core/formats/index.ts';
import { withOwnMark } from '../core/loop-mark.ts';
import { createRuleBook, type RuleBook } from '../core/rules.ts';
import type { AttemptOrder, Clock, Credentials, Log, Unopened, Upstreams } from '../ports.ts';
import { runAttempt, type PreparedAttempt } from './attempt.ts';
import { ownFailure } from './failures.ts';
import type { OwnFailureCode } from './network-failure.ts';
import { compilePattern } from './patterns.ts';
import { createPoolKeeper, type PoolKeeper } from './pools.ts';
import type { ProxyVariables } from './proxy-choice.ts';
import { headersForUpstream } from './request-headers.ts';
import { wayTo } from './way.ts';

export interface UpstreamParts {
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly log: Log;
  /** Ports that the gateway listens on now: an upstream or proxy there is a loop (SPEC 2.2, 2.6). Default none. */
  readonly ownPorts?: () => readonly number[];
  /** Mark of this gateway, told to upstreams that could be gateways too. Without it nothing is told. */
  readonly mark?: () => string;
  /** Where `system` proxies are named. Default the environment of the process, read at each attempt. */
  readonly proxyVariables?: () => ProxyVariables;
  /** Default 10 s (SPEC 2.5). */
  readonly connectTimeoutMs?: number;
  /** Certificates (PEM) that are trusted besides the system's. */
  readonly certificates?: readonly string[];
}

/** The edge towards the providers. */
export interface UpstreamEdge extends Upstreams {
  /** Pooled connections are not used again (SPEC 8.8); running exchanges go on. */
  dropConnections(): void;
  /** Ends every attempt under way, answers that are relayed included, as wanted no more (SPEC 17). */
  cutRunning(): void;
  /** Ends every connection, whatever runs on it. */
  close(): Promise<void>;
  /** Connections that are open or being made. */
  openConnections(): number;
}

/** How long a connection may take to be made (SPEC 2.5). */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Builds the edge towards the providers on undici's dispatch. Failures are values: `open` never rejects. */
export function createUpstreams(parts: UpstreamParts): UpstreamEdge {
  const keeper = createPoolKeeper({ connectTimeoutMs: parts.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, certificates: parts.certificates ?? [] });
  const ruleBook = createRuleBook(compilePattern);
  // Each attempt takes itself out when it ends.
  const running = new Set<() => void>();
  return {
    open: (order) => {
      const prepared = prepare(parts, keeper, ruleBook, order);
      return prepared.kind === 'ready' ? runAttempt(parts.clock, order, prepared.attempt, running) : Promise.resolve(prepared);
    },
    dropConnections: () => { keeper.drop(); },
    cutRunning: () => { for (const end of [...running]) end(); },
    close: () => keeper.close(),
    openConnections: () => keeper.open(),
  };
}

type Preparation = { readonly kind: 'ready'; readonly attempt: PreparedAttempt } | Unopened;

/** Everything that can be refused before a byte is sent. */
function prepare(parts: UpstreamParts, keeper: PoolKeeper, ruleBook: RuleBook, order: AttemptOrder): Preparation {
  const { arrival, upstream } = order;
  if (order.gone.aborted) return refused(parts.clock, order, 'cancelled', null);
  const credential = parts.credentials.of(upstream);
  if (credential.kind === 'unusable') return withoutCredential(parts.clock, order, credential.code);
  const way = wayTo(upstream, parts);
  if (way.kind === 'refused') return refused(parts.clock, order, way.code, way.detail);
  const headers = headersForUpstream(arrival, upstream, credential, way.near && parts.mark !== undefined ? withOwnMark(arrival.via ?? null, parts.mark()) : null);
  const pools = keeper.pools(way.proxy);
  return {
    kind: 'ready',
    attempt: {
      pools,
      ruleBook,
      format: formatByName(arrival.format),
      secrets: secretsIn(headers, credential.kind === 'secret' ? [credential.value] : []),
      request: {
        origin: way.url.origin, path: joinTarget(way.baseUrl, arrival.target(order.model), upstream.preset, order.model ?? arrival.model), method: arrival.method,
        headers, body: arrival.body(order.model),
      },
    },
  };
}

/** What an upstream could repeat to us of what it was sent: values of secret headers, with and without their scheme. */
function secretsIn(headers: Readonly<Record<string, string>>, known: readonly string[]): string[] {
  const values = Object.entries(headers).filter(([name]) => isSecretHeader(name)).map(([, value]) => value.replace(/^(bearer|basic)\s+/i, ''));
  return [...new Set([...known, ...values])];
}

function refused(clock: Clock, order: AttemptOrder, code: OwnFailureCode, detail: string | null): Unopened {
  const failure = ownFailure({ order, where: 'connect', sentWhole: false, secrets: [] }, code, detail, null);
  return unsent(clock, failure);
}

/** The credential cannot be had: the user has to do something, so it counts as one that was refused. */
function withoutCredential(clock: Clock, order: AttemptOrder, code: string): Unopened {
  return unsent(clock, {
    class: 'auth', code, upstreamId: order.upstream.id, status: null, type: null, hintMs: null, where: 'connect', sentWhole: false,
    message: code === 'credential.env_missing' ? 'the environment variable with its key is not set'
      : code === 'credential.sealed' ? 'its key cannot be read here; enter it again' : 'it has no key',
  });
}

function unsent(clock: Clock, failure: Unopened['failure']): Unopened {
  const nowMs = clock.now();
  return { kind: 'unopened', failure, kept: null, report: { startedMs: nowMs, endedMs: nowMs, sentWhole: false, resent: false, bytes: 0 } };
}
