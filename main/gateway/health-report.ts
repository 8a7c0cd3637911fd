import type { ModelHealth, UpstreamHealth } from '../../shared/health.ts';
import { phaseOf, type BreakerPhase } from './core/routing/breaker.ts';
import { figuresOf } from './health-figures.ts';
import type { HealthMemory, ModelMemory } from './health-memory.ts';

/** The times a report is made with: monotonic, and ms since 1970. */
export interface ReportTime { readonly nowMs: number; readonly utcMs: number }

/** What the window is told of an upstream's health. `inFlight` counts all its attempts. */
export function healthReport(memory: HealthMemory, upstreamId: string, inFlight: number, time: ReportTime): UpstreamHealth {
  const known = [...memory.models(upstreamId)];
  const models = known.map(([model, one]) => modelReport(model, one, time));
  return {
    upstreamId,
    phase: worstOf(models.map((model) => model.phase)),
    resting: models.some((model) => model.phase === 'open' || model.restUntil !== null),
    models,
    ...figuresOf(known.map(([, one]) => one.tally), inFlight, time.nowMs),
  };
}

/** The worst of some breakers. */
export function worstOf(phases: readonly BreakerPhase[]): BreakerPhase {
  return phases.includes('open') ? 'open' : phases.includes('half_open') ? 'half_open' : 'closed';
}

function modelReport(model: string, { breaker, restReason, tally }: ModelMemory, { nowMs, utcMs }: ReportTime): ModelHealth {
  const phase = phaseOf(breaker, nowMs);
  const isResting = nowMs < breaker.restUntilMs;
  return {
    model, phase,
    openUntil: phase === 'open' && breaker.openUntilMs !== null ? Math.round(utcMs + breaker.openUntilMs - nowMs) : null,
    restUntil: isResting ? Math.round(utcMs + breaker.restUntilMs - nowMs) : null,
    restReason: isResting ? restReason : null,
    failuresInRow: breaker.failuresInRow,
    ...figuresOf([tally], tally.running.count, nowMs),
  };
}
