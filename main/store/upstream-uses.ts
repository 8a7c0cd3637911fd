import type { Route } from '../../shared/route.ts';
import type { RouteUse } from '../../shared/upstream-edits.ts';
import { placeAgain, rememberedOrder } from './place-again.ts';

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
    const back = was.candidates.filter((candidate) => candidate.upstream === upstreamId);
    const candidates = back.reduce<Candidates>((now, candidate) => now.toSpliced(placeAgain(marksOf(was.candidates), markOf(candidate), marksOf(now)), 0, candidate), route.candidates);
    return { ...route, candidates: [...candidates] };
  });
}

/** The routes with the candidates of an earlier removal where nothing but removals has changed them since (`rememberedOrder`). */
export function rememberedRoutes(earlier: readonly Route[], now: readonly Route[]): readonly Route[] {
  return now.map((route) => {
    const was = earlier.find((one) => one.id === route.id);
    if (was === undefined) return route;
    const marks = marksOf(was.candidates);
    return rememberedOrder(marks, marksOf(route.candidates)) === marks ? { ...route, candidates: was.candidates } : route;
  });
}

type Candidates = Readonly<Route['candidates']>;

const markOf = ({ upstream, model }: Candidates[number]): string => `${upstream} ${model ?? ''}`;
const marksOf = (candidates: Candidates): readonly string[] => candidates.map(markOf);

function names(route: Route, upstreamId: string): boolean {
  return route.candidates.some((candidate) => candidate.upstream === upstreamId);
}
