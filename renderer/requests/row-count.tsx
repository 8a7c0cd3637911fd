import { useTranslation } from 'react-i18next';
import type { LogCount } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import type { ListState } from './list.ts';

/** How many rows the filter matches, as far as it is known: of a search that goes on, how far it is. */
export function RowCount({ state, count, searching }: { readonly state: ListState; readonly count: LogCount | undefined; readonly searching: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return <span className="hf-dim hf-small hf-row-count" role="status">{words()}</span>;

  function words(): string {
    if (state.phase !== 'ready') return '';
    if (searching) return state.scanned === null ? '' : t('search.scanned', { found: format.number(state.rows.length), share: format.percent(state.scanned.rows / Math.max(1, state.scanned.total)) });
    // All of the list is here: nobody knows better.
    if (state.next === null && state.above === null) return rows(state.rows.length + state.fresh.length);
    const loaded = state.offset + state.rows.length;
    if (count === undefined) return state.above === null ? t('requests.at_least', { n: format.number(loaded) }) : '';
    return count.exact ? rows(count.rows) : t('requests.at_least', { n: format.number(Math.max(count.rows, loaded)) });
  }

  function rows(n: number): string {
    return t('requests.rows', { count: n, n: format.number(n) });
  }
}
