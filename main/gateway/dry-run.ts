import type { DryRun, DryRunCandidate, DryRunRequest } from '../../shared/dry-run.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import { resolvePolicy } from '../../shared/backoff.ts';
import { createAffinity } from './affinity.ts';
import { createRetryBudget } from './budget.ts';
import { matchRoute, takesModel, type Admitted, type RouteMatch, type RoutingTable } from './core/routing/match.ts';
import { orderCandidates } from './core/routing/strategies.ts';
import { dryRunSteps } from './dry-run-steps.ts';
import { createExchanges } from './exchange.ts';
import { createHealth, type Health } from './health.ts';
import { createPauses } from './pauses.ts';
import type { Arrival, Clock, Configuration, Log, Reply, Upstreams } from './ports.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { createSlots } from './slots.ts';

/** What a dry run works with. */
export interface DryRunParts {
  readonly clock: Clock;
  readonly config: Configuration;
  readonly log: Log;
  /** Breakers and rests as they are now. */
  readonly health: Health;
  /** Upstreams that do what they are told, on the clock given. */
  simulateUpstreams(clock: Clock): Upstreams;
  /** A client that stays; `text` is what it has been told in the end, when it was no answer. */
  simulateReply(clock: Clock, arrival: Arrival, keepAliveMs: number): { readonly reply: Reply; text(): string | null; leave(): void };
  /** Resolves when everything that can go on without waiting has gone on. */
  turn(): Promise<void>;
}

// A policy without pauses and an upstream that refuses at once would go on for long.
const MOST_ATTEMPTS = 1_000;
// Chance shows what is most likely: the middle of each pause, the heaviest candidate first.
const MIDDLE = { draw: () => 0.5 };

/** Sends one exchange through the loop with a simulated clock and simulated upstreams (SPEC 9.6). Nothing leaves the process, nothing is remembered. */
export async function dryRun(parts: DryRunParts, request: DryRunRequest): Promise<DryRun> {
  const { config } = parts;
  const settings = config.settings();
  const clock = createSimulatedClock(parts.clock);
  const ids = config.upstreams().map((upstream) => upstream.id);
  const freshHealth = (): Health => (request.health === 'present' ? parts.health.fork(clock, ids) : createHealth(clock, () => settings['gateway.breaker']));
  const arrival = simulatedArrival(request, clock);
  const client = parts.simulateReply(clock, arrival, settings['gateway.keepalive_secs'] * 1_000);
  const events: ExchangeEvent[] = [];
  const note = (event: ExchangeEvent): void => {
    events.push(event);
    if (event.kind === 'attempt_started' && event.n >= MOST_ATTEMPTS) client.leave();
  };
  const exchanges = createExchanges({
    clock, config, log: parts.log, random: MIDDLE, journal: { note },
    upstreams: parts.simulateUpstreams(clock),
    budget: createRetryBudget(clock, () => settings['gateway.retry_budget']),
    pauses: createPauses(clock), slots: createSlots(), health: freshHealth(), affinity: createAffinity(clock),
    // No conversation stands behind it.
    seals: { any: () => false, upstreamOf: () => null, learn: () => undefined },
  });
  let over = false;
  const run = exchanges.run(arrival, client.reply, new AbortController().signal).then(() => { over = true; });
  if (!await clock.runUntil(() => over, () => parts.turn())) throw new Error('the dry run stands still');
  await run;

  const table: RoutingTable = { routes: config.routes(), upstreams: config.upstreams(), strategy: settings['gateway.strategy'] };
  const match = matchRoute(table, request.format, request.model);
  const { steps, row } = dryRunSteps(events, arrival.atUtcMs, client.text());
  return {
    route: match.kind === 'route' ? { id: match.routeId, pattern: table.routes.find((route) => route.id === match.routeId)?.pattern ?? '*', strategy: match.strategy } : null,
    candidates: standings(table, match, request, freshHealth()),
    steps, attempts: row.detail.attempts, pauseMs: row.pause_ms, durationMs: row.duration_ms ?? 0,
    policy: resolvePolicy(settings, match.kind === 'route' ? match.policy : null),
  };
}

/** Who takes part, in order, and why the others do not (SPEC 9.1). */
function standings(table: RoutingTable, match: RouteMatch, { model, format }: DryRunRequest, health: Health): readonly DryRunCandidate[] {
  const order: readonly Admitted[] = match.kind === 'route'
    ? orderCandidates(match.strategy, match.candidates, { turn: health.nextTurn(match.routeId), draw: MIDDLE.draw, latencyMs: (id) => health.latencyMs(id) }) : [];
  const taking = order.flatMap(({ upstreamId, model: renamed }): DryRunCandidate[] => {
    const asked = renamed ?? model;
    return [{ upstreamId, name: nameOf(table, upstreamId), model: asked, place: 'candidate', resting: health.admits(upstreamId, asked) === null }];
  });
  const route = match.kind === 'route' ? table.routes.find((one) => one.id === match.routeId) : undefined;
  const others = table.upstreams.filter((upstream) => !order.some((one) => one.upstreamId === upstream.id)).map((upstream): DryRunCandidate => {
    const named = route?.candidates.find((candidate) => candidate.upstream === upstream.id);
    const asked = named?.model ?? model;
    const place = !upstream.enabled ? 'disabled' : route !== undefined && named === undefined ? 'not_in_route' : takesModel(upstream, asked) ? upstream.formats.includes(format) ? 'not_in_route' : 'format' : 'model';
    return { upstreamId: upstream.id, name: upstream.name, model: asked, place, resting: false };
  });
  return [...taking, ...others];
}

function nameOf(table: RoutingTable, id: string): string {
  return table.upstreams.find((upstream) => upstream.id === id)?.name ?? id;
}

function simulatedArrival({ model, format, streamed }: DryRunRequest, clock: Clock): Arrival {
  return {
    id: 'dry-run', atMs: clock.now(), atUtcMs: clock.utc(), format, operation: 'generate', method: 'POST', path: '/', model, streamed, framing: 'sse',
    headers: {}, clientHeaders: {}, target: () => '/', body: () => [], bodyBytes: 0, fingerprint: () => 'dry-run', keyName: null, client: null, sessionId: null, clientRetry: null,
    conversation: () => null, seal: () => null,
  };
}
