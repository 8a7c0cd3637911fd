import type { Route } from '../../shared/route.ts';
import type { RouteUse } from '../../shared/upstream-edits.ts';

/** The routes that name an upstream, in their order. */
export function usesOf(routes: readonly Route[], upstreamId: string): readonly RouteUse[] {
  return routes.filter((route) => names(route, upstreamId))
    .map((route) => ({ id: route.id, pattern: route.pattern, only: route.candidates.every((candidate) => candidate.upstream === upstreamId) }));
}

/** The routes without it. A route that loses its last candidate stays: it still says that nobody else takes these models. */
export function withoutUpstream(routes: readonly Route[], upstreamId: string): readonly Route[] {
  return routes.map((route) => (names(route, upstreamId) ? { ...route, candidates: route.candidates.filter((candidate) => candidate.upstream !== upstreamId) } : route));
}

/** The routes with it again, where it stood `before`. Routes that have gone meanwhile stay gone; what was changed in the others stays. */
export function withUpstreamAgain(routes: readonly Route[], before: readonly Route[], upstreamId: string): readonly Route[] {
  return routes.map((route) => {
    const was = before.find((one) => one.id === route.id);
    if (was === undefined || names(route, upstreamId)) return route;
    const candidates = [...route.candidates];
    was.candidates.forEach((candidate, place) => { if (candidate.upstream === upstreamId) candidates.splice(place, 0, candidate); });
    return { ...route, candidates };
  });
}

function names(route: Route, upstreamId: string): boolean {
  return route.candidates.some((candidate) => candidate.upstream === upstreamId);
}
