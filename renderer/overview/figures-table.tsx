import { useTranslation } from 'react-i18next';
import type { FigureBucket, Figures } from '../../shared/figures.ts';
import { useFormat } from '../data/use-format.ts';
import { FIGURE_PARTS } from './figure-parts.ts';
import { timeOf } from './figure-words.ts';

/** The bars as a table, newest first; times without requests are left out. */
export function FiguresTable({ figures, show }: { readonly figures: Figures; readonly show: (bucket: FigureBucket) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hf-figures-table" tabIndex={0} role="group" aria-label={t('figures.chart')}>
      <table>
        <thead><tr><th scope="col">{t('figures.time')}</th><th scope="col" className="hf-num">{t('figures.requests')}</th>{FIGURE_PARTS.map((part) => <th key={part} scope="col" className="hf-num">{t(`figures.${part}`)}</th>)}</tr></thead>
        <tbody>
          {figures.buckets.toReversed().filter(({ requests }) => requests > 0).map((bucket) => {
            const time = timeOf(bucket, figures.span, format);
            return (
              <tr key={bucket.from}>
                <th scope="row"><button type="button" className="hf-linkish" onClick={() => show(bucket)}>{time.from} – {time.to}</button></th>
                <td className="hf-num">{format.number(bucket.requests)}</td>
                {FIGURE_PARTS.map((part) => <td key={part} className={bucket[part] === 0 ? 'hf-num hf-dim' : 'hf-num'}>{format.number(bucket[part])}</td>)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
