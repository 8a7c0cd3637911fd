import type { DryRun, DryRunRequest } from '../../shared/dry-run.ts';
import type { ExchangeEvent, GatewayState, InFlight } from '../../shared/events.ts';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { ModelsFetched, UpstreamTest } from '../../shared/upstream-test.ts';
import { loopMark } from './core/loop-mark.ts';
import { listModels } from './core/routing/match.ts';
import { createAffinity } from './affinity.ts';
import { watchContents } from './contents.ts';
import { createRetryBudget } from './budget.ts';
import { createEndpoint } from './downstream/endpoint.ts';
import { createSimulatedReply } from './downstream/simulated-reply.ts';
import { dryRun } from './dry-run.ts';
import { createExchanges } from './exchange.ts';
import type { CostOf } from './exchange-record.ts';
import { createHealth } from './health.ts';
import { createIdempotentExchanges } from './idempotency.ts';
import { createInFlightList } from './in-flight.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createPauses } from './pauses.ts';
import type { Clock, Configuration, ContentsJournal, CredentialLookup, Credentials, Journal, Keys, Log, Random, SealMemory } from './ports.ts';
import { noteRefusal } from './refusals.ts';
import { createSlots } from './slots.ts';
import { fetchModels, testUpstream } from './upstream/probe/probe.ts';
import { createSimulatedUpstreams } from './upstream/simulated/upstreams.ts';
import { CONNECT_TIMEOUT_MS, createUpstreams } from './upstream/upstreams.ts';
import { createWakeWatch } from './wake-watch.ts';

const FAREWELL_MS = 500;

/** What the gateway needs from the world. */
export interface GatewayParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Gets every event of every exchange, for the log. */
  readonly journal: Journal;
  /** Gets what is kept of an exchange beside its row; without it nobody looks. */
  readonly contents?: ContentsJournal;
  readonly config: Configuration;
  readonly keys: Keys;
  readonly credentials: Credentials;
  readonly seals: SealMemory;
  readonly log: Log;
  readonly version: string;
  /** What answers cost; without it nothing is priced. */
  readonly costOf?: CostOf;
  /** Log rows lost so far, for the metrics. */
  rowsDropped(): number;
}

export interface Gateway {
  /** Opens the endpoint, or moves it: the old listener stays when the new one cannot open (SPEC 1.1). `host` null is loopback. Never rejects. */
  listen(place: { readonly port: number; readonly host?: string | null }): Promise<GatewayState>;
  state(): GatewayState;
  /** Lets no new requests in (503 in the client's format), or lets them in again; what runs goes on. Lasts over moves of the endpoint, until the process ends. */
  setAccepting(accepting: boolean): GatewayState;
  onState(listener: (state: GatewayState) => void): () => void;
  /** Everything that happens to exchanges, as it happens (SPEC 13). */
  onEvent(listener: (event: ExchangeEvent) => void): () => void;
  inFlight(): readonly InFlight[];
  /** False when the exchange is not pausing. */
  retryNow(id: string): boolean;
  giveUp(id: string): boolean;
  /** The machine has slept: pauses end, pooled connections are dropped (SPEC 8.8). */
  wake(): void;
  /** Forgets what is known of an upstream's health: it was edited, deleted or reset (SPEC 9.4). */
  forgetHealth(upstreamId: string): void;
  /** Upstreams were edited: queues before their caps look again (SPEC 14). */
  upstreamsChanged(): void;
  /** Of every upstream, in the user's order. */
  health(): readonly UpstreamHealth[];
  /** Told whenever an attempt has begun or ended, or health was forgotten; often. */
  onHealth(listener: () => void): () => void;
  /** Sends nothing and remembers nothing (SPEC 9.6). */
  dryRun(request: DryRunRequest): Promise<DryRun>;
  /** The way to an upstream, step by step (SPEC 2.7); also of one that is not saved. */
  test(upstream: Upstream, credential: CredentialLookup): Promise<UpstreamTest>;
  fetchModels(upstream: Upstream, credential: CredentialLookup): Promise<ModelsFetched>;
  /** Takes no more requests, ends the pauses, and lets what runs finish for up to `graceMs`; then cuts it (SPEC 17). Resolves when everything is closed and noted. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** Joins both edges to the loop. */
export function createGateway(parts: GatewayParts): Gateway {
  const { clock, config, log } = parts;
  const inFlight = createInFlightList();
  const budget = createRetryBudget(clock, () => config.settings()['gateway.retry_budget']);
  const metrics = createMetrics({ budgetTokens: () => budget.tokens(), inFlight: () => inFlight.count(), rowsDropped: () => parts.rowsDropped(),
    breakers: () => config.upstreams().map((upstream) => ({ provider: upstream.name, phase: health.phaseOf(upstream.id) })) });
  const listeners = new Set<(event: ExchangeEvent) => void>();
  const stateListeners = new Set<(state: GatewayState) => void>();
  const pauses = createPauses(clock);
  const health = createHealth(clock, () => config.settings()['gateway.breaker']);
  // Drawn by the first request: building a gateway takes no chance.
  let drawn: string | null = null;
  const mark = () => (drawn ??= loopMark(() => parts.random.draw()));
  const ownPorts = () => (state.status === 'running' ? [state.port] : []);
  const upstreams = createUpstreams({ clock, credentials: parts.credentials, log, ownPorts, mark });
  const probe = { clock, log, ownPorts, version: parts.version, connectTimeoutMs: CONNECT_TIMEOUT_MS };
  const slots = createSlots();
  const wake = () => {
    log.info('the machine has slept: pauses end, connections are made anew');
    health.woke();
    upstreams.dropConnections();
    pauses.endAll('wake');
  };
  const wakeWatch = createWakeWatch(clock, wake);
  const contents = parts.contents === undefined ? undefined : watchContents(parts.contents, () => config.settings()['logs.bodies']);
  const journal: Journal = {
    note: (event) => {
      inFlight.note(event);
      if (inFlight.count() > 0) wakeWatch.watch();
      else wakeWatch.rest();
      metrics.note(event);
      parts.journal.note(event);
      if (event.kind === 'finished') contents?.finished(event);
      for (const listener of listeners) listener(event);
    },
  };
  const loop = createExchanges({ clock, random: parts.random, journal, config, upstreams, budget, pauses, slots, health, affinity: createAffinity(clock), seals: parts.seals, log, ...(parts.costOf && { costOf: parts.costOf }) });
  const endpoint = createEndpoint({
    config, keys: parts.keys, clock, random: parts.random, log, version: parts.version, mark,
    exchanges: createIdempotentExchanges({ exchanges: loop, clock, journal }),
    listModels: (shape) => {
      const table = { routes: config.routes(), upstreams: config.upstreams(), strategy: config.settings()['gateway.strategy'] };
      const models = (shape === 'chat' ? ['chat', 'responses'] as const : [shape]).flatMap((format) => listModels(table, format));
      return [...new Map(models.map((model) => [model.id, model])).values()].map(({ id, upstreamId }) => ({ id, upstreamName: config.upstream(upstreamId)?.name ?? upstreamId }));
    },
    metrics: () => metrics.text(),
    sights: contents,
    refused: (refused) => { noteRefusal(refused, clock, journal); },
  });
  const emptyWithin = async (limitMs: number): Promise<void> => {
    const over = new AbortController();
    await Promise.race([inFlight.empty().then(() => { over.abort(); }), clock.sleep(limitMs, over.signal)]);
  };
  let closed = false;
  let state: GatewayState = { status: 'starting' };
  const enter = (next: GatewayState): GatewayState => {
    state = next;
    for (const listener of stateListeners) listener(next);
    return next;
  };

  return {
    listen: async ({ port, host = null }) => {
      const listening = await endpoint.listen({ port, host });
      if (listening.kind === 'listening') return enter({ status: 'running', url: listening.url, port: listening.port, problem: null, ...(listening.networkUrls && { networkUrls: listening.networkUrls }), ...(closed && { closed }) });
      const { problem } = listening;
      return enter(state.status === 'running' ? { ...state, problem } : { status: 'failed', problem });
    },
    state: () => state,
    setAccepting: (accepting) => {
      closed = !accepting;
      endpoint.setAccepting(accepting);
      if (state.status !== 'running' || (state.closed ?? false) === closed) return state;
      const { closed: _, ...open } = state;
      return enter(closed ? { ...open, closed } : open);
    },
    onState: (listener) => added(stateListeners, listener),
    onEvent: (listener) => added(listeners, listener),
    inFlight: () => inFlight.list(),
    retryNow: (id) => pauses.end(id, 'retry_now'),
    giveUp: (id) => pauses.end(id, 'give_up'),
    wake,
    forgetHealth: (upstreamId) => { health.forget(upstreamId); },
    upstreamsChanged: () => {
      slots.reconsider((id) => {
        const upstream = config.upstream(id);
        return upstream?.enabled === true ? upstream.maxInFlight : null;
      });
    },
    health: () => config.upstreams().map(({ id }) => health.report(id, slots.inUse(id))),
    onHealth: (listener) => health.onChange(listener),
    dryRun: (request) => dryRun({
      clock, config, log, health,
      simulateUpstreams: (on) => createSimulatedUpstreams(on, request.answers),
      simulateReply: (on, { id, atMs }, keepAliveMs) => createSimulatedReply(on, { ...request, id, atMs }, keepAliveMs),
      turn: () => new Promise((resolve) => { setImmediate(resolve); }),
    }, request),
    test: (upstream, credential) => testUpstream(probe, upstream, credential),
    fetchModels: (upstream, credential) => fetchModels(probe, upstream, credential),
    stop: async ({ graceMs }) => {
      endpoint.stopAccepting();
      pauses.stop();
      await emptyWithin(graceMs);
      // What still runs is told so, in its format; a client that does not read is not waited for.
      upstreams.cutRunning();
      await emptyWithin(FAREWELL_MS);
      await endpoint.close();
      await inFlight.empty();
      await upstreams.close();
      enter({ status: 'stopped' });
    },
  };
}

function added<T>(set: Set<T>, item: T): () => void {
  set.add(item);
  return () => { set.delete(item); };
}
