import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FigureBucket, FigureCounts, Figures } from '../../shared/figures.ts';
import { useFormat } from '../data/use-format.ts';
import { useRemembered } from '../data/use-remembered.ts';
import { Card } from '../ui/card.tsx';
import { Bars } from './bars.tsx';
import { FiguresTable } from './figures-table.tsx';

const VIEWS = ['chart', 'table'] as const;

/** What became of requests over time, as bars or as a table, and what it took: pauses, tokens, cost. */
export function FiguresCard({ figures, show, prices }: { readonly figures: Figures; readonly show: (bucket: FigureBucket) => void; readonly prices: () => void }) {
  const { t } = useTranslation();
  const [view, choose] = useRemembered('overview.view', VIEWS, 'chart');
  return (
    <Card title={t(`figures.last.${figures.span}`)} className="hf-wide" note={<SegmentedControl size="xs" aria-label={t('figures.view')} value={view} onChange={choose} data={VIEWS.map((value) => ({ value, label: t(`figures.as_${value}`) }))} />}>
      {view === 'chart' ? <Bars figures={figures} show={show} /> : <FiguresTable figures={figures} show={show} />}
      <Sums totals={figures.totals} prices={prices} />
    </Card>
  );
}

function Sums({ totals, prices }: { readonly totals: FigureCounts; readonly prices: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tokens = totals.inputTokens + totals.outputTokens;
  const tokenNotes = [
    totals.cacheReadTokens === 0 ? '' : t('figures.tokens_read', { n: format.compact(totals.cacheReadTokens) }),
    totals.cacheWriteTokens === 0 ? '' : t('figures.tokens_written', { n: format.compact(totals.cacheWriteTokens) }),
    totals.untold === 0 ? '' : t('figures.tokens_untold', { count: totals.untold, n: format.number(totals.untold) }),
  ];
  // Nothing priced is not a cost of nothing.
  const cost = totals.costMicros > 0 ? format.money(totals.costMicros) : totals.unpriced > 0 ? t('figures.no_price') : tokens === 0 ? t('value.none') : format.money(0);
  return (
    <dl className="hf-sums">
      <div><dt>{t('figures.pauses')}</dt><dd>{format.total(totals.pauseMs)}</dd></div>
      <div>
        <dt>{t('figures.cost')}</dt>
        <dd>{cost}</dd>
        {totals.unpriced > 0 && <dd className="hf-dim hf-small">{totals.costMicros > 0 && `${t('figures.unpriced', { count: totals.unpriced, n: format.number(totals.unpriced) })} `}<button type="button" className="hf-linkish hf-small" onClick={prices}>{t('figures.set_prices')}</button></dd>}
      </div>
      <div><dt>{t('figures.tokens')}</dt><dd>{tokens === 0 ? t('value.none') : t('figures.tokens_value', { input: format.compact(totals.inputTokens), output: format.compact(totals.outputTokens) })}</dd><dd className="hf-dim hf-small">{format.commas(tokenNotes)}</dd></div>
    </dl>
  );
}
