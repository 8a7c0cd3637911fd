import type { ExchangeRow } from '../../shared/log.ts';

// What lies between an attempt and its end is no pause.
const LEAST_MS = 20;

/** How long the last pause was, ms, when no attempt came after it: the client left, or somebody gave up. 0 without one; which reason it had is not kept. */
export function lastPauseMs(row: ExchangeRow): number {
  const last = row.detail.attempts.reduce<ExchangeRow['detail']['attempts'][number] | null>((latest, one) => (latest === null || one.n > latest.n ? one : latest), null);
  if (last === null || row.duration_ms === null || row.outcome === 'success' || row.outcome === 'truncated' || row.detail.left_during === 'queue') return 0;
  const told = row.detail.attempts.reduce((sum, { pause_ms: ms }) => sum + (ms ?? 0), 0);
  const ms = Math.min(row.duration_ms - last.started_ms - last.duration_ms, row.pause_ms - told);
  return ms < LEAST_MS ? 0 : ms;
}
