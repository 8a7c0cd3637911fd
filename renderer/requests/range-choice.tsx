import { Button, Radio, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LAST_SPANS, parseMoment, writeMoment, type TimeRange } from './filter.ts';

/** When the requests arrived: any time, lately, or between two moments typed by hand. */
export function RangeChoice({ range, change }: { readonly range: TimeRange | undefined; readonly change: (range: TimeRange | undefined) => void }) {
  const { t } = useTranslation();
  const value = range === undefined ? 'any' : range.kind === 'last' ? range.span : 'between';
  const [typing, setTyping] = useState(value === 'between');
  const choose = (wanted: string) => {
    const span = LAST_SPANS.find((one) => one === wanted);
    setTyping(wanted === 'between');
    if (span !== undefined) change({ kind: 'last', span });
    else if (wanted === 'any') change(undefined);
  };
  return (
    <>
      <Radio.Group value={typing ? 'between' : value} onChange={choose} aria-label={t('filter.field.range')}>
        <div className="hf-filter-list">
          <Radio size="xs" value="any" label={t('filter.any_time')} />
          {LAST_SPANS.map((span) => <Radio key={span} size="xs" value={span} label={t(`filter.last.${span}`)} />)}
          <Radio size="xs" value="between" label={t('filter.custom')} />
        </div>
      </Radio.Group>
      {typing && <Between range={range} change={change} />}
    </>
  );
}

function Between({ range, change }: { readonly range: TimeRange | undefined; readonly change: (range: TimeRange) => void }) {
  const { t } = useTranslation();
  const first = range?.kind === 'between' ? range : { from: null, to: null };
  const [typed, setTyped] = useState({ from: first.from === null ? '' : writeMoment(first.from), to: first.to === null ? '' : writeMoment(first.to) });
  const [wrong, setWrong] = useState<'none' | 'from' | 'to' | 'order'>('none');
  const apply = (event: SyntheticEvent) => {
    event.preventDefault();
    const now = Date.now();
    const from = typed.from.trim() === '' ? null : parseMoment(typed.from, now);
    const to = typed.to.trim() === '' ? null : parseMoment(typed.to, now);
    if (typed.from.trim() !== '' && from === null) setWrong('from');
    else if (typed.to.trim() !== '' && to === null) setWrong('to');
    else if (from !== null && to !== null && to <= from) setWrong('order');
    else {
      setWrong('none');
      if (from !== null || to !== null) change({ kind: 'between', from, to });
    }
  };
  return (
    <form className="hf-between" onSubmit={apply}>
      <TextInput size="xs" label={t('filter.from')} value={typed.from} placeholder="2026-03-14 09:30" error={wrong === 'from' && t('filter.moment_wrong')} onChange={(event) => setTyped({ ...typed, from: event.currentTarget.value })} />
      <TextInput size="xs" label={t('filter.to')} value={typed.to} placeholder="2026-03-14 18:00" error={wrong === 'to' ? t('filter.moment_wrong') : wrong === 'order' && t('filter.order_wrong')} onChange={(event) => setTyped({ ...typed, to: event.currentTarget.value })} />
      <Button type="submit" variant="filled">{t('filter.apply')}</Button>
    </form>
  );
}
