import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { LogCursor, LogPage, LogQuery } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { useLive } from '../live/use-live.tsx';
import { emptyList, foldList, type ListFilter, type ListState } from './list.ts';

/** The list of requests under a filter, kept current by events. */
export interface RequestList {
  readonly state: ListState;
  readonly setFilter: (filter: ListFilter) => void;
  /** Loads older rows; does nothing at the end or while loading. */
  readonly older: () => void;
  readonly again: () => void;
  readonly scrolled: (atTop: boolean) => void;
}

function ask(filter: ListFilter, limit: number, before: LogCursor | null): Promise<LogPage> {
  const query: LogQuery = {
    limit, ...(filter.outcomes.length > 0 && { outcomes: filter.outcomes }), ...(filter.retriedOnly && { retriedOnly: true }), ...(before !== null && { before }),
  };
  return bridge().request['requests.list'](query);
}

/** Follows the log from its newest row on, `pageSize` rows at a time (1-500). */
export function useRequestList(first: ListFilter, pageSize: number): RequestList {
  const [state, dispatch] = useReducer(foldList, first, emptyList);
  const { exchanges } = useLive();
  // Listeners outlive a render, so they read what is current here.
  const current = useRef({ exchanges, state, loadingOlder: false });
  useEffect(() => { current.current = { ...current.current, exchanges, state }; });

  const { filter } = state;
  const load = useCallback(() => {
    // An answer for a filter that was left meanwhile belongs to nothing.
    const wanted = () => current.current.state.filter === filter;
    ask(filter, pageSize, null).then((page) => { if (wanted()) dispatch({ kind: 'loaded', page }); }, () => { if (wanted()) dispatch({ kind: 'failed' }); });
  }, [filter, pageSize]);
  useEffect(() => { load(); }, [load]);

  useEffect(() => {
    const running = (id: string) => current.current.exchanges.get(id)?.row;
    const stops = [
      bridge().on['exchanges.events']((events) => dispatch({ kind: 'events', events, running })),
      // The window was hidden: what ended meanwhile was not told.
      bridge().on['exchanges.snapshot']((snapshot) => {
        load();
        const ids = new Set(snapshot.map((one) => one.row.id));
        for (const row of current.current.state.rows) if (row.state === 'in_flight' && !ids.has(row.id)) void refresh(row.id);
      }),
    ];
    const refresh = async (id: string) => {
      const row = await bridge().request['requests.get']({ id });
      if (row !== null) dispatch({ kind: 'known', row });
    };
    return () => stops.forEach((stop) => stop());
  }, [load]);

  const older = useCallback(() => {
    const { next } = current.current.state;
    if (next === null || current.current.loadingOlder) return;
    current.current.loadingOlder = true;
    const asked = current.current.state.filter;
    const done = () => { current.current.loadingOlder = false; };
    ask(asked, pageSize, next).then((page) => { if (current.current.state.filter === asked) dispatch({ kind: 'older_loaded', page }); }).then(done, done);
  }, [pageSize]);

  return {
    state, older,
    setFilter: useCallback((wanted: ListFilter) => dispatch({ kind: 'filtered', filter: wanted }), []),
    again: useCallback(() => { dispatch({ kind: 'filtered', filter: { ...current.current.state.filter } }); }, []),
    scrolled: useCallback((atTop: boolean) => dispatch({ kind: 'scrolled', atTop }), []),
  };
}
