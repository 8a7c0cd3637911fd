import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Figures } from '../../shared/figures.ts';
import { useFormat } from '../data/use-format.ts';
import type { PageFilter } from '../requests/filter.ts';

/** The six figures; those that a filter of the requests can show lead there. */
export function FigureTiles({ figures: { totals, span, rejectedKeys }, list }: { readonly figures: Figures; readonly list: (filter: PageFilter) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const range = { kind: 'last', span } as const;
  // Refusals are among the rejected keys of the figures; what is left failed at an upstream.
  const keys = Math.max(0, rejectedKeys - totals.refused);
  const waited = format.total(totals.pauseMs);
  return (
    <ul className="hf-tiles-row">
      <Tile name={t('figures.requests')} value={format.number(totals.requests)} note={t(`figures.last.${span}`)} open={() => list({ range })} />
      <Tile name={t('figures.firstTry')} value={format.shareOf(totals.firstTry, totals.requests)} note={t('figures.first_try_of', { part: format.number(totals.firstTry), all: format.number(totals.requests) })} />
      <Tile hero name={t('figures.rescuedByRetry')} value={format.number(totals.rescuedByRetry)} note={totals.pauseMs < 1_000 ? null : t(totals.rescuedByRetry === 0 ? 'figures.retry_none' : 'figures.retry_note', { total: waited })} open={totals.rescuedByRetry === 0 ? null : () => list({ range, outcomes: ['success'], retriedOnly: true })} />
      <Tile name={t('figures.rescuedByFailover')} value={format.number(totals.rescuedByFailover)} note={totals.rescuedByFailover === 0 ? null : t('figures.failover_note')} />
      <Tile bad={totals.failed > 0} name={t('figures.failed')} value={format.number(totals.failed)} open={totals.failed === 0 ? null : () => list({ range, outcomes: ['failed', 'truncated', 'interrupted'] })}
        note={totals.failed === 0 ? null : format.commas([t('figures.failed_share', { share: format.shareOf(totals.failed, totals.requests) }), keys === 0 ? '' : t('figures.failed_keys', { count: keys, n: format.number(keys) })])} />
      <Tile name={t('figures.cancelled')} value={format.number(totals.cancelled)} open={totals.cancelled + totals.refused === 0 ? null : () => list({ range, outcomes: ['cancelled', 'refused'] })}
        note={totals.refused > 0 ? t('figures.refused_note', { count: totals.refused, n: format.number(totals.refused) }) : totals.cancelled > 0 ? t('figures.cancelled_note') : null} />
    </ul>
  );
}

function Tile({ name, value, note, open = null, hero = false, bad = false }: { readonly name: string; readonly value: string; readonly note: ReactNode; /** Shows the requests behind the figure; null when no filter can. */ readonly open?: (() => void) | null; readonly hero?: boolean; readonly bad?: boolean }) {
  const { t } = useTranslation();
  const inside = (
    <>
      <span className="hf-figure-name">{name}</span>
      <span className={bad ? 'hf-figure-value hf-refused' : 'hf-figure-value'}>{value}</span>
      <span className="hf-figure-note">{note}</span>
    </>
  );
  const looks = hero ? 'hf-figure hf-figure-hero' : 'hf-figure';
  return <li>{open === null ? <div className={looks}>{inside}</div> : <button type="button" className={looks} aria-label={t('figures.show', { name, value })} onClick={open}>{inside}</button>}</li>;
}
