import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Upstream } from '../../shared/upstream.ts';
import type { NewUpstream, Restored, RouteUse, UpstreamDraft, UpstreamRemoved, UpstreamSaved } from '../../shared/upstream-edits.ts';
import type { ModelsFetched, UpstreamProbe, UpstreamTest } from '../../shared/upstream-test.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** What a user does with upstreams; each rejects only when main is gone. */
export interface UpstreamActions {
  readonly add: (upstream: NewUpstream) => Promise<UpstreamSaved>;
  readonly update: (id: string, upstream: UpstreamDraft) => Promise<UpstreamSaved>;
  readonly remove: (id: string) => Promise<UpstreamRemoved>;
  readonly restore: (undo: string) => Promise<Restored>;
  /** Shows the new order at once. */
  readonly reorder: (ids: readonly string[]) => Promise<void>;
  /** Shows the new state at once, and takes it back when main does not have it so. */
  readonly setEnabled: (id: string, enabled: boolean) => Promise<boolean>;
  readonly usedBy: (id: string) => Promise<readonly RouteUse[]>;
  readonly models: (probe: UpstreamProbe) => Promise<ModelsFetched>;
  readonly test: (probe: UpstreamProbe) => Promise<UpstreamTest>;
  readonly resetHealth: (id: string) => Promise<null>;
  readonly showDemo: (shown: boolean) => Promise<boolean>;
}

/** The actions on upstreams. */
export function useUpstreamActions(): UpstreamActions {
  const cache = useQueryClient();
  return useMemo(() => ({
    add: (upstream) => bridge().request['upstreams.add'](upstream),
    update: (id, upstream) => bridge().request['upstreams.update']({ id, upstream }),
    remove: (id) => bridge().request['upstreams.remove']({ id }),
    restore: (undo) => bridge().request['upstreams.restore']({ undo }),
    reorder: async (ids) => {
      const key = keyOf('upstreams.list');
      cache.setQueryData<readonly Upstream[]>(key, (before) => before?.toSorted((a, b) => placeIn(ids, a.id) - placeIn(ids, b.id)));
      cache.setQueryData(key, await bridge().request['upstreams.reorder']({ ids }));
    },
    setEnabled: async (id, enabled) => {
      const key = keyOf('upstreams.list');
      cache.setQueryData<readonly Upstream[]>(key, (before) => before?.map((upstream) => (upstream.id === id ? { ...upstream, enabled } : upstream)));
      const taken = await bridge().request['upstreams.set_enabled']({ id, enabled }).catch(() => false);
      // It is not as shown: main knows how it is.
      if (!taken) await cache.invalidateQueries({ queryKey: key });
      return taken;
    },
    usedBy: (id) => bridge().request['upstreams.used_by']({ id }),
    models: (probe) => bridge().request['upstreams.models'](probe),
    test: (probe) => bridge().request['upstreams.test'](probe),
    resetHealth: (id) => bridge().request['health.reset']({ id }),
    showDemo: (shown) => bridge().request['demo.set']({ shown }),
  }), [cache]);
}

function placeIn(ids: readonly string[], id: string): number {
  return ids.includes(id) ? ids.indexOf(id) : ids.length;
}
