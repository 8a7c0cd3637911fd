import type { Clearable } from '../../shared/contents.ts';
import type { RetentionLimits } from './protocol.ts';

/**
 * Takes all bodies, or all finished rows with what is kept beside them, out of the log: everything of exchanges that began until now. In the
 * small steps of retention, so that rows are written in between. Rejects when the database cannot be written; what is gone stays gone.
 */
export async function clearLog(what: Clearable, utcMs: number, step: (limits: RetentionLimits) => Promise<{ readonly more: boolean }>): Promise<void> {
  const limits: RetentionLimits = { utcMs, beforeUtcMs: what === 'all' ? utcMs + 1 : 0, bodiesBeforeUtcMs: utcMs + 1, maxBytes: Infinity };
  for (;;) if (!(await step(limits)).more) return;
}
