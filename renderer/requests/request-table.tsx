import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useNow } from '../data/use-now.ts';
import type { LiveExchanges } from '../live/in-flight.ts';
import { COLUMNS, type CellFacts } from './columns.tsx';
import { stepTo } from './list-keys.ts';

const ROW_HEIGHT = 34;
const HEAD_HEIGHT = 34;

/** The rows, only those in sight drawn; arrows move, Enter opens, Esc closes. */
export function RequestTable({ rows, live, open, show, older, scrolled, end }: {
  readonly rows: readonly ExchangeRow[];
  readonly live: LiveExchanges;
  readonly open: string | null;
  readonly show: (id: string | null) => void;
  readonly older: () => void;
  readonly scrolled: (atTop: boolean) => void;
  /** Whether there are no older rows. */
  readonly end: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(open);
  const now = useNow(1_000, rows.some((row) => row.state === 'in_flight'));
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_HEIGHT, overscan: 12, scrollMargin: HEAD_HEIGHT, scrollPaddingStart: HEAD_HEIGHT, getItemKey: (index) => rows[index]?.id ?? index });
  const items = virtual.getVirtualItems();
  const lastDrawn = items.at(-1)?.index ?? 0;
  useEffect(() => { if (!end && rows.length > 0 && lastDrawn > rows.length - 40) older(); }, [end, lastDrawn, rows.length, older]);
  const active = focused !== null && rows.some((row) => row.id === focused) ? focused : (rows[0]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== null) show(active);
    else if (event.key === 'Escape') show(null);
    else {
      const index = stepTo(event.key, rows.findIndex((row) => row.id === active), rows.length, Math.floor((scroller.current?.clientHeight ?? 340) / ROW_HEIGHT));
      const row = index === null ? undefined : rows[index];
      if (index === null || row === undefined) return;
      setFocused(row.id);
      virtual.scrollToIndex(index);
      if (open !== null) show(row.id);
    }
    event.preventDefault();
  };
  return (
    <div className="hf-table" ref={scroller} onScroll={(event) => scrolled(event.currentTarget.scrollTop < ROW_HEIGHT / 2)} role="grid" aria-label={t('page.requests')} aria-rowcount={end ? rows.length + 1 : -1} aria-colcount={COLUMNS.length} tabIndex={0}
      aria-activedescendant={active === null ? undefined : `row-${active}`} onKeyDown={onKeyDown}>
      <div className="hf-tr hf-th" role="row" aria-rowindex={1}>
        {COLUMNS.map((column) => <span key={column.name} role="columnheader" className={column.numeric ? 'hf-num' : 'hf-cut'} title={t(`column.${column.name}`)}><span className="hf-long">{t(`column.${column.name}`)}</span><span className="hf-short" aria-hidden="true">{t(`column_short.${column.name}`)}</span></span>)}
      </div>
      <div className="hf-tbody" role="rowgroup" style={{ height: rows.length * ROW_HEIGHT }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <TableRow key={item.key} facts={{ row: live.get(row.id)?.row ?? row, live: live.get(row.id), now, t, format }} top={item.start - HEAD_HEIGHT} index={item.index}
              open={row.id === open} active={row.id === active} click={() => { setFocused(row.id); show(row.id); }} />
          );
        })}
      </div>
    </div>
  );
}

function TableRow({ facts, top, index, open, active, click }: { readonly facts: CellFacts; readonly top: number; readonly index: number; readonly open: boolean; readonly active: boolean; readonly click: () => void }) {
  return (
    <div id={`row-${facts.row.id}`} className={`hf-tr${active ? ' hf-tr-active' : ''}`} role="row" aria-rowindex={index + 2} aria-selected={open} style={{ transform: `translateY(${top}px)`, height: ROW_HEIGHT }} onClick={click}>
      {COLUMNS.map((column) => <span key={column.name} role="gridcell" className={column.numeric ? 'hf-num' : 'hf-cut'}>{column.cell(facts)}</span>)}
    </div>
  );
}
