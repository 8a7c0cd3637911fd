import type { TFunction } from 'i18next';
import type { SettingIssue } from '../../shared/settings.ts';
import type { Formatter } from '../format.ts';

/** Why a value was refused, naming what is allowed. A port is a name made of digits, not a quantity. */
export function issueWords(issue: SettingIssue, t: TFunction, format: Formatter): string {
  const say = (bound: number | null) => (bound === null ? t('value.none') : issue.key === 'gateway.port' ? String(bound) : format.number(bound));
  return t(`setting.issue.${issue.reason}`, { given: issue.given, min: say(issue.min), max: say(issue.max), allowed: format.commas(issue.allowed) });
}
