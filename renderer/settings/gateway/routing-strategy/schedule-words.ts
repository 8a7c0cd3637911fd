import type { TFunction } from 'i18next';
import { plainPauseMs, schedule, type ScheduledRetry } from '../../../../shared/backoff.ts';
import type { ExchangePolicy } from '../../../../shared/policy.ts';
import type { Formatter } from '../../../format.ts';

/** More than these are not counted out. */
export const MOST_RETRIES = 200;

/** The schedule in sentences: how many retries and when, what the spread changes, what an upstream's own time changes, what is sent again at all. */
export interface ScheduleWords {
  readonly when: string;
  readonly more: readonly string[];
}

/** Says the schedule; with `hintMs` the one of an upstream that names this time with every failure. */
export function scheduleWords(policy: ExchangePolicy, t: TFunction, format: Formatter, hintMs: number | null = null): ScheduleWords {
  if (!policy.enabled || policy.deadlineMs === 0) return { when: t('schedule.off'), more: [] };
  const retries = schedule(policy, { limit: MOST_RETRIES, ...(hintMs !== null && { hintMs }) });
  const causes = causeWords(policy, t, format);
  if (hintMs !== null) return { when: format.sentences([t('schedule.every_failure_says', { hint: format.duration(hintMs) }), hintedWhen(policy, retries, t, format)]), more: [...hintSpreadWords(policy, retries, t, format), causes] };
  if (retries.length === 0) return { when: noneWords(policy, t), more: [] };
  const hint = t(`schedule.hint_${policy.hint}`, { deadline: format.duration(policy.deadlineMs) });
  return { when: whenWords(retries, t, format), more: [...spreadWords(policy, retries.length, t, format), hint, ...timeoutWords(policy, t, format), causes] };
}

const noneWords = (policy: ExchangePolicy, t: TFunction) => (policy.maxAttempts === 1 ? t('schedule.one_attempt') : t('schedule.none'));

function hintedWhen(policy: ExchangePolicy, retries: readonly ScheduledRetry[], t: TFunction, format: Formatter): string {
  if (retries.length > 0) return whenWords(retries, t, format);
  return policy.maxAttempts === 1 ? t('schedule.one_attempt') : t('schedule.hint_too_late', { deadline: format.duration(policy.deadlineMs) });
}

function whenWords(retries: readonly ScheduledRetry[], t: TFunction, format: Formatter): string {
  const count = retries.length;
  if (count >= MOST_RETRIES) return t('schedule.very_many', { most: format.number(MOST_RETRIES) });
  const seconds = (ms: number) => format.number(ms < 1_000 ? Math.round(ms / 10) / 100 : Math.round(ms / 100) / 10);
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

/** After a named time there is only a spread upwards: nobody comes earlier than asked. */
function hintSpreadWords(policy: ExchangePolicy, retries: readonly ScheduledRetry[], t: TFunction, format: Formatter): string[] {
  if (retries.length === 0) return [];
  if (policy.hint === 'floor') return policy.baseMs === 0 ? [] : [t('schedule.floor_spread', { most: format.duration(policy.baseMs) })];
  return policy.jitter === 0 ? [] : [t('schedule.follow_spread', { share: format.percent(Math.min(policy.jitter, 0.2)) })];
}

function timeoutWords(policy: ExchangePolicy, t: TFunction, format: Formatter): string[] {
  return policy.attemptTimeoutMs === 0 ? [] : [t('schedule.attempt_timeout', { limit: format.duration(policy.attemptTimeoutMs) })];
}

function causeWords(policy: ExchangePolicy, t: TFunction, format: Formatter): string {
  const statuses = [...policy.statuses].sort((a, b) => a - b).map(String);
  const causes = [t('schedule.cause.connection'), t('schedule.cause.overload'), ...(policy.retryOnTimeout ? [t('schedule.cause.timeout')] : []), ...(statuses.length > 0 ? [t('schedule.cause.status', { statuses: format.series(statuses) })] : [])];
  return t('schedule.causes', { list: causes.join(t('schedule.cause.between')) });
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
