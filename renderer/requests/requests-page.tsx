import { Button, Progress } from '@mantine/core';
import { IconArrowUp, IconInbox, IconSearchOff } from '@tabler/icons-react';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageName } from '../../shared/ipc.ts';
import { useFormat } from '../data/use-format.ts';
import { useLive } from '../live/use-live.tsx';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { useWidth } from '../ui/use-width.ts';
import { fitColumns } from './column-fit.ts';
import { ColumnMenu } from './column-menu.tsx';
import { Drawer } from './drawer.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { isNarrowed, NO_FILTER, withFields, type PageFilter } from './filter.ts';
import { isSearching, shownCount } from './list-loads.ts';
import { LogNote } from './log-note.tsx';
import { RequestTable } from './request-table.tsx';
import { RequestsHead } from './requests-head.tsx';
import { RowCount } from './row-count.tsx';
import { SearchField } from './search-field.tsx';
import { useColumns } from './use-columns.ts';
import { useCount } from './use-log.ts';
import { useRequestList } from './use-request-list.ts';

// A scroll bar that takes room of its own.
const SCROLL_BAR = 16;

/** Every request, newest first, and beside the list what happened to the one chosen. */
export function RequestsPage({ open, show, go, first = NO_FILTER }: {
  readonly open: string | null;
  readonly show: (id: string | null) => void;
  readonly go: (page: PageName) => void;
  /** What the list is narrowed to when the page opens. */
  readonly first?: PageFilter;
}) {
  const { t } = useTranslation();
  const list = useRequestList(first);
  const { state, filter, setFilter } = list;
  const { exchanges } = useLive();
  const { choice, choose } = useColumns();
  const table = useRef<HTMLDivElement>(null);
  const [card, width] = useWidth(1_000);
  const fit = fitColumns(choice, width - SCROLL_BAR);
  const searching = isSearching(state);
  const count = useCount(state.filter, state.phase === 'ready' && !searching);
  const grid = useCallback(() => table.current?.querySelector<HTMLElement>('[role=grid]'), []);
  const close = useCallback(() => { show(null); grid()?.focus(); }, [show, grid]);
  const toTop = () => { grid()?.scrollTo({ top: 0 }); list.toTop(); };
  const session = (sessionId: string) => { setFilter({ sessionId }); };
  return (
    <div className={open === null ? 'hf-requests' : 'hf-requests hf-requests-open'}>
      <div className="hf-requests-list">
        <RequestsHead />
        <GatewayBanner />
        <LogNote />
        <div className="hf-toolbar">
          <SearchField text={filter.text ?? ''} change={(text) => setFilter(withFields(filter, { text }))} leave={() => grid()?.focus()} />
          <FilterPanel filter={filter} change={setFilter} />
          <span className="hf-toolbar-end">
            <RowCount state={state} count={count} searching={searching} />
            <ColumnMenu choice={choice} choose={choose} fit={fit} />
            <ExportButton filter={state.filter} />
          </span>
          <FilterChips filter={filter} change={setFilter} />
        </div>
        <div className="hf-table-card" ref={card}>
          <div className="hf-table-place" ref={table}>
            {state.phase === 'failed' ? <ErrorState again={list.again} />
              : state.rows.length === 0 && (searching || state.phase === 'loading') ? <div className="hf-table-bones"><LoadingState lines={8} /></div>
              : state.rows.length === 0 && state.offset === 0 ? <Nothing filter={filter} clear={() => setFilter(NO_FILTER)} go={go} />
              : <RequestTable state={state} count={shownCount(state, count?.rows ?? null)} live={exchanges} open={open} show={(id) => (id === null ? close() : show(id))} inSight={list.inSight} scrolled={list.scrolled} toTop={toTop} fit={fit} choice={choice} choose={choose} />}
          </div>
          {searching && state.scanned !== null && <Progress className="hf-scan" size={3} value={(100 * state.scanned.rows) / Math.max(1, state.scanned.total)} aria-label={t('search.progress')} />}
          {state.fresh.length > 0 && <Fresh count={state.fresh.length} toTop={toTop} />}
        </div>
      </div>
      {open !== null && <Drawer key={open} id={open} listed={state.rows.find((row) => row.id === open) ?? state.fresh.find((row) => row.id === open)} close={close} session={session} />}
    </div>
  );
}

function Fresh({ count, toTop }: { readonly count: number; readonly toTop: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return <button type="button" className="hf-fresh" onClick={toTop}><IconArrowUp size={13} stroke={2.2} aria-hidden />{t('requests.fresh', { count, n: format.number(count) })}</button>;
}

function Nothing({ filter, clear, go }: { readonly filter: PageFilter; readonly clear: () => void; readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  if (filter.text !== undefined) return <EmptyState icon={<IconSearchOff size={26} stroke={1.5} aria-hidden />} title={t('search.nothing', { text: filter.text })} action={<Button onClick={clear}>{t('filter.clear')}</Button>}>{t('search.looked_in')}</EmptyState>;
  return isNarrowed(filter)
    ? <EmptyState icon={<IconInbox size={26} stroke={1.5} aria-hidden />} title={t('requests.none_pass')} action={<Button onClick={clear}>{t('filter.clear')}</Button>} />
    : <EmptyState icon={<IconInbox size={26} stroke={1.5} aria-hidden />} title={t('requests.empty_title')} action={<Button onClick={() => go('overview')}>{t('requests.to_overview')}</Button>}>{t('requests.empty_text')}</EmptyState>;
}
