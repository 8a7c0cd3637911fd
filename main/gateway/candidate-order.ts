import { leaningOf, withFirst } from './core/routing/affinity.ts';
import type { Admitted, RouteMatch } from './core/routing/match.ts';
import { orderCandidates } from './core/routing/strategies.ts';
import type { ExchangeContext } from './exchange-context.ts';

/** Who is asked, in which order (SPEC 7.1, 9.2, 9.5). */
export type CandidateOrder =
  | { readonly kind: 'order'; readonly candidates: readonly Admitted[] }
  /** Only this upstream can read the history, and it cannot be asked. */
  | { readonly kind: 'sealed_elsewhere'; readonly upstreamId: string };

type Route = Extract<RouteMatch, { kind: 'route' }>;

/** Fixes the order of candidates for one exchange: what its history is bound to, where its conversation was, then the strategy of its route. */
export function orderFor(exchange: ExchangeContext, route: Route): CandidateOrder {
  const { parts, arrival, settings } = exchange;
  const admitted = [...new Set(route.candidates.map((candidate) => candidate.upstreamId))];
  const conversation = settings['gateway.affinity'] === 'off' || admitted.length < 2 ? null : arrival.conversation();
  // By route, since routes lead to different upstreams: a small model for titles must not draw the conversation away.
  exchange.conversation = conversation === null ? null : JSON.stringify([route.routeId, conversation]);
  const leaning = leaningOf(admitted, {
    mode: settings['gateway.affinity'], sealedBy: sealedBy(exchange),
    conversationOn: exchange.conversation === null ? null : parts.affinity.upstreamOf(exchange.conversation),
  });
  switch (leaning.kind) {
    case 'sealed_elsewhere': return leaning;
    case 'only': return { kind: 'order', candidates: ordered(exchange, { ...route, candidates: route.candidates.filter((candidate) => candidate.upstreamId === leaning.upstreamId) }, 0) };
    case 'prefer': {
      const first = route.candidates.filter((candidate) => candidate.upstreamId === leaning.upstreamId);
      if (first.some((candidate) => isReady(exchange, candidate))) return { kind: 'order', candidates: withFirst(ordered(exchange, route, 0), leaning.upstreamId) };
      break;
    }
    case 'free': break;
  }
  return { kind: 'order', candidates: ordered(exchange, route, parts.health.nextTurn(route.routeId)) };
}

// Exchanges that do not go by the turn do not use one up: the round of the others stays fair.
function ordered({ parts }: ExchangeContext, route: Route, turn: number): readonly Admitted[] {
  return orderCandidates(route.strategy, route.candidates, { turn, draw: () => parts.random.draw(), latencyMs: (id) => parts.health.latencyMs(id) });
}

function sealedBy({ parts, arrival }: ExchangeContext): { readonly upstreamId: string; readonly usable: boolean } | null {
  const seal = parts.seals.any() ? arrival.seal() : null;
  const upstreamId = seal === null ? null : parts.seals.upstreamOf(seal);
  if (upstreamId === null) return null;
  const upstream = parts.config.upstream(upstreamId);
  return { upstreamId, usable: upstream !== null && upstream.enabled && upstream.formats.includes(arrival.format) };
}

function isReady({ parts, arrival }: ExchangeContext, candidate: Admitted): boolean {
  const cap = parts.config.upstream(candidate.upstreamId)?.maxInFlight ?? 0;
  return parts.health.admits(candidate.upstreamId, candidate.model ?? arrival.model ?? '') !== null && (cap === 0 || parts.slots.inUse(candidate.upstreamId) < cap);
}
