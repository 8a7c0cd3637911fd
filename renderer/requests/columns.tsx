import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { ExchangeRow } from '../../shared/log.ts';
import type { Formatter } from '../format.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { StatusTag } from '../ui/status-tag.tsx';
import type { ColumnName } from './column-fit.ts';

/** What a cell is made from. */
export interface CellFacts {
  readonly row: ExchangeRow;
  readonly live: LiveExchange | undefined;
  /** Ms since 1970. */
  readonly now: number;
  readonly t: TFunction;
  readonly format: Formatter;
}

/** One column: numbers stand at the right. */
export interface Column {
  readonly numeric: boolean;
  readonly cell: (facts: CellFacts) => ReactNode;
}

const text = (value: string | null, t: TFunction) => <span title={value ?? undefined}>{value ?? t('value.none')}</span>;

/** The columns by name; their order and widths stand in `column-fit.ts`. */
export const COLUMNS: Readonly<Record<ColumnName, Column>> = {
  time: { numeric: false, cell: ({ row, format }) => <span className="hf-mono" title={format.moment(row.started_at)}>{format.clock(row.started_at)}</span> },
  client: { numeric: false, cell: ({ row, t }) => text(row.client, t) },
  key: { numeric: false, cell: ({ row, t }) => text(row.key_name, t) },
  model: { numeric: false, cell: ({ row, t }) => text(modelWords(row), t) },
  upstream: { numeric: false, cell: ({ row, live, t }) => text(live?.upstream ?? row.upstream, t) },
  status: { numeric: false, cell: ({ row, live }) => <StatusTag row={row} live={live} /> },
  retries: { numeric: true, cell: (facts) => <RetriesCell {...facts} /> },
  attempts: { numeric: true, cell: ({ row, format }) => <span className={row.attempts > 1 ? undefined : 'hf-faint'}>{format.number(row.attempts)}</span> },
  pause: { numeric: true, cell: ({ row, format, t }) => (row.pause_ms === 0 ? <Nothing t={t} /> : format.cell(row.pause_ms)) },
  first_content: { numeric: true, cell: ({ row, format, t }) => (row.first_content_ms === null ? <Nothing t={t} /> : format.cell(row.first_content_ms)) },
  duration: { numeric: true, cell: ({ row, now, format }) => (row.duration_ms === null ? format.seconds(now - row.started_at) : format.cell(row.duration_ms)) },
  tokens: { numeric: true, cell: (facts) => <TokensCell {...facts} /> },
  cost: { numeric: true, cell: ({ row, format, t }) => (row.cost_micros === null ? <Nothing t={t} /> : format.money(row.cost_micros)) },
};

/** The model asked for, and the served one where it differs. */
export function modelWords(row: ExchangeRow): string | null {
  if (row.model_asked === null || row.model_served === null || row.model_served === row.model_asked) return row.model_asked ?? row.model_served;
  return `${row.model_asked} → ${row.model_served}`;
}

function Nothing({ t }: { readonly t: TFunction }) {
  return <span className="hf-faint">{t('value.none')}</span>;
}

function RetriesCell({ row, format, t }: CellFacts) {
  if (row.retries === 0) return <span className="hf-faint">{format.number(0)}</span>;
  // The browser's own tip: one of the library in each row would be felt while scrolling.
  const tip = format.commas([t('requests.sent_times', { count: row.attempts }), t('requests.waited', { ms: format.duration(row.pause_ms) })]);
  return <span className="hf-tag hf-tag-amber hf-retries" title={tip}>{format.number(row.retries)}</span>;
}

function TokensCell({ row, format, t }: CellFacts) {
  if (row.input_tokens === null && row.output_tokens === null) return <Nothing t={t} />;
  const short = (count: number | null) => (count === null ? t('value.none') : format.compact(count));
  const whole = (count: number | null) => (count === null ? t('value.unknown') : format.number(count));
  return <span title={t('requests.tokens_in_out', { input: whole(row.input_tokens), output: whole(row.output_tokens) })}>{short(row.input_tokens)} / {short(row.output_tokens)}</span>;
}
