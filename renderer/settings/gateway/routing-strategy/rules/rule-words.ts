import type { TFunction } from 'i18next';
import { FAILURE_CLASSES } from '../../../../../shared/failure.ts';
import type { RetryRule } from '../../../../../shared/settings.ts';
import type { Upstream } from '../../../../../shared/upstream.ts';
import type { Formatter } from '../../../../format.ts';

/** The classes a rule can give. */
export const RULE_CLASSES = FAILURE_CLASSES.filter((one) => one !== 'cancelled');
export type RuleClass = RetryRule['class'];

/** What of a body a rule looks for. */
export type RuleMatch = 'any' | 'text' | 'pattern';

/** Which kind of match a rule has; a pattern counts before a text. */
export function matchOf(rule: RetryRule): RuleMatch {
  return rule.pattern !== undefined ? 'pattern' : rule.text !== undefined && rule.text !== '' ? 'text' : 'any';
}

/** What a rule takes, in one phrase: upstream, statuses and what the body says. */
export function takesWords(rule: RetryRule, upstreams: readonly Upstream[], t: TFunction, format: Formatter): string {
  const upstream = rule.upstream === null ? t('rules.any_upstream') : upstreams.find(({ id }) => id === rule.upstream)?.name ?? t('rules.upstream_gone', { id: rule.upstream });
  const statuses = rule.statuses.length === 0 ? t('rules.any_status') : t('rules.status', { statuses: format.series(rule.statuses.map(String)) });
  const text = rule.text === undefined || rule.text === '' ? [] : [t('rules.says', { text: rule.text })];
  const pattern = rule.pattern === undefined ? [] : [t('rules.matches', { pattern: rule.pattern })];
  return format.commas([upstream, statuses, ...text, ...pattern]);
}
