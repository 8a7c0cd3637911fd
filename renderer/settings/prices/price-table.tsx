import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TablePrice } from '../../../shared/prices.ts';
import { useFormat } from '../../data/use-format.ts';
import { RATES } from './price-draft.ts';

/** Prices in columns; where long prompts cost more, a second line says what. */
export function PriceTable({ name, prices, actions }: { readonly name: string; readonly prices: readonly TablePrice[]; readonly actions: (price: TablePrice) => ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hf-prices" tabIndex={0} role="group" aria-label={name}>
      <table>
        <thead><tr><th scope="col">{t('prices.model')}</th><th scope="col" className="hf-num">{t('prices.input')}</th><th scope="col" className="hf-num">{t('prices.output')}</th><th scope="col" className="hf-num">{t('prices.cache_read')}</th><th scope="col" className="hf-num">{t('prices.cache_write')}</th><td /></tr></thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.model}>
              <th scope="row" className="hf-mono hf-text">{price.model}{price.long !== undefined && <span className="hf-dim hf-price-long">{t('prices.long', { over: format.number(price.long.over) })}</span>}</th>
              {RATES.map((cell) => <Cell key={cell} value={price[cell]} long={price.long?.[cell]} />)}
              <td className="hf-price-actions">{actions(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ value, long }: { readonly value: number | null; readonly long: number | null | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = (rate: number | null) => (rate === null ? <span className="hf-dim hf-small">{t('prices.as_input')}</span> : format.price(rate));
  return <td className="hf-num">{words(value)}{long !== undefined && <span className="hf-dim hf-price-long">{words(long)}</span>}</td>;
}
