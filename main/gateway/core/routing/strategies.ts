import { assertNever } from '../../../../shared/assert-never.ts';
import type { Strategy } from '../../../../shared/route.ts';
import type { Admitted } from './match.ts';

/** What strategies may look at besides the candidates (SPEC 9.2). */
export interface OrderFacts {
  /** How many exchanges this route has served: turns the round robin. */
  readonly turn: number;
  /** Drawn by the caller, each in [0, 1). */
  draw(): number;
  /** Smoothed time to first content of an upstream, ms; null while it has never answered. */
  latencyMs(upstreamId: string): number | null;
}

/** The order of candidates for one exchange, fixed once (SPEC 7.1). Always a permutation of what is given. */
export function orderCandidates<C extends Admitted>(strategy: Strategy, candidates: readonly C[], facts: OrderFacts): readonly C[] {
  switch (strategy) {
    case 'priority': return candidates;
    case 'round_robin': {
      const first = candidates.length === 0 ? 0 : facts.turn % candidates.length;
      return [...candidates.slice(first), ...candidates.slice(0, first)];
    }
    // Exponential keys: sorting by -ln(u) / weight draws without replacement in proportion to the weights.
    case 'weighted': return sortedBy(candidates, (candidate) => -Math.log(1 - facts.draw()) / candidate.weight);
    case 'random': return sortedBy(candidates, () => facts.draw());
    // Upstreams never tried come last, in the user's order: the measured ones are known to work.
    case 'least_latency': return sortedBy(candidates, (candidate) => facts.latencyMs(candidate.upstreamId) ?? Infinity);
    default: return assertNever(strategy);
  }
}

function sortedBy<C>(items: readonly C[], keyOf: (item: C) => number): readonly C[] {
  return items
    .map((item, index) => ({ item, index, key: keyOf(item) }))
    .sort((a, b) => (a.key === b.key ? a.index - b.index : a.key - b.key))
    .map(({ item }) => item);
}
