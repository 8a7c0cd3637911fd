import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { PageName } from '../shared/ipc.ts';
import type { LinkTarget, SettingsSection } from '../shared/link.ts';
import { createQueryClient } from './data/query.ts';
import { useColourScheme, useTranslator } from './data/use-appearance.ts';
import { useBridgeEvents } from './data/use-bridge-events.ts';
import { LiveProvider } from './live/use-live.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { NO_FILTER, type PageFilter } from './requests/filter.ts';
import { RequestsPage } from './requests/requests-page.tsx';
import { RoutesPage } from './routes/routes-page.tsx';
import { SettingsPage } from './settings/settings-page.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { useTold } from './shell/use-told.tsx';
import { theme } from './theme.ts';
import { holdsUnsaved } from './ui/unsaved.ts';
import { UpstreamsPage } from './upstreams/upstreams-page.tsx';

/** The whole window. */
export function App() {
  const [cache] = useState(createQueryClient);
  return (
    <QueryClientProvider client={cache}>
      <LiveProvider>
        <Window />
      </LiveProvider>
    </QueryClientProvider>
  );
}

/** Where the window is: a page; on Requests the row whose drawer is open and the filter to begin with; on Settings the section to begin with, anew with every link. */
interface Place { readonly page: PageName; readonly request: string | null; readonly filter: PageFilter; readonly section: SettingsSection; readonly links: number }

function Window() {
  const [place, setPlace] = useState<Place>({ page: 'overview', request: null, filter: NO_FILTER, section: 'general', links: 0 });
  const scheme = useColourScheme();
  const translator = useTranslator();
  const go = useCallback((page: PageName) => setPlace(({ links }) => ({ page, request: null, filter: NO_FILTER, section: 'general', links })), []);
  const show = useCallback((request: string | null) => setPlace(({ links, filter }) => ({ page: 'requests', request, filter, section: 'general', links })), []);
  const list = useCallback((filter: PageFilter) => setPlace(({ links }) => ({ page: 'requests', request: null, filter, section: 'general', links })), []);
  const prices = useCallback(() => setPlace(({ links }) => ({ page: 'settings', request: null, filter: NO_FILTER, section: 'prices', links })), []);
  const follow = useCallback((target: LinkTarget) => {
    // A link comes from outside, at any moment: it must not cost what somebody has just typed.
    if (holdsUnsaved()) {
      if (translator !== null) notifications.show({ message: translator.t('link.unsaved'), color: 'gray' });
      return;
    }
    setPlace(({ links }) => ({
      page: target.page,
      request: target.page === 'requests' ? target.id : null,
      filter: NO_FILTER,
      section: (target.page === 'settings' ? target.section : null) ?? 'general',
      links: links + 1,
    }));
  }, [translator]);
  useBridgeEvents(go, follow);
  useTold(translator, follow);
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      {translator !== null && (
        <I18nextProvider i18n={translator}>
          <div className="hf-window">
            <Sidebar page={place.page} go={go} />
            <main className="hf-main">
              <Notifications position="bottom-right" limit={3} autoClose={8_000} withinPortal={false} />
              {place.page === 'overview' && <OverviewPage show={show} list={list} go={go} prices={prices} />}
              {place.page === 'requests' && <RequestsPage open={place.request} first={place.filter} show={show} go={go} />}
              {place.page === 'upstreams' && <UpstreamsPage />}
              {place.page === 'routes' && <RoutesPage go={go} />}
              {place.page === 'settings' && <SettingsPage key={place.links} first={place.section} />}
            </main>
          </div>
        </I18nextProvider>
      )}
    </MantineProvider>
  );
}
