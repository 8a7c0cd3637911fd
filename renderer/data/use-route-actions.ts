import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DryRun, DryRunRequest } from '../../shared/dry-run.ts';
import type { Route } from '../../shared/route.ts';
import type { PreviewedModel, Restored, RouteDraft, RouteRemoved, RouteSaved } from '../../shared/upstream-edits.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** What a user does with routes; each rejects only when main is gone. */
export interface RouteActions {
  readonly save: (route: RouteDraft) => Promise<RouteSaved>;
  readonly remove: (id: string) => Promise<RouteRemoved>;
  readonly restore: (undo: string) => Promise<Restored>;
  /** Shows the new order at once. */
  readonly reorder: (ids: readonly string[]) => Promise<void>;
}

/** The actions on routes. */
export function useRouteActions(): RouteActions {
  const cache = useQueryClient();
  return useMemo(() => ({
    save: (route) => bridge().request['routes.save'](route),
    remove: (id) => bridge().request['routes.remove']({ id }),
    restore: (undo) => bridge().request['routes.restore']({ undo }),
    reorder: async (ids) => {
      const key = keyOf('routes.list');
      cache.setQueryData<readonly Route[]>(key, (before) => before?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)));
      cache.setQueryData(key, await bridge().request['routes.reorder']({ ids }));
    },
  }), [cache]);
}

/** The models asked for lately, held against a pattern while it is typed; what is known stays until the new answer is there. */
export function useRoutePreview(pattern: string, id: string | null): UseQueryResult<readonly PreviewedModel[]> {
  return useQuery({ queryKey: ['routes.preview', pattern, id], queryFn: () => bridge().request['routes.preview']({ pattern, id }), placeholderData: keepPreviousData, staleTime: 0, gcTime: 0 });
}

/** What would happen to a request; asked anew whenever the request, the routes or the upstreams change (`world`). Null asks nothing. */
export function useDryRun(request: DryRunRequest | null, world: unknown): UseQueryResult<DryRun> {
  return useQuery({
    queryKey: ['routes.dry_run', request, world], enabled: request !== null, placeholderData: keepPreviousData, staleTime: 0, gcTime: 0,
    queryFn: () => (request === null ? Promise.reject(new Error('nothing to ask')) : bridge().request['routes.dry_run'](request)),
  });
}
