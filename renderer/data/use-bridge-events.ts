import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { PageName } from '../../shared/ipc.ts';
import type { LinkTarget } from '../../shared/link.ts';
import { bridge } from '../bridge.ts';
import { askForSearch } from '../ui/search-asked.ts';
import { keyOf } from './query.ts';

/** Puts what main tells into the cache, so that a value changed elsewhere shows at once. Used once, by the app. */
export function useBridgeEvents(navigate: (page: PageName) => void, follow: (target: LinkTarget) => void): void {
  const cache = useQueryClient();
  useEffect(() => {
    const { on, request } = bridge();
    const stops = [
      on['settings.changed']((settings) => cache.setQueryData(keyOf('settings.all'), settings)),
      on['gateway.changed']((state) => {
        cache.setQueryData(keyOf('gateway.state'), state);
        void cache.invalidateQueries({ queryKey: keyOf('keys.list') });
      }),
      on['keys.changed']((keys) => cache.setQueryData(keyOf('keys.list'), keys)),
      on['upstreams.changed']((upstreams) => cache.setQueryData(keyOf('upstreams.list'), upstreams)),
      on['routes.changed']((routes) => cache.setQueryData(keyOf('routes.list'), routes)),
      on['health.changed']((health) => cache.setQueryData(keyOf('health.list'), health)),
      on['first_steps.changed']((steps) => cache.setQueryData(keyOf('first_steps.get'), steps)),
      on['updates.changed']((state) => cache.setQueryData(keyOf('updates.state'), state)),
      on['app.info_changed']((info) => cache.setQueryData(keyOf('app.info'), info)),
      on['app.navigate'](navigate),
      on['app.search'](() => {
        if (askForSearch()) return;
        flushSync(() => navigate('requests'));
        askForSearch();
      }),
      on['link.followed'](follow),
    ];
    // Only now: a link that was followed before anybody listened waits in main.
    request['link.take'](null).then((target) => { if (target !== null) follow(target); }, () => undefined);
    return () => stops.forEach((stop) => stop());
  }, [cache, navigate, follow]);
}
