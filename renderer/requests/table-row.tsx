import { memo, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import type { ColumnName } from './column-fit.ts';
import { COLUMNS, type CellFacts, type Column } from './columns.tsx';

/** Of every row and of the head, px. */
export const ROW_HEIGHT = 34;

interface RowParts {
  readonly row: ExchangeRow;
  readonly live: LiveExchange | undefined;
  /** Ms since 1970; 0 for a row that has ended, which does not change with time. */
  readonly now: number;
  readonly index: number;
  readonly newDay: boolean;
  readonly names: readonly ColumnName[];
  readonly open: boolean;
  readonly active: boolean;
  readonly click: (id: string) => void;
  readonly show: (id: string) => void;
}

function sameRow(a: RowParts, b: RowParts): boolean {
  return a.row === b.row && a.live === b.live && a.now === b.now && a.index === b.index && a.newDay === b.newDay && a.open === b.open && a.active === b.active && a.names.join() === b.names.join();
}

/** One row of the list. */
export const TableRow = memo(function TableRow({ row, live, now, index, newDay, names, open, active, click, show }: RowParts) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = { row, live, now, t, format };
  return (
    <div id={`row-${row.id}`} className={`hf-tr${active ? ' hf-tr-active' : ''}${newDay ? ' hf-tr-day' : ''}`} role="row" aria-rowindex={index + 2} aria-selected={open} style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }} onClick={() => { click(row.id); show(row.id); }} onMouseOver={(event) => tellMore(event, names, facts)}>
      {names.map((name) => <span key={name} role="gridcell" className={classOf(COLUMNS[name], row)}>{COLUMNS[name].cell(facts)}</span>)}
    </div>
  );
}, sameRow);

function classOf({ numeric, code, isFaint }: Column, row: ExchangeRow): string {
  return `${numeric ? 'hf-num' : 'hf-cut'}${code === true ? ' hf-mono' : ''}${isFaint?.(row) === true ? ' hf-faint' : ''}`;
}

// Tips are made when the mouse comes, and the browser shows them: made for every cell, they would be felt while scrolling.
function tellMore({ target, currentTarget }: MouseEvent<HTMLElement>, names: readonly ColumnName[], facts: CellFacts): void {
  const cell = (target as HTMLElement).closest<HTMLElement>('[role=gridcell]');
  const name = cell === null ? undefined : names[Array.prototype.indexOf.call(currentTarget.children, cell)];
  if (cell !== null && name !== undefined) cell.title = COLUMNS[name].tip?.(facts) ?? (cell.scrollWidth > cell.clientWidth ? cell.textContent : '');
}
