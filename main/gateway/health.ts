/** What the gateway remembers between exchanges about its upstreams and routes; in memory only. */
export interface Health {
  /** How often this route has been used before; counts on. */
  nextTurn(routeId: string): number;
  /** Smoothed time to first content, ms; null while the upstream has never answered. */
  latencyMs(upstreamId: string): number | null;
  noteFirstContent(upstreamId: string, tookMs: number): void;
  /** Forgets an upstream that was edited or deleted. */
  forget(upstreamId: string): void;
}

// A new measurement counts a fifth: a handful of answers shows a change, a single slow one does not turn the order over.
const WEIGHT_OF_NEWEST = 0.2;

export function createHealth(): Health {
  // Bounded by the number of configured routes and upstreams; `forget` removes the latter.
  const turns = new Map<string, number>();
  const latencies = new Map<string, number>();
  return {
    nextTurn: (routeId) => {
      const turn = turns.get(routeId) ?? 0;
      turns.set(routeId, turn + 1);
      return turn;
    },
    latencyMs: (upstreamId) => latencies.get(upstreamId) ?? null,
    noteFirstContent: (upstreamId, tookMs) => {
      const before = latencies.get(upstreamId);
      latencies.set(upstreamId, before === undefined ? tookMs : before + WEIGHT_OF_NEWEST * (tookMs - before));
    },
    forget: (upstreamId) => { latencies.delete(upstreamId); },
  };
}
