import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useNow } from '../data/use-now.ts';
import type { LiveExchanges } from '../live/in-flight.ts';
import { SPARE_ROWS, useRowsInSight } from '../ui/use-rows-in-sight.ts';
import type { ColumnChoice, ColumnFit } from './column-fit.ts';
import { stepTo } from './list-keys.ts';
import type { Sight } from './list-loads.ts';
import type { ListState } from './list.ts';
import { TableHead } from './table-head.tsx';
import { ROW_HEIGHT, TableRow } from './table-row.tsx';

const HEAD_HEIGHT = 34;
// More than are ever drawn at once. A row that scrolls in takes over the elements of one that went out, which costs a fraction of making its own.
const SLOTS = 256;

/** The rows, only those in sight drawn; arrows move, Enter opens, Esc closes. What is not loaded yet is drawn as bars. */
export function RequestTable({ state, count, live, open, show, inSight, scrolled, toTop, fit, choice, choose }: {
  readonly state: Pick<ListState, 'rows' | 'offset' | 'next' | 'above' | 'atTop'>;
  /** Rows there are or seem to be, with those above and below the loaded piece. */
  readonly count: number;
  readonly live: LiveExchanges;
  readonly open: string | null;
  readonly show: (id: string | null) => void;
  readonly inSight: (sight: Sight, shown: number) => void;
  readonly scrolled: (atTop: boolean) => void;
  readonly toTop: () => void;
  readonly fit: ColumnFit;
  readonly choice: ColumnChoice;
  readonly choose: (choice: ColumnChoice) => void;
}) {
  const { t } = useTranslation();
  const { rows, offset } = state;
  const { ref, onScroll, from, to, page, reveal, shift, element } = useRowsInSight(count, ROW_HEIGHT, HEAD_HEIGHT);
  const [focused, setFocused] = useState<string | null>(open);
  const now = useNow(1_000, live.size > 0);
  const steady = useSteadyPlace(state, shift, element);
  useEffect(() => { inSight({ from, to }, count); }, [inSight, from, to, count, rows]);
  // A key may lead to a row that is still on its way.
  const [goal, setGoal] = useState<number | null>(null);
  const atGoal = goal === null ? undefined : rows[(state.next === null ? Math.min(goal, count - 1) : goal) - offset];
  const top = rows[Math.max(0, Math.min(rows.length - 1, (from === 0 ? 0 : from + SPARE_ROWS) - offset))];
  const active = atGoal?.id ?? (focused !== null && rows.some((row) => row.id === focused) ? focused : (top?.id ?? null));
  const clicked = (id: string) => { setGoal(null); setFocused(id); };
  const goTo = (index: number) => {
    const row = rows[index - offset];
    reveal(index);
    setGoal(row === undefined ? index : null);
    if (row === undefined) return;
    setFocused(row.id);
    if (open !== null) show(row.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && active !== null) show(active);
    else if (event.key === 'Escape') show(null);
    else if (event.key === 'Home' && state.above !== null) { toTop(); goTo(0); }
    else {
      const index = stepTo(event.key, offset + rows.findIndex((row) => row.id === active), count, page);
      if (index === null) return;
      goTo(index);
    }
    event.preventDefault();
  };
  return (
    <div className={fit.compact ? 'hf-table hf-table-compact' : 'hf-table'} ref={ref} role="grid" aria-label={t('page.requests')} aria-rowcount={state.next === null ? count + 1 : -1} aria-colcount={fit.names.length} tabIndex={0}
      aria-activedescendant={active === null ? undefined : `row-${active}`} onKeyDown={onKeyDown} style={{ '--hf-columns': fit.template, '--hf-table-width': `${fit.leastWidth}px` } as CSSProperties}
      onScroll={(event) => { const { scrollTop } = event.currentTarget; steady(scrollTop); onScroll(event); scrolled(scrollTop < ROW_HEIGHT / 2); }}>
      <TableHead fit={fit} choice={choice} choose={choose} day={top === undefined ? null : new Date(top.started_at).setHours(0, 0, 0, 0)} />
      <div className="hf-tbody" role="rowgroup" style={{ height: count * ROW_HEIGHT }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, at) => {
          const index = from + at;
          const row = rows[index - offset];
          if (row === undefined) return <div key={`bone ${index}`} className="hf-tr hf-tr-bone" aria-hidden="true" style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}><div className="hf-bone" /></div>;
          const flying = live.get(row.id);
          return <TableRow key={`slot ${index % SLOTS}`} row={flying?.row ?? row} live={flying} now={row.state === 'in_flight' ? now : 0} index={index} newDay={isNewDay(rows[index - offset - 1], row)} names={fit.names} open={row.id === open} active={row.id === active} click={clicked} show={show} />;
        })}
      </div>
    </div>
  );
}

function isNewDay(above: ExchangeRow | undefined, row: ExchangeRow): boolean {
  return above !== undefined && new Date(above.started_at).toDateString() !== new Date(row.started_at).toDateString();
}

/** Keeps what is in sight where it is when rows come or go above it; at the top of the list nothing is held. Returns what to call after scrolling, with how far it is scrolled in px. */
function useSteadyPlace({ rows, offset }: Pick<ListState, 'rows' | 'offset'>, shift: (rows: number) => void, element: () => HTMLElement | null): (scrollTop: number) => void {
  const anchor = useRef<{ readonly id: string; readonly index: number } | null>(null);
  const current = useRef({ rows, offset });
  // As last told: to ask the element would lay the page out in the middle of drawing it.
  const scrolledTo = useRef(0);
  const remember = (scrollTop: number) => {
    scrolledTo.current = scrollTop;
    const { rows: now, offset: above } = current.current;
    // The row in sight, or the loaded one that is next to what is in sight.
    const place = Math.max(0, Math.min(now.length - 1, Math.floor(scrollTop / ROW_HEIGHT) - above));
    const row = now[place];
    anchor.current = row === undefined || scrollTop < ROW_HEIGHT / 2 ? null : { id: row.id, index: above + place };
  };
  useLayoutEffect(() => {
    current.current = { rows, offset };
    const held = anchor.current;
    const isThere = held !== null && rows[held.index - offset]?.id === held.id;
    const place = held === null || isThere ? -1 : rows.findIndex((row) => row.id === held.id);
    if (held !== null && place >= 0) {
      const scrollTop = element()?.scrollTop ?? 0;
      // Whoever went to the top meanwhile wants the top.
      if (scrollTop >= ROW_HEIGHT / 2) shift(offset + place - held.index);
      scrolledTo.current = element()?.scrollTop ?? 0;
    }
    if (!isThere) remember(scrolledTo.current);
  });
  return remember;
}
