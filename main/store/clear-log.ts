import type { Clearable } from '../../shared/contents.ts';
import type { RetentionLimits } from './protocol.ts';

const EVER = Number.MAX_SAFE_INTEGER;
const NEVER = -EVER;

/**
 * Takes all bodies, or all finished rows with what is kept beside them, out of the log; what ends meanwhile may go with them. In the small
 * steps of retention, so that rows are written in between. Rejects when the database cannot be written; what is gone stays gone.
 */
export async function clearLog(what: Clearable, utcMs: number, step: (limits: RetentionLimits) => Promise<{ readonly more: boolean }>): Promise<void> {
  // Of the whole log so little stays that the file is written anew afterwards; bodies are written over as they go. Whatever the time: a clock that was ahead has dated rows later than now.
  const limits: RetentionLimits = { utcMs, beforeUtcMs: what === 'all' ? EVER : NEVER, bodiesBeforeUtcMs: EVER, maxBytes: Infinity, ...(what === 'bodies' && { wipe: true as const }) };
  for (;;) if (!(await step(limits)).more) return;
}
