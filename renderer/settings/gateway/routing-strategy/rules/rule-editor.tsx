import { Button, Modal, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { RetryRule } from '../../../../../shared/settings.ts';
import type { Upstream } from '../../../../../shared/upstream.ts';
import { useFormat } from '../../../../data/use-format.ts';
import { issueWords } from '../../../issue-words.ts';
import { StatusChips } from '../../../status-chips.tsx';
import type { SaveResult } from '../../../use-save-with-undo.tsx';
import { matchOf, RULE_CLASSES, type RuleClass, type RuleMatch } from './rule-words.ts';

const MATCHES = ['any', 'text', 'pattern'] as const satisfies readonly RuleMatch[];
const STATUS_RANGE = { min: 100, max: 599 };
const MOST_STATUSES = 50;
const LONGEST = 500;

/** Adds a rule or changes one. What main refuses, a pattern that cannot be read above all, stands at its field, and nothing is saved. */
export function RuleEditor({ rule, upstreams, close, save }: {
  /** Null for a new one. */
  readonly rule: RetryRule | null;
  readonly upstreams: readonly Upstream[];
  readonly close: () => void;
  readonly save: (rule: RetryRule) => Promise<SaveResult>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [upstream, setUpstream] = useState(rule?.upstream ?? '');
  const [statuses, setStatuses] = useState(rule?.statuses ?? []);
  const [match, setMatch] = useState<RuleMatch>(rule === null ? 'text' : matchOf(rule));
  const [words, setWords] = useState(rule?.pattern ?? rule?.text ?? '');
  const [to, setTo] = useState<RuleClass>(rule?.class ?? 'transient');
  const [fault, setFault] = useState<string | null>(null);
  const known = upstream === '' || upstreams.some(({ id }) => id === upstream);
  // A document may give a rule a text besides its pattern: it stays.
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (match !== 'any' && words === '') { setFault(t('rules.words_missing')); return; }
    const result = await save({ upstream: upstream === '' ? null : upstream, statuses: [...statuses], ...(match === 'text' && { text: words }), ...(match === 'pattern' && { ...(rule?.text !== undefined && { text: rule.text }), pattern: words }), class: to });
    if (result.ok) { close(); return; }
    const first = result.issues === 'unreachable' ? undefined : result.issues[0];
    setFault(first === undefined ? t('state.error_text') : first.reason === 'bad_pattern' ? t('rules.bad_pattern') : issueWords(first, t, format));
  };
  return (
    <Modal opened onClose={close} title={t(rule === null ? 'rules.add_title' : 'rules.edit_title')} size="lg" closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <form className="hf-stack" onSubmit={(event) => void submit(event)}>
        <NativeSelect label={t('rules.upstream')} value={upstream} onChange={(event) => setUpstream(event.currentTarget.value)}
          data={[{ value: '', label: t('rules.any_upstream') }, ...upstreams.map(({ id, name }) => ({ value: id, label: name })), ...(known ? [] : [{ value: upstream, label: t('rules.upstream_gone', { id: upstream }) }])]} />
        <div>
          <p className="hf-label">{t('rules.statuses')}</p>
          <StatusChips name={t('rules.statuses')} statuses={statuses} range={STATUS_RANGE} most={MOST_STATUSES} change={(next) => setStatuses([...next])} />
          <p className="hf-dim hf-small">{t('rules.statuses_help')}</p>
        </div>
        <div>
          <p className="hf-label">{t('rules.body')}</p>
          <SegmentedControl size="xs" aria-label={t('rules.body')} value={match} data={MATCHES.map((value) => ({ value, label: t(`rules.match.${value}`) }))} onChange={(value) => { setMatch(value); setFault(null); }} />
          {match !== 'any' && (
            <TextInput mt={8} aria-label={t(`rules.match.${match}`)} placeholder={t(`rules.example.${match}`)} maxLength={LONGEST} autoComplete="off" spellCheck={false} value={words} error={fault} classNames={{ input: match === 'pattern' ? 'hf-mono' : '' }} onChange={(event) => { setWords(event.currentTarget.value); setFault(null); }} />
          )}
          <p className="hf-dim hf-small">{t(`rules.match_help.${match}`, { max: format.number(LONGEST) })}</p>
          {match === 'any' && fault !== null && <p role="alert" className="hf-refused">{fault}</p>}
        </div>
        <NativeSelect label={t('rules.class')} description={t(`rules.follows.${to}`)} inputWrapperOrder={['label', 'input', 'description']} value={to} onChange={(event) => setTo(event.currentTarget.value as RuleClass)} data={RULE_CLASSES.map((value) => ({ value, label: t(`failure.class.${value}`) }))} />
        <div className="hf-dialog-end">
          <Button onClick={close}>{t('dialog.cancel')}</Button>
          <Button type="submit" variant="filled">{t(rule === null ? 'rules.add' : 'rules.save')}</Button>
        </div>
      </form>
    </Modal>
  );
}
