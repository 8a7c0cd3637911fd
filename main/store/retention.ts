import type { Settings } from '../../shared/settings.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import type { RetentionLimits } from './protocol.ts';

const FIRST_AFTER_MS = 30_000;
const EVERY_MS = 600_000;
// Between steps, so that rows and settings get their turn.
const BREATH_MS = 25;
const DAY_MS = 86_400_000;

export interface RetentionParts {
  readonly clock: Clock;
  readonly log: Log;
  settings(): Settings;
  /** One small step. */
  step(limits: RetentionLimits): Promise<{ readonly removed: number; readonly more: boolean }>;
}

/** Keeps the log within its age and size (SPEC 12.4) in small steps until `until` aborts; never rejects. */
export async function keepRetention({ clock, log, settings, step }: RetentionParts, until: AbortSignal): Promise<void> {
  await clock.sleep(FIRST_AFTER_MS, until);
  while (!until.aborted) {
    try {
      const removed = await sweep({ clock, log, settings, step }, until);
      if (removed > 0) log.info('old rows were removed from the log', { removed });
    } catch (error) {
      // A store that closes meanwhile takes no more steps.
      if (!isOver(until)) log.warn('old rows could not be removed from the log', { reason: String(error) });
    }
    await clock.sleep(EVERY_MS, until);
  }
}

async function sweep({ clock, settings, step }: RetentionParts, until: AbortSignal): Promise<number> {
  let removed = 0;
  while (!until.aborted) {
    const current = settings();
    const answer = await step({ beforeUtcMs: clock.utc() - current['logs.retention_days'] * DAY_MS, bodiesBeforeUtcMs: clock.utc() - current['logs.body_retention_days'] * DAY_MS, maxBytes: current['logs.max_mb'] * 1024 * 1024 });
    removed += answer.removed;
    if (!answer.more) break;
    await clock.sleep(BREATH_MS, until);
  }
  return removed;
}

function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
