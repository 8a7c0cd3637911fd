import type { TFunction } from 'i18next';
import { plainPauseMs, schedule, type ScheduledRetry } from '../../../../shared/backoff.ts';
import type { ExchangePolicy } from '../../../../shared/policy.ts';
import type { Formatter } from '../../../format.ts';

/** More than these are not counted out. */
export const MOST_RETRIES = 200;

/** The schedule in sentences: how many retries and when, what the spread changes, what an upstream's own time changes. */
export function scheduleWords(policy: ExchangePolicy, t: TFunction, format: Formatter): { readonly when: string; readonly more: readonly string[] } {
  const retries = schedule(policy, { limit: MOST_RETRIES });
  if (!policy.enabled || policy.deadlineMs === 0) return { when: t('schedule.off'), more: [] };
  if (retries.length === 0) return { when: t('schedule.none'), more: [] };
  return { when: whenWords(retries, t, format), more: [...spreadWords(policy, retries.length, t, format), t(`schedule.hint_${policy.hint}`, { deadline: format.duration(policy.deadlineMs) })] };
}

function whenWords(retries: readonly ScheduledRetry[], t: TFunction, format: Formatter): string {
  const count = retries.length;
  if (count >= MOST_RETRIES) return t('schedule.very_many', { most: format.number(MOST_RETRIES) });
  const seconds = (ms: number) => format.number(Math.round(ms / 100) / 10);
  const tail = steadyTail(retries);
  const last = retries[count - 1] as ScheduledRetry;
  if (tail === null) return t('schedule.at', { count, list: format.list(retries.map((one) => seconds(one.atMs))) });
  const first = retries.slice(0, tail.from + 1).map((one) => seconds(one.atMs));
  return t('schedule.at_then_every', { count, list: format.series(first), every: seconds(tail.everyMs), last: seconds(last.atMs) });
}

/** From which index on retries come at even steps, when at least three steps are even. */
function steadyTail(retries: readonly ScheduledRetry[]): { readonly from: number; readonly everyMs: number } | null {
  const gap = (index: number) => (retries[index]?.atMs ?? 0) - (retries[index - 1]?.atMs ?? 0);
  const everyMs = gap(retries.length - 1);
  let from = retries.length - 1;
  while (from > 0 && Math.abs(gap(from) - everyMs) < 1) from--;
  return retries.length - 1 - from >= 3 ? { from, everyMs } : null;
}

function spreadWords(policy: ExchangePolicy, middle: number, t: TFunction, format: Formatter): string[] {
  if (policy.backoff === 'full_jitter') return [t('schedule.full_jitter')];
  if (policy.jitter === 0) return [];
  const most = countRetries(policy, 0);
  const fewest = countRetries(policy, 1);
  const share = format.percent(policy.jitter);
  if (most === fewest || most >= MOST_RETRIES || middle >= MOST_RETRIES) return [t('schedule.spread', { share })];
  return [t('schedule.spread_counts', { share, fewest: format.number(fewest), most: format.number(most) })];
}

/** How many retries there are when every pause has the same jitter, 0 the shortest, 1 the longest. */
export function countRetries(policy: ExchangePolicy, jitterUnit: number): number {
  let at = 0;
  let count = 0;
  while (count < MOST_RETRIES && (policy.maxAttempts === 0 || count + 1 < policy.maxAttempts)) {
    at += plainPauseMs(policy, count + 1, jitterUnit);
    if (at >= policy.deadlineMs) break;
    count++;
  }
  return count;
}
