import { Button } from '@mantine/core';
import { IconArrowUp, IconInbox } from '@tabler/icons-react';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageName } from '../../shared/ipc.ts';
import { useLive } from '../live/use-live.tsx';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { PageHead } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { Drawer } from './drawer.tsx';
import { Filters } from './filters.tsx';
import { NO_FILTER } from './list.ts';
import { RequestTable } from './request-table.tsx';
import { useRequestList } from './use-request-list.ts';

/** Every request, newest first, and beside the list what happened to the one chosen. */
export function RequestsPage({ open, show, go }: { readonly open: string | null; readonly show: (id: string | null) => void; readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  const list = useRequestList(NO_FILTER, 200);
  const { exchanges } = useLive();
  const table = useRef<HTMLDivElement>(null);
  const { state } = list;
  const close = useCallback(() => {
    show(null);
    table.current?.querySelector<HTMLElement>('[role=grid]')?.focus();
  }, [show]);
  const toTop = () => {
    table.current?.querySelector('[role=grid]')?.scrollTo({ top: 0 });
    list.scrolled(true);
  };
  const narrowed = state.filter.retriedOnly || state.filter.outcomes.length > 0;
  return (
    <div className={open === null ? 'hf-requests' : 'hf-requests hf-requests-open'}>
      <div className="hf-requests-list">
        <PageHead title={t('page.requests')}>{t('requests.line')}</PageHead>
        <GatewayBanner />
        <Filters filter={state.filter} change={list.setFilter} />
        <div className="hf-table-card" ref={table}>
          {state.phase === 'failed' ? <ErrorState again={list.again} />
            : state.phase === 'loading' ? <div className="hf-table-bones"><LoadingState lines={8} /></div>
            : state.rows.length === 0 ? <Nothing narrowed={narrowed} clear={() => list.setFilter(NO_FILTER)} go={go} />
            : <RequestTable rows={state.rows} live={exchanges} open={open} show={(id) => (id === null ? close() : show(id))} older={list.older} scrolled={list.scrolled} end={state.next === null} />}
          {state.fresh.length > 0 && <button type="button" className="hf-fresh" onClick={toTop}><IconArrowUp size={13} stroke={2.2} aria-hidden />{t('requests.fresh', { count: state.fresh.length })}</button>}
        </div>
      </div>
      {open !== null && <Drawer key={open} id={open} listed={state.rows.find((row) => row.id === open) ?? state.fresh.find((row) => row.id === open)} close={close} />}
    </div>
  );
}

function Nothing({ narrowed, clear, go }: { readonly narrowed: boolean; readonly clear: () => void; readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  return narrowed
    ? <EmptyState icon={<IconInbox size={26} stroke={1.5} aria-hidden />} title={t('requests.none_pass')} action={<Button onClick={clear}>{t('filter.clear')}</Button>} />
    : <EmptyState icon={<IconInbox size={26} stroke={1.5} aria-hidden />} title={t('requests.empty_title')} action={<Button onClick={() => go('overview')}>{t('requests.to_overview')}</Button>}>{t('requests.empty_text')}</EmptyState>;
}
