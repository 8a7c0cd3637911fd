import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageName } from '../../shared/ipc.ts';
import type { Route } from '../../shared/route.ts';
import { useRoutes, useUpstreams } from '../data/use-main.ts';
import { useSettings } from '../data/use-settings.ts';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { PageHead } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { DeleteRoute } from './delete-route.tsx';
import { DryRunCard } from './dry-run/dry-run-card.tsx';
import { RouteEditor, type RouteTarget } from './editor/route-editor.tsx';
import { RouteList } from './route-list.tsx';

/** Which model goes where: the routes in the order they are tried, and a dry run that shows what would happen. */
export function RoutesPage({ go }: { readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  const routes = useRoutes();
  const upstreams = useUpstreams();
  const { settings, failed, again } = useSettings();
  const [target, setTarget] = useState<RouteTarget | null>(null);
  const [deleting, setDeleting] = useState<Route | null>(null);
  const retry = () => { void routes.refetch(); void upstreams.refetch(); again(); };
  const ready = routes.data !== undefined && upstreams.data !== undefined && settings !== undefined;
  return (
    <div className="hf-page">
      <div className="hf-page-top">
        <PageHead title={t('page.routes')}>{t('routes.line')}</PageHead>
        {ready && upstreams.data.length > 0 && <div className="hf-row"><Button variant="filled" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setTarget({ kind: 'new' })}>{t('routes.add')}</Button></div>}
      </div>
      <GatewayBanner />
      {routes.isError || upstreams.isError || failed ? <section className="hf-card"><ErrorState again={retry} /></section>
        : !ready ? <section className="hf-card"><LoadingState lines={5} /></section>
        : upstreams.data.length === 0 ? <section className="hf-card"><EmptyState title={t('upstreams.empty_title')} action={<Button variant="filled" onClick={() => go('upstreams')}>{t('routes.to_upstreams')}</Button>}>{t('routes.no_upstreams')}</EmptyState></section>
        : (
          <div className="hf-stack">
            <RouteList routes={routes.data} upstreams={upstreams.data} strategy={settings['gateway.strategy']} edit={(id) => setTarget({ kind: 'saved', id })} remove={setDeleting} />
            <DryRunCard routes={routes.data} upstreams={upstreams.data} settings={settings} />
            <RouteEditor target={target} routes={routes.data} upstreams={upstreams.data} settings={settings} close={() => setTarget(null)} remove={(route) => { setTarget(null); setDeleting(route); }} />
          </div>
        )}
      <DeleteRoute route={deleting} close={() => setDeleting(null)} />
    </div>
  );
}
