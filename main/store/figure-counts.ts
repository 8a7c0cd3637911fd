import type { ExchangeRow } from '../../shared/log.ts';

/** Figures are summed by the minute, for the last hours, and by the quarter of an hour, for the last days: minutes. */
export const FIGURE_MINUTES = [1, 15] as const;

/** Columns of `gateway_figures` beside `minutes` and `began`: what is summed of the exchanges that began in that time (shared/figures.ts). */
export const FIGURE_COLUMNS = [
  'requests', 'first_try', 'rescued_by_retry', 'rescued_by_failover', 'failed', 'refused', 'cancelled', 'pause_ms', 'input_tokens', 'output_tokens',
  'cache_read_tokens', 'cache_write_tokens', 'untold', 'unpriced', 'cost_micros', 'rejected_keys',
] as const;
/** One number for each of `FIGURE_COLUMNS`, in their order. */
export type FigureNumbers = readonly number[];

/** What the figures need to know of a row; `auth` says that its last attempt failed since the upstream did not take the key. */
export type CountedRow = Pick<ExchangeRow, 'outcome' | 'path' | 'retries' | 'failovers' | 'pause_ms' | 'first_content_ms' | 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'cost_micros'> & { readonly auth: boolean };

/** What one ended exchange adds to the figures of its time. The migration that makes them says the same in SQL. */
export function countsOf(row: CountedRow): FigureNumbers {
  const success = row.outcome === 'success';
  const told = row.input_tokens !== null || row.output_tokens !== null;
  return [
    1,
    of(success && row.retries === 0 && row.failovers === 0),
    of(success && row.retries > 0),
    of(success && row.retries === 0 && row.failovers > 0),
    of(row.outcome === 'failed' || row.outcome === 'truncated' || row.outcome === 'interrupted'),
    of(row.outcome === 'refused'),
    of(row.outcome === 'cancelled'),
    row.pause_ms,
    row.input_tokens ?? 0,
    row.output_tokens ?? 0,
    row.cache_read_tokens ?? 0,
    row.cache_write_tokens ?? 0,
    of(!told && row.first_content_ms !== null && !isCounting(row.path)),
    of(told && row.cost_micros === null),
    row.cost_micros ?? 0,
    of(row.outcome === 'refused' || (row.outcome === 'failed' && row.auth)),
  ];
}

// Asking how many tokens a request would have uses none.
function isCounting(path: string): boolean {
  return path.includes('/count_tokens') || path.includes(':countTokens');
}

function of(fact: boolean): number {
  return fact ? 1 : 0;
}
