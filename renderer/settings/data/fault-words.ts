import type { TFunction } from 'i18next';
import type { BaseUrlFault } from '../../../shared/base-url.ts';
import type { DocumentFault, ValueKind } from '../../../shared/document.ts';
import type { Formatter } from '../../format.ts';

/** What is wrong with a document, a route or an upstream, in the language of `t`. */
export function faultWords({ code, values, issue }: DocumentFault, t: TFunction, format: Formatter): string {
  if (code === 'setting') return issue === undefined ? t('fault.bad_form') : settingWords(issue, t, format);
  const kind = values['kind'];
  if (code === 'missing' || code === 'wrong_type') return t(`fault.${code}`, { kind: t(`fault.kind.${String(kind) as ValueKind}`) });
  if (code === 'bad_base_url') return t(`editor.fault.url_${String(values['reason']) as BaseUrlFault}`);
  if (code === 'not_json') return typeof values['line'] === 'number' ? t('fault.not_json_at', { line: values['line'], column: Number(values['column']) }) : t('fault.not_json');
  const shown = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? format.number(value) : value]));
  return t(`fault.${code}`, shown);
}

type Issue = NonNullable<DocumentFault['issue']>;

function settingWords(issue: Issue, t: TFunction, format: Formatter): string {
  const say = (bound: number | null) => (bound === null ? t('value.none') : issue.key === 'gateway.port' ? String(bound) : format.number(bound));
  return t(`fault.setting_${issue.reason}`, { given: issue.given, min: say(issue.min), max: say(issue.max), allowed: format.commas(issue.allowed) });
}
