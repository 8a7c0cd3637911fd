import type { TFunction } from 'i18next';
import type { FigureBucket, FigureSpan } from '../../shared/figures.ts';
import type { Formatter } from '../format.ts';
import { partsOf } from './figure-parts.ts';

/** When a bucket began, as short as its span allows: a time of day, or a day. */
export function whenOf(utcMs: number, span: FigureSpan, format: Formatter): string {
  return span === '1h' || span === '24h' ? format.hour(utcMs) : format.weekday(utcMs);
}

/** From when to when a bucket goes; the days are named where a span has several. */
export function timeOf({ from, to }: Pick<FigureBucket, 'from' | 'to'>, span: FigureSpan, format: Formatter): { readonly from: string; readonly to: string } {
  if (span === '1h' || span === '24h') return { from: format.hour(from), to: format.hour(to) };
  const within = format.weekday(from) === format.weekday(to - 1);
  return { from: `${format.weekday(from)} ${format.hour(from)}`, to: within ? format.hour(to) : `${format.weekday(to)} ${format.hour(to)}` };
}

/** A bucket in one line: when, and what became of its requests. */
export function bucketWords(bucket: FigureBucket, span: FigureSpan, t: TFunction, format: Formatter): string {
  const parts = partsOf(bucket).map(({ part, count }) => t('figures.bar_part', { name: t(`figures.${part}`), n: format.number(count) }));
  return t('figures.bar', { ...timeOf(bucket, span, format), what: parts.length === 0 ? t('figures.bar_none') : format.commas(parts) });
}
