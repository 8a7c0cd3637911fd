import type { UpstreamFailure } from '../../shared/failure.ts';
import type { RestReason, UpstreamHealth } from '../../shared/health.ts';
import { CLOSED, admits, entered, failed, phaseOf, rested, succeeded, withdrawn } from './core/routing/breaker.ts';
import type { Breaker, BreakerPhase, BreakerSettings, Entry } from './core/routing/breaker.ts';
import { sampled, tallied } from './health-figures.ts';
import { createHealthMemory, type HealthMemory } from './health-memory.ts';
import { healthReport, worstOf } from './health-report.ts';
import type { Clock } from './ports.ts';

/** What the gateway remembers between exchanges about its upstreams and routes; in memory only. */
export interface Health {
  /** How an attempt at this upstream and model may start; null: it rests (SPEC 9.4). */
  admits(upstreamId: string, model: string): Exclude<Entry, 'bypass'> | null;
  /** An attempt starts. End it exactly once. */
  enter(attempt: HealthEntry): HealthVisit;
  /** The machine slept: failures of what is in flight now count for nothing (SPEC 8.8). */
  woke(): void;
  /** The worst breaker of an upstream, over its models. */
  phaseOf(upstreamId: string): BreakerPhase;
  /** How often this route has been used before; counts on. */
  nextTurn(routeId: string): number;
  /** Smoothed time to first content, ms; null while the upstream has never answered. */
  latencyMs(upstreamId: string): number | null;
  noteFirstContent(upstreamId: string, model: string, tookMs: number): void;
  /** Forgets an upstream that was edited, deleted or reset. What is under way there says nothing of it any more. */
  forget(upstreamId: string): void;
  /** What is known of an upstream, for the eyes. `inFlight` counts its attempts under way. */
  report(upstreamId: string, inFlight: number): UpstreamHealth;
  /** Told whenever a report would say something else; not when only time has passed. The answer ends it. */
  onChange(listener: () => void): () => void;
  /** Another health that begins where this one is, on a clock that shows the same time: for what is only tried out. */
  fork(clock: Clock, upstreamIds: readonly string[]): Health;
}

/** An attempt, as health sees it. */
export interface HealthEntry {
  readonly exchange: string;
  readonly upstreamId: string;
  readonly model: string;
  readonly entry: Entry;
  /** 0 for the first pass: tells what a retry has saved. */
  readonly round: number;
  /** The client's own credential: its faults say nothing of the upstream (SPEC 2.4). */
  readonly clientCredential: boolean;
}

/** One attempt under way. It ends by the first of the last three; later ones count for nothing. */
export interface HealthVisit {
  /** Its content has shown that the upstream is well; it goes on. */
  opened(): void;
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  /** It was cancelled, or says nothing about the upstream. */
  withdrawn(): void;
}

/** The visit of an attempt that says nothing about the upstream however it ends: counting tokens must not take it from the generations (SPEC 7.9). */
export const UNJUDGED: HealthVisit = { opened: () => undefined, succeeded: () => undefined, failed: () => undefined, withdrawn: () => undefined };

// A new measurement counts a fifth: a handful of answers shows a change, a single slow one does not turn the order over.
const WEIGHT_OF_NEWEST = 0.2;
// How long an upstream rests for a reason of its own (SPEC 9.4).
const LONGEST_RATE_LIMIT_MS = 3_600_000;
const QUOTA_MS = 3_600_000;
const NO_BALANCE_MS = 1_800_000;
const AUTH_MS = 60_000;
const PAYMENT_REQUIRED = 402;

export function createHealth(clock: Clock, settings: () => BreakerSettings): Health {
  return healthOn(createHealthMemory(() => clock.now()), clock, settings, new Map(), new Map());
}

function healthOn(memory: HealthMemory, clock: Clock, settings: () => BreakerSettings, turns: Map<string, number>, latencies: Map<string, number>): Health {
  // Turns and latencies are bounded by what is configured; `forget` removes an upstream's share.
  const listeners = new Set<() => void>();
  const changed = (): void => { for (const listener of listeners) listener(); };
  let wakes = 0;

  const enter = ({ exchange, upstreamId, model, entry, round, clientCredential }: HealthEntry): HealthVisit => {
    const place = memory.at(upstreamId, model);
    const wakesBefore = wakes;
    let judged = false;
    let ended = false;
    const judge = (to: (breaker: Breaker, nowMs: number) => Breaker): void => {
      if (judged) return;
      judged = true;
      // Turned off meanwhile: no verdict, but the place of a probe is free again.
      place.breaker = settings().enabled ? to(place.breaker, clock.now()) : withdrawn(place.breaker, entry);
    };
    const end = (book: () => void): void => {
      if (ended) return;
      ended = true;
      place.tally.running.count--;
      book();
      changed();
    };
    const judgeFailure = (failure: UpstreamFailure): void => {
      judge((breaker, nowMs) => {
        const rest = wakes === wakesBefore ? restOf(failure, clientCredential) : null;
        if (rest !== null) {
          if (nowMs + rest.forMs >= breaker.restUntilMs) place.restReason = rest.reason;
          return rested(withdrawn(breaker, entry), nowMs + rest.forMs);
        }
        return wakes === wakesBefore && counts(failure) && !(failure.class === 'rate_limited' && clientCredential)
          ? failed(breaker, entry, exchange, settings(), nowMs) : withdrawn(breaker, entry);
      });
    };
    const judgeSuccess = (): void => { judge((breaker, nowMs) => succeeded(breaker, entry, exchange, settings(), nowMs)); };

    place.tally.running.count++;
    if (entry === 'probe') place.breaker = entered(place.breaker, entry);
    changed();
    return {
      opened: judgeSuccess,
      succeeded: () => {
        end(() => {
          judgeSuccess();
          tallied(place.tally, round > 0 ? 'answered_in_retry' : 'answered', clock.now());
        });
      },
      failed: (failure) => {
        end(() => {
          judgeFailure(failure);
          tallied(place.tally, 'failed', clock.now());
          const { class: failureClass, code, status, message } = failure;
          place.tally.lastError = { at: clock.utc(), model, class: failureClass, code, status, message };
        });
      },
      withdrawn: () => { end(() => { judge((breaker) => withdrawn(breaker, entry)); }); },
    };
  };

  return {
    admits: (upstreamId, model) => (settings().enabled ? admits(memory.find(upstreamId, model)?.breaker ?? CLOSED, clock.now()) : 'normal'),
    enter,
    woke: () => { wakes++; },
    phaseOf: (upstreamId) => worstOf([...memory.models(upstreamId).values()].map(({ breaker }) => phaseOf(breaker, clock.now()))),
    nextTurn: (routeId) => {
      const turn = turns.get(routeId) ?? 0;
      turns.set(routeId, turn + 1);
      return turn;
    },
    latencyMs: (upstreamId) => latencies.get(upstreamId) ?? null,
    noteFirstContent: (upstreamId, model, tookMs) => {
      const before = latencies.get(upstreamId);
      latencies.set(upstreamId, before === undefined ? tookMs : before + WEIGHT_OF_NEWEST * (tookMs - before));
      sampled(memory.at(upstreamId, model).tally, tookMs, clock.now());
    },
    forget: (upstreamId) => {
      latencies.delete(upstreamId);
      memory.forget(upstreamId);
      changed();
    },
    report: (upstreamId, inFlight) => healthReport(memory, upstreamId, inFlight, { nowMs: clock.now(), utcMs: clock.utc() }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    fork: (other, upstreamIds) => {
      const copy = createHealthMemory(() => other.now());
      copy.takeOver(memory, upstreamIds);
      return healthOn(copy, other, settings, new Map(turns), new Map(latencies));
    },
  };
}

/** Whether the failure counts against the upstream (SPEC 4.1, column health). */
function counts(failure: UpstreamFailure): boolean {
  return ['transient', 'timeout', 'server', 'invalid', 'rate_limited'].includes(failure.class);
}

/** How long the upstream rests for this failure, and why; null when it does not. */
function restOf(failure: UpstreamFailure, clientCredential: boolean): { readonly forMs: number; readonly reason: RestReason } | null {
  if (clientCredential) return null;
  if (failure.class === 'rate_limited') return failure.hintMs === null ? null : { forMs: Math.min(failure.hintMs, LONGEST_RATE_LIMIT_MS), reason: 'rate_limited' };
  if (failure.class === 'quota') return { forMs: failure.hintMs ?? (failure.status === PAYMENT_REQUIRED ? NO_BALANCE_MS : QUOTA_MS), reason: 'quota' };
  return failure.class === 'auth' ? { forMs: AUTH_MS, reason: 'auth' } : null;
}
