import type { Route } from '../../shared/route.ts';

/** The route ahead that takes everything this one could take, so that it is never reached; null when none does. `place` counts from 0; one past the end is the last route `*`. */
export function takenWholeBy(routes: readonly Route[], place: number): Route | null {
  const pattern = routes[place]?.pattern ?? '*';
  return routes.slice(0, place).find((ahead) => ahead.pattern === pattern || covers(ahead.pattern, pattern)) ?? null;
}

// `a*` covers `ab*` and `abc`; other shapes are not judged: a wrong warning is worse than none.
function covers(wide: string, narrow: string): boolean {
  return wide.endsWith('*') && !wide.slice(0, -1).includes('*') && narrow.startsWith(wide.slice(0, -1));
}
