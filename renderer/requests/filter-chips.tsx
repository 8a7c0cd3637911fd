import { IconX } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import type { Formatter } from '../format.ts';
import { shortId } from './short-id.ts';
import { NO_FILTER, toggled, withFields, writeMoment, type ListField, type PageFilter, type TimeRange } from './filter.ts';

interface Part { readonly key: string; readonly label: string; readonly without: PageFilter }

/** What the list is narrowed to, each part with a button that takes it away. The text stands in its own field. */
export function FilterChips({ filter, change }: { readonly filter: PageFilter; readonly change: (filter: PageFilter) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = partsOf(filter, t, format);
  if (parts.length === 0) return null;
  return (
    <div className="hf-filter-chips" role="group" aria-label={t('filter.title')}>
      {parts.map(({ key, label, without }) => (
        <span key={key} className="hf-filter-chip">
          <span className="hf-cut" title={label}>{label}</span>
          <button type="button" aria-label={t('filter.remove', { name: label })} onClick={() => change(without)}><IconX size={12} stroke={2.4} aria-hidden /></button>
        </span>
      ))}
      <button type="button" className="hf-linkish hf-small" onClick={() => change(NO_FILTER)}>{t('filter.clear')}</button>
    </div>
  );
}

function partsOf(filter: PageFilter, t: TFunction, format: Formatter): readonly Part[] {
  const list = <F extends ListField>(field: F, name: (value: NonNullable<PageFilter[F]>[number]) => string): Part[] =>
    ((filter[field] ?? []) as readonly NonNullable<PageFilter[F]>[number][]).map((value) => ({ key: `${field}.${value}`, label: name(value), without: toggled(filter, field, value) }));
  const named = (field: ListField) => (value: string) => t('filter.part', { field: t(`filter.field.${field}`), value });
  return [
    ...(filter.range === undefined ? [] : [{ key: 'range', label: rangeWords(filter.range, t, format), without: withFields(filter, { range: undefined }) }]),
    ...(filter.retriedOnly === true ? [{ key: 'retried', label: t('filter.retried_only'), without: withFields(filter, { retriedOnly: undefined }) }] : []),
    ...list('outcomes', (value) => t(`outcome.${value}`)),
    ...list('statusClasses', (value) => t(`filter.status_class.${value}`)),
    ...list('errorCodes', (value) => value),
    ...list('upstreams', named('upstreams')), ...list('models', named('models')), ...list('clients', named('clients')), ...list('keys', named('keys')),
    ...(filter.sessionId === undefined ? [] : [{ key: 'session', label: t('filter.part', { field: t('filter.field.session'), value: shortId(filter.sessionId) }), without: withFields(filter, { sessionId: undefined }) }]),
  ];
}

function rangeWords(range: TimeRange, t: TFunction, format: Formatter): string {
  if (range.kind === 'last') return t(`filter.last.${range.span}`);
  const say = (utcMs: number) => (format.day(utcMs) === format.day(Date.now()) ? writeMoment(utcMs).slice(11) : writeMoment(utcMs));
  if (range.from === null) return t('filter.until', { to: range.to === null ? '' : say(range.to) });
  return range.to === null ? t('filter.since', { from: say(range.from) }) : t('filter.between', { from: say(range.from), to: say(range.to) });
}
