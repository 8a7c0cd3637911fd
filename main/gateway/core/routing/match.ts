import type { FormatName } from '../../../../shared/format.ts';
import { globMatches } from '../../../../shared/glob.ts';
import type { RoutePolicy } from '../../../../shared/policy.ts';
import type { Route, Strategy } from '../../../../shared/route.ts';
import type { Upstream } from '../../../../shared/upstream.ts';

export { globMatches };

/** An upstream that may be asked, and the model to ask it for (null keeps the client's). */
export interface Admitted {
  readonly upstreamId: string;
  readonly model: string | null;
  readonly weight: number;
}

/** Where a request may go, or why nowhere (SPEC 9.1). */
export type RouteMatch =
  | { readonly kind: 'route'; readonly routeId: string; readonly strategy: Strategy; readonly policy: RoutePolicy; readonly candidates: readonly Admitted[] }
  /** Nobody speaks the client's format. */
  | { readonly kind: 'no_format'; readonly formats: readonly FormatName[] }
  /** Nobody takes the model; `nearModels` knows which names there are. */
  | { readonly kind: 'no_model' };

/** What routing reads of the configuration. */
export interface RoutingTable {
  readonly routes: readonly Route[];
  /** In the user's order. */
  readonly upstreams: readonly Upstream[];
  /** Strategy of the route that always exists (`gateway.strategy`). */
  readonly strategy: Strategy;
}

/** Whether an upstream takes this model: an empty list takes any (SPEC 2.1). */
export function takesModel(upstream: Upstream, model: string): boolean {
  return upstream.models.length === 0 || upstream.models.some((glob) => globMatches(glob, model));
}

/** The route of last resort: all enabled upstreams in the user's order (SPEC 9.1). */
function lastRoute(table: RoutingTable): Route {
  return {
    id: '*', pattern: '*', strategy: table.strategy, policy: null,
    candidates: table.upstreams.map((upstream) => ({ upstream: upstream.id, model: null })),
  };
}

/** First matching route, then the candidates of it that are enabled, speak the format and take the model. `model` null: a request that names none; any upstream will do. */
export function matchRoute(table: RoutingTable, format: FormatName, model: string | null): RouteMatch {
  const route = table.routes.find((one) => globMatches(one.pattern, model ?? '')) ?? lastRoute(table);
  const candidates: Admitted[] = [];
  const otherFormats = new Set<FormatName>();
  let taken = false;
  for (const candidate of route.candidates) {
    const upstream = table.upstreams.find((one) => one.id === candidate.upstream);
    const asked = candidate.model ?? model;
    if (!upstream?.enabled || (asked !== null && !takesModel(upstream, asked))) continue;
    taken = true;
    if (upstream.formats.includes(format)) candidates.push({ upstreamId: upstream.id, model: candidate.model, weight: candidate.weight ?? 1 });
    else for (const other of upstream.formats) otherFormats.add(other);
  }
  if (candidates.length > 0) return { kind: 'route', routeId: route.id, strategy: route.strategy, policy: route.policy, candidates };
  return taken ? { kind: 'no_format', formats: [...otherFormats] } : { kind: 'no_model' };
}

/** A model the gateway can name, and who serves it (SPEC 1.8). */
export interface ListedModel {
  readonly id: string;
  readonly upstreamId: string;
}

/** Every model that can be named and would be admitted for this format: exact route patterns and exact names of upstreams' lists. */
export function listModels(table: RoutingTable, format: FormatName): readonly ListedModel[] {
  const named = [
    ...table.routes.map((route) => route.pattern),
    ...table.upstreams.flatMap((upstream) => upstream.models),
  ].filter((name) => !name.includes('*'));
  return [...new Set(named)].flatMap((id) => {
    const match = matchRoute(table, format, id);
    return match.kind === 'route' && match.candidates[0] ? [{ id, upstreamId: match.candidates[0].upstreamId }] : [];
  });
}

/** Up to five names that resemble the asked one, nearest first. */
export function nearModels(table: RoutingTable, format: FormatName, model: string): readonly string[] {
  const asked = pairsOf(model);
  return listModels(table, format)
    .map(({ id }) => ({ id, likeness: likeness(asked, pairsOf(id)) }))
    .sort((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1))
    .slice(0, 5)
    .map(({ id }) => id);
}

function pairsOf(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, lower.length - 1) }, (_, index) => lower.slice(index, index + 2)));
}

// Dice's coefficient over letter pairs: forgiving about order and separators, which is how model names get mistyped.
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const pair of a) if (b.has(pair)) both++;
  return a.size + b.size === 0 ? 0 : (2 * both) / (a.size + b.size);
}
