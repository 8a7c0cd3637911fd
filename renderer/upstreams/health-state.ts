import type { ModelHealth, RestReason, UpstreamHealth } from '../../shared/health.ts';

/** How an upstream stands, worst first: closed for all models or some, on trial, failing without being closed yet, fine, or not heard of. Closed: also i18n keys under `health.state`. */
export const STANDINGS = ['resting', 'partly_resting', 'on_trial', 'failing', 'well', 'unknown'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A model that is passed by now. Times are ms since 1970. */
export interface RestingModel {
  readonly model: string;
  readonly until: number;
  /** `failures`: its breaker is open. */
  readonly reason: RestReason | 'failures';
}

export interface HealthReading {
  readonly standing: Standing;
  readonly resting: readonly RestingModel[];
  /** When the first of the resting ones is asked again; null when none rests. */
  readonly until: number | null;
}

/** Reads the health of an upstream at `now` (ms since 1970): a rest that is over is none, also when nobody has told yet. */
export function readHealth(health: UpstreamHealth | undefined, now: number): HealthReading {
  if (health === undefined) return { standing: 'unknown', resting: [], until: null };
  const resting = health.models.flatMap((model) => restOf(model, now)).sort((a, b) => a.until - b.until);
  return { standing: standingOf(health, resting.length), resting, until: resting[0]?.until ?? null };
}

function restOf(model: ModelHealth, now: number): RestingModel[] {
  const rests = [
    ...(model.openUntil !== null && model.openUntil > now ? [{ model: model.model, until: model.openUntil, reason: 'failures' as const }] : []),
    ...(model.restUntil !== null && model.restUntil > now ? [{ model: model.model, until: model.restUntil, reason: model.restReason ?? 'rate_limited' }] : []),
  ];
  // It is passed by until the later one is over.
  return rests.sort((a, b) => b.until - a.until).slice(0, 1);
}

function standingOf(health: UpstreamHealth, resting: number): Standing {
  if (resting > 0) return resting === health.models.length ? 'resting' : 'partly_resting';
  if (health.models.some((model) => model.phase !== 'closed')) return 'on_trial';
  if (health.models.some((model) => model.failuresInRow > 0)) return 'failing';
  return health.attempts === 0 ? 'unknown' : 'well';
}
