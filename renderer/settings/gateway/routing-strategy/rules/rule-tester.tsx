import { NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FORMAT_NAMES, type FormatName } from '../../../../../shared/format.ts';
import type { RuleTrial } from '../../../../../shared/rule-trial.ts';
import type { RetryRule } from '../../../../../shared/settings.ts';
import type { Upstream } from '../../../../../shared/upstream.ts';
import { useFormat } from '../../../../data/use-format.ts';
import { useRuleTrial } from './use-rule-trial.ts';

const STATUS_RANGE = { min: 200, max: 599 };
const WHERES = ['status', 'event'] as const;

/** Holds a pasted answer against the rules, with the code of the gateway itself: which rule takes it, and what follows. `show` hears the place of the rule. */
export function RuleTester({ rules, upstreams, show }: { readonly rules: readonly RetryRule[]; readonly upstreams: readonly Upstream[]; readonly show: (place: number | null) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const heading = useId();
  const [upstream, setUpstream] = useState('');
  const [spoken, setFormat] = useState<FormatName>('anthropic');
  const [where, setWhere] = useState<(typeof WHERES)[number]>('status');
  const [statusText, setStatusText] = useState('400');
  const [body, setBody] = useState('');
  const status = Number(statusText.trim() === '' ? Number.NaN : statusText);
  const statusFits = where === 'event' || (Number.isInteger(status) && status >= STATUS_RANGE.min && status <= STATUS_RANGE.max);
  const asked = body.trim() !== '' && statusFits;
  const { trial, failed } = useRuleTrial(asked ? { rules, upstream: upstream === '' ? null : upstream, format: spoken, status: where === 'event' ? null : status, body } : null);
  const matched = trial?.matched ?? null;
  useEffect(() => show(matched), [matched, show]);
  const range = { min: format.number(STATUS_RANGE.min), max: format.number(STATUS_RANGE.max) };
  return (
    <section className="hf-tester" aria-labelledby={heading}>
      <h3 id={heading}>{t('tester.name')}</h3>
      <p className="hf-dim hf-small">{t('tester.help')}</p>
      <div className="hf-tester-fields">
        <NativeSelect size="xs" label={t('rules.upstream')} value={upstream} onChange={(event) => setUpstream(event.currentTarget.value)} data={[{ value: '', label: t('tester.other_upstream') }, ...upstreams.map(({ id, name }) => ({ value: id, label: name }))]} />
        <NativeSelect size="xs" label={t('tester.format')} value={spoken} onChange={(event) => setFormat(event.currentTarget.value as FormatName)} data={FORMAT_NAMES.map((value) => ({ value, label: t(`format.${value}`) }))} />
        <div>
          <p className="hf-label">{t('tester.where')}</p>
          <SegmentedControl size="xs" aria-label={t('tester.where')} value={where} data={WHERES.map((value) => ({ value, label: t(`tester.where_${value}`) }))} onChange={setWhere} />
        </div>
        {where === 'status' && <TextInput size="xs" w={92} label={t('tester.status')} inputMode="numeric" autoComplete="off" value={statusText} error={!statusFits} onChange={(event) => setStatusText(event.currentTarget.value)} />}
      </div>
      <Textarea aria-label={t('tester.body')} placeholder={t('tester.body_hint')} rows={3} spellCheck={false} classNames={{ input: 'hf-mono' }} value={body} onChange={(event) => setBody(event.currentTarget.value)} />
      <div className="hf-tester-result" role="status">
        {!statusFits ? <span className="hf-refused">{t('tester.status_range', range)}</span>
          : failed ? <span className="hf-refused">{t('state.error_text')}</span>
          : trial === undefined ? <span className="hf-dim">{t('tester.nothing')}</span>
          : <Verdict trial={trial} />}
      </div>
    </section>
  );
}

function Verdict({ trial }: { readonly trial: RuleTrial }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (trial.class === null || trial.ownClass === null) return <span>{t('tester.answer')}</span>;
  const values = { class: t(`failure.class.${trial.class}`), status: String(trial.status) };
  const own = t(`failure.class.${trial.ownClass}`);
  const verdict = trial.matched === null ? t('tester.no_rule', values) : t('tester.rule', { ...values, n: format.number(trial.matched + 1) });
  const follows = trial.class === 'cancelled' ? '' : t(`rules.follows.${trial.class}`);
  return (
    <>
      <strong>{verdict}</strong>
      <span className="hf-dim">{format.sentences([follows, trial.matched === null || trial.class === trial.ownClass ? '' : t('tester.otherwise', { class: own })])}</span>
    </>
  );
}
