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

/** One column: numbers stand at the right. A cell is bare text wherever it can be: while a long list is dragged, each element in it counts. */
export interface Column {
  readonly numeric: boolean;
  /** Set in the font of code. */
  readonly code?: true;
  /** Whether the cell says nothing of interest, and stands back. */
  readonly isFaint?: (row: ExchangeRow) => boolean;
  readonly cell: (facts: CellFacts) => ReactNode;
  /** What its tip says, when it is more than the cell. */
  readonly tip?: (facts: CellFacts) => string;
}

const none = ({ t }: CellFacts) => t('value.none');
const isUntold = (row: ExchangeRow) => row.input_tokens === null && row.output_tokens === null;

/** The columns by name; their order and widths stand in `column-fit.ts`. */
export const COLUMNS: Readonly<Record<ColumnName, Column>> = {
  time: { numeric: false, code: true, cell: ({ row, format }) => format.clock(row.started_at), tip: ({ row, format }) => format.moment(row.started_at) },
  client: { numeric: false, cell: (facts) => facts.row.client ?? none(facts) },
  key: { numeric: false, cell: (facts) => facts.row.key_name ?? none(facts) },
  model: { numeric: false, cell: (facts) => modelWords(facts.row) ?? none(facts) },
  upstream: { numeric: false, cell: (facts) => facts.live?.upstream ?? facts.row.upstream ?? none(facts) },
  status: { numeric: false, cell: ({ row, live }) => <StatusTag row={row} live={live} /> },
  retries: {
    numeric: true, isFaint: (row) => row.retries === 0,
    cell: ({ row, format }) => (row.retries === 0 ? format.number(0) : <span className="hf-tag hf-tag-amber hf-retries">{format.number(row.retries)}</span>),
    tip: ({ row, t, format }) => (row.retries === 0 ? '' : format.commas([t('requests.sent_times', { count: row.attempts }), t('requests.waited', { ms: format.duration(row.pause_ms) })])),
  },
  attempts: { numeric: true, isFaint: (row) => row.attempts <= 1, cell: ({ row, format }) => format.number(row.attempts) },
  pause: { numeric: true, isFaint: (row) => row.pause_ms === 0, cell: (facts) => (facts.row.pause_ms === 0 ? none(facts) : facts.format.cell(facts.row.pause_ms)) },
  first_content: { numeric: true, isFaint: (row) => row.first_content_ms === null, cell: (facts) => (facts.row.first_content_ms === null ? none(facts) : facts.format.cell(facts.row.first_content_ms)) },
  duration: { numeric: true, cell: ({ row, now, format }) => (row.duration_ms === null ? format.seconds(now - row.started_at) : format.cell(row.duration_ms)) },
  tokens: { numeric: true, isFaint: isUntold, cell: tokenCell, tip: tokenTip },
  cost: { numeric: true, isFaint: (row) => row.cost_micros === null, cell: (facts) => (facts.row.cost_micros === null ? none(facts) : facts.format.money(facts.row.cost_micros)) },
};

/** The model asked for, and the served one where it differs. */
export function modelWords(row: ExchangeRow): string | null {
  if (row.model_asked === null || row.model_served === null || row.model_served === row.model_asked) return row.model_asked ?? row.model_served;
  return `${row.model_asked} → ${row.model_served}`;
}

function tokenCell(facts: CellFacts): string {
  const { row, format } = facts;
  if (isUntold(row)) return none(facts);
  const short = (count: number | null) => (count === null ? none(facts) : format.compact(count));
  return `${short(row.input_tokens)} / ${short(row.output_tokens)}`;
}

function tokenTip({ row, t, format }: CellFacts): string {
  if (isUntold(row)) return '';
  const whole = (count: number | null) => (count === null ? t('value.unknown') : format.number(count));
  return t('requests.tokens_in_out', { input: whole(row.input_tokens), output: whole(row.output_tokens) });
}
