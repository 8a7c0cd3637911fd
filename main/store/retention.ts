import type { Settings } from '../../shared/settings.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { RetentionLimits } from './protocol.ts';

const FIRST_AFTER_MS = 30_000;
const EVERY_MS = 600_000;
// Between steps, so that rows and settings get their turn.
const BREATH_MS = 25;
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
// A log that grows past its size is swept out of turn, but not again and again when there is nothing to be removed.
const SOONEST_MS = 5_000;
const SLACK = 1.02;

export interface RetentionParts {
  readonly clock: Clock;
  readonly log: Log;
  settings(): Settings;
  /** One small step. */
  step(limits: RetentionLimits): Promise<{ readonly removed: number; readonly more: boolean }>;
}

/** Keeps the log within its age and size (SPEC 12.4). */
export interface Retention {
  /** Sweeps in small steps, from time to time, until `until` aborts; never rejects. */
  keep(until: AbortSignal): Promise<void>;
  /** Told how much the database holds now, bytes: too much brings the next sweep on. */
  grown(usedBytes: number): void;
}

export function createRetention({ clock, log, settings, step }: RetentionParts): Retention {
  let hurry: AbortController | null = null;
  let sweptMs = -Infinity;

  const sweep = async (until: AbortSignal): Promise<number> => {
    let removed = 0;
    while (!until.aborted) {
      const answer = await step(limitsOf(settings(), clock.utc()));
      removed += answer.removed;
      if (!answer.more) break;
      await clock.sleep(BREATH_MS, until);
    }
    return removed;
  };

  const rest = async (waitMs: number, until: AbortSignal): Promise<void> => {
    hurry = new AbortController();
    const end = (): void => { hurry?.abort(); };
    until.addEventListener('abort', end);
    if (until.aborted) end();
    await clock.sleep(waitMs, hurry.signal);
    until.removeEventListener('abort', end);
    hurry = null;
  };

  return {
    keep: async (until) => {
      await rest(FIRST_AFTER_MS, until);
      while (!until.aborted) {
        try {
          const removed = await sweep(until);
          if (removed > 0) log.info('old rows were removed from the log', { removed });
        } catch (error) {
          // A store that closes meanwhile takes no more steps.
          if (!isOver(until)) log.warn('old rows could not be removed from the log', { reason: String(error) });
        }
        sweptMs = clock.now();
        await rest(EVERY_MS, until);
      }
    },
    grown: (usedBytes) => {
      if (hurry !== null && usedBytes > settings()['logs.max_mb'] * MIB * SLACK && clock.now() - sweptMs >= SOONEST_MS) hurry.abort();
    },
  };
}

function limitsOf(settings: Settings, utcMs: number): RetentionLimits {
  return {
    utcMs,
    beforeUtcMs: utcMs - settings['logs.retention_days'] * DAY_MS,
    bodiesBeforeUtcMs: utcMs - settings['logs.body_retention_days'] * DAY_MS,
    maxBytes: settings['logs.max_mb'] * MIB,
  };
}

// Asked anew after a wait.
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
