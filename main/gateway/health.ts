import type { UpstreamFailure } from '../../shared/failure.ts';
import { CLOSED, admits, entered, failed, phaseOf, rested, succeeded, withdrawn } from './core/routing/breaker.ts';
import type { Breaker, BreakerPhase, BreakerSettings, Entry } from './core/routing/breaker.ts';
import type { Clock } from './ports.ts';

/** What the gateway remembers between exchanges about its upstreams and routes; in memory only. */
export interface Health {
  /** How an attempt at this upstream and model may start; null: it rests (SPEC 9.4). */
  admits(upstreamId: string, model: string): Exclude<Entry, 'bypass'> | null;
  /** An attempt starts. Settle it exactly once. */
  enter(attempt: { readonly exchange: string; readonly upstreamId: string; readonly model: string; readonly entry: Entry; /** The client's own credential: its faults say nothing of the upstream (SPEC 2.4). */ readonly clientCredential: boolean }): HealthVisit;
  /** The machine slept: failures of what is in flight now count for nothing (SPEC 8.8). */
  woke(): void;
  /** The worst breaker of an upstream, over its models. */
  phaseOf(upstreamId: string): BreakerPhase;
  /** How often this route has been used before; counts on. */
  nextTurn(routeId: string): number;
  /** Smoothed time to first content, ms; null while the upstream has never answered. */
  latencyMs(upstreamId: string): number | null;
  noteFirstContent(upstreamId: string, tookMs: number): void;
  /** Forgets an upstream that was edited, deleted or reset. */
  forget(upstreamId: string): void;
}

/** One attempt, as health sees it. Only the first call counts. */
export interface HealthVisit {
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  /** It was cancelled, or says nothing about the upstream. */
  withdrawn(): void;
}

// A new measurement counts a fifth: a handful of answers shows a change, a single slow one does not turn the order over.
const WEIGHT_OF_NEWEST = 0.2;
// How long an upstream rests for a reason of its own (SPEC 9.4).
const LONGEST_RATE_LIMIT_MS = 3_600_000;
const QUOTA_MS = 3_600_000;
const NO_BALANCE_MS = 1_800_000;
const AUTH_MS = 60_000;
const PAYMENT_REQUIRED = 402;

export function createHealth(clock: Clock, settings: () => BreakerSettings): Health {
  // All three are bounded by what is configured and asked for; `forget` removes an upstream's share.
  const breakers = new Map<string, Map<string, Breaker>>();
  const turns = new Map<string, number>();
  const latencies = new Map<string, number>();
  let wakes = 0;
  const breakerOf = (upstreamId: string, model: string): Breaker => breakers.get(upstreamId)?.get(model) ?? CLOSED;
  const change = (upstreamId: string, model: string, to: (breaker: Breaker) => Breaker): void => {
    const models = breakers.get(upstreamId) ?? new Map<string, Breaker>();
    models.set(model, to(models.get(model) ?? CLOSED));
    breakers.set(upstreamId, models);
  };

  return {
    admits: (upstreamId, model) => (settings().enabled ? admits(breakerOf(upstreamId, model), clock.now()) : 'normal'),
    enter: ({ exchange, upstreamId, model, entry, clientCredential }) => {
      const wakesBefore = wakes;
      let settled = false;
      if (entry === 'probe') change(upstreamId, model, (breaker) => entered(breaker, entry));
      const settle = (to: (breaker: Breaker, nowMs: number) => Breaker): void => {
        // An upstream that was forgotten meanwhile starts afresh; what began before says nothing of it.
        if (settled || !settings().enabled) return;
        settled = true;
        change(upstreamId, model, (breaker) => to(breaker, clock.now()));
      };
      return {
        succeeded: () => { settle((breaker, nowMs) => succeeded(breaker, entry, exchange, settings(), nowMs)); },
        failed: (failure) => {
          settle((breaker, nowMs) => {
            const restMs = wakes === wakesBefore ? restOf(failure, clientCredential) : null;
            if (restMs !== null) return rested(withdrawn(breaker, entry), nowMs + restMs);
            return wakes === wakesBefore && counts(failure) && !(failure.class === 'rate_limited' && clientCredential)
              ? failed(breaker, entry, exchange, settings(), nowMs) : withdrawn(breaker, entry);
          });
        },
        withdrawn: () => { settle((breaker) => withdrawn(breaker, entry)); },
      };
    },
    woke: () => { wakes++; },
    phaseOf: (upstreamId) => {
      const phases = [...breakers.get(upstreamId)?.values() ?? []].map((breaker) => phaseOf(breaker, clock.now()));
      return phases.includes('open') ? 'open' : phases.includes('half_open') ? 'half_open' : 'closed';
    },
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
    forget: (upstreamId) => {
      latencies.delete(upstreamId);
      breakers.delete(upstreamId);
    },
  };
}

/** Whether the failure counts against the upstream (SPEC 4.1, column health). */
function counts(failure: UpstreamFailure): boolean {
  return ['transient', 'timeout', 'server', 'invalid', 'rate_limited'].includes(failure.class);
}

/** How long the upstream rests for this failure, ms; null when it does not. */
function restOf(failure: UpstreamFailure, clientCredential: boolean): number | null {
  if (clientCredential) return null;
  if (failure.class === 'rate_limited') return failure.hintMs === null ? null : Math.min(failure.hintMs, LONGEST_RATE_LIMIT_MS);
  if (failure.class === 'quota') return failure.hintMs ?? (failure.status === PAYMENT_REQUIRED ? NO_BALANCE_MS : QUOTA_MS);
  return failure.class === 'auth' ? AUTH_MS : null;
}
