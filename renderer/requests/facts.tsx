import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import type { Formatter } from '../format.ts';

/** What is known of an exchange in numbers and names; what it has not is left out. */
export function Facts({ row }: { readonly row: ExchangeRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('fact.arrived'), format.moment(row.started_at)],
    [t('fact.first_content'), row.first_content_ms === null ? null : format.duration(row.first_content_ms)],
    [t('fact.duration'), row.duration_ms === null ? null : format.duration(row.duration_ms)],
    [t('fact.paused'), row.pause_ms === 0 ? null : format.duration(row.pause_ms)],
    [t('fact.queued'), row.queued_ms === 0 ? null : format.duration(row.queued_ms)],
    [t('fact.tokens'), tokenWords(row, t, format)],
    [t('fact.cost'), costWords(row, t, format)],
    [t('fact.size'), t('fact.bytes_in_out', { request: format.bytes(row.request_bytes), answer: format.bytes(row.answer_bytes) })],
    [t('fact.format'), format.commas([t(`format.${row.format}`), row.streamed ? t('fact.streamed') : t('fact.whole')])],
    [t('fact.path'), <code key="path" className="hf-mono hf-text">{row.path}</code>],
    [t('fact.route'), row.route],
    [t('fact.key'), row.key_name],
    [t('fact.session'), row.session_id === null ? null : <code key="session" className="hf-mono hf-text">{row.session_id}</code>],
    [t('fact.id'), <code key="id" className="hf-mono hf-text">{row.id}</code>],
  ];
  return (
    <dl className="hf-facts">
      {facts.filter(([, value]) => value !== null).map(([name, value]) => <div key={name}><dt>{name}</dt><dd className="hf-text">{value}</dd></div>)}
    </dl>
  );
}

function tokenWords(row: ExchangeRow, t: TFunction, format: Formatter): string | null {
  if (row.input_tokens === null && row.output_tokens === null) return row.outcome === 'success' ? t('fact.untold') : null;
  const say = (count: number | null) => (count === null ? t('value.unknown') : format.number(count));
  const parts = [t('requests.tokens_in_out', { input: say(row.input_tokens), output: say(row.output_tokens) })];
  if (row.cache_read_tokens) parts.push(t('fact.cache_read', { n: format.number(row.cache_read_tokens) }));
  if (row.cache_write_tokens) parts.push(t('fact.cache_write', { n: format.number(row.cache_write_tokens) }));
  if (row.reasoning_tokens) parts.push(t('fact.reasoning', { n: format.number(row.reasoning_tokens) }));
  return parts.join(' · ');
}

// Tokens without a price are unpriced, which is not the same as free.
function costWords(row: ExchangeRow, t: TFunction, format: Formatter): string | null {
  if (row.cost_micros !== null) return format.money(row.cost_micros);
  return row.state === 'done' && (row.input_tokens !== null || row.output_tokens !== null) ? t('fact.unpriced') : null;
}
