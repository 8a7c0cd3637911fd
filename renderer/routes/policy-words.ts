import type { TFunction } from 'i18next';
import type { RoutePolicy } from '../../shared/policy.ts';
import type { Formatter } from '../format.ts';

/** A route's override in a few words: its pace and, where it has its own, the wait. */
export function policyWords(policy: RoutePolicy, t: TFunction, format: Formatter): string {
  if (policy === null) return t('route.as_settings');
  const wait = policy.retry_wait_secs;
  return format.commas([t(`pace.${policy.preset}`), wait === undefined || policy.preset === 'off' ? '' : t('unit.s', { n: format.number(wait) })]);
}
