import type { Settings } from '../../shared/settings.ts';
import type { Clock } from './ports.ts';

/** Brake against retry storms, one for the whole gateway (SPEC 8.6). Counts in whole and broken tokens; never below 0 nor above its capacity. */
export interface RetryBudget {
  /** An exchange arrived. */
  deposit(): void;
  /** Whether a retry attempt could start now. */
  left(): boolean;
  /** A retry attempt starts; false when the bucket is empty and it must not. */
  take(): boolean;
  /** A retry attempt succeeded: only failing ones drain the bucket. */
  giveBack(): void;
  /** For the metrics. */
  tokens(): number;
}

export function createRetryBudget(clock: Clock, settings: () => Settings['gateway.retry_budget']): RetryBudget {
  let tokens = settings().capacity;
  let filledAtMs = clock.now();
  const add = (amount: number) => { tokens = Math.min(settings().capacity, tokens + amount); };
  const fill = () => {
    const nowMs = clock.now();
    add(((nowMs - filledAtMs) / 60_000) * settings().min_per_minute);
    filledAtMs = nowMs;
  };
  const left = () => { fill(); return !settings().enabled || tokens >= 1; };
  return {
    deposit: () => { fill(); add(settings().ratio); },
    left,
    take: () => {
      if (!left()) return false;
      if (settings().enabled) tokens -= 1;
      return true;
    },
    giveBack: () => { if (settings().enabled) add(1); },
    tokens: () => { fill(); return tokens; },
  };
}
