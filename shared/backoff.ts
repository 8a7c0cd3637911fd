import type { ExchangePolicy, RetryPolicy, RetryPreset, RoutePolicy } from './policy.ts';
import { retryPolicySchema } from './policy.ts';
import type { Settings } from './settings.ts';

// The mathematics of pauses stands here and not in the gateway's core because the window draws its chart from the very functions
// that decide (docs/decisions.md).

const PATIENT: RetryPolicy = retryPolicySchema.parse({});

const PRESETS: Readonly<Record<Exclude<RetryPreset, 'custom' | 'off'>, RetryPolicy>> = {
  patient: PATIENT,
  full_jitter: { ...PATIENT, backoff: 'full_jitter', baseMs: 100, maxMs: 2_000, jitter: 0, maxAttempts: 4, hint: 'floor' },
  constant: { ...PATIENT, backoff: 'constant', baseMs: 500, maxMs: 500, jitter: 0, maxAttempts: 4, hint: 'floor' },
};

/** What of the settings shapes the policy; a part of `Settings`, so that the window can ask about values not saved yet. */
export type PolicySettings = Pick<Settings, 'gateway.retry_preset' | 'gateway.retry_policy' | 'gateway.retry_on_timeout' | 'gateway.retry_wait_secs'>;

/** The policy of an exchange that arrives now (SPEC 8.2, 8.3): the route's override first, then the settings. */
export function resolvePolicy(settings: PolicySettings, route: RoutePolicy): ExchangePolicy {
  const preset = route?.preset ?? settings['gateway.retry_preset'];
  const deadlineMs = (route?.retry_wait_secs ?? settings['gateway.retry_wait_secs']) * 1_000;
  if (preset === 'custom') return { ...(route?.policy ?? settings['gateway.retry_policy']), enabled: true, deadlineMs };
  const retryOnTimeout = settings['gateway.retry_on_timeout'];
  if (preset === 'off') return { ...PATIENT, retryOnTimeout, enabled: false, deadlineMs };
  return { ...PRESETS[preset], retryOnTimeout, enabled: true, deadlineMs };
}

/** The pause before a retry without a hint, ms >= 0 (SPEC 8.2). `failedRounds` counts from 1; `jitterUnit` in [0, 1): 0 is the shortest pause. */
export function plainPauseMs(policy: ExchangePolicy, failedRounds: number, jitterUnit: number): number {
  // A short deadline would otherwise silently turn retrying off.
  const ceilingMs = Math.min(policy.maxMs, policy.deadlineMs / 2);
  if (policy.backoff === 'constant') return spread(Math.min(policy.baseMs, ceilingMs), policy.jitter, jitterUnit);
  const grownMs = Math.min(ceilingMs, policy.baseMs * 2 ** (failedRounds - 1));
  return policy.backoff === 'full_jitter' ? grownMs * jitterUnit : spread(grownMs, policy.jitter, jitterUnit);
}

/** The pause before a retry when the upstream said when to come back (SPEC 8.4): never earlier than it asked. `leftMs` is the time to the deadline. */
export function hintedPauseMs(policy: ExchangePolicy, failedRounds: number, jitterUnit: number, hintMs: number, leftMs: number): number {
  if (policy.hint === 'floor') return Math.max(plainPauseMs(policy, failedRounds, jitterUnit), hintMs) + jitterUnit * policy.baseMs;
  const askedMs = Math.max(hintMs, policy.hintMinMs);
  const laterMs = askedMs * (1 + Math.min(policy.jitter, 0.2) * jitterUnit);
  // The spread must not push a hint that fits past the deadline.
  return Math.max(askedMs, Math.min(laterMs, leftMs - 1));
}

function spread(pauseMs: number, jitter: number, jitterUnit: number): number {
  return pauseMs * (1 + jitter * (2 * jitterUnit - 1));
}

/** One retry of the schedule as it would run if every attempt failed at once; ms from the arrival. */
export interface ScheduledRetry {
  readonly retry: number;
  /** With jitter in the middle. */
  readonly atMs: number;
  /** With the lowest jitter in every pause so far. */
  readonly earliestMs: number;
  /** With the highest jitter in every pause so far, cut at the deadline. */
  readonly latestMs: number;
}

/** All retries that start before the deadline, at most `limit`, when attempts take `attemptMs` each (SPEC 7.4, 8.1). With a hint every pause follows it. */
export function schedule(policy: ExchangePolicy, options: { readonly attemptMs?: number; readonly hintMs?: number; readonly limit?: number } = {}): readonly ScheduledRetry[] {
  const { attemptMs = 0, hintMs, limit = 1_000 } = options;
  if (!policy.enabled) return [];
  const retries: ScheduledRetry[] = [];
  let [at, earliest, latest] = [attemptMs, attemptMs, attemptMs];
  for (let failedRounds = 1; retries.length < limit; failedRounds++) {
    if (policy.maxAttempts > 0 && failedRounds >= policy.maxAttempts) break;
    const pause = (unit: number, elapsedMs: number) => (hintMs === undefined
      ? plainPauseMs(policy, failedRounds, unit)
      : hintedPauseMs(policy, failedRounds, unit, hintMs, policy.deadlineMs - elapsedMs));
    const middle = pause(0.5, at);
    if (at + middle >= policy.deadlineMs) break;
    at += middle;
    earliest += pause(0, earliest);
    latest = Math.min(policy.deadlineMs, latest + pause(1, latest));
    retries.push({ retry: failedRounds, atMs: at, earliestMs: earliest, latestMs: latest });
    [at, earliest, latest] = [at + attemptMs, earliest + attemptMs, latest + attemptMs];
  }
  return retries;
}
