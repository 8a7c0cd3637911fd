import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { LogFilter, LogPage, LogQuery } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { foldInFlight } from '../live/in-flight.ts';
import { useLive } from '../live/use-live.tsx';
import { toLogFilter, type PageFilter } from './filter.ts';
import { findPlace, nextLoad, type Load, type Sight } from './list-loads.ts';
import { emptyList, foldList, FRESH_KEPT, type ListAction, type ListState } from './list.ts';

/** The list of requests under a filter, kept current by events. */
export interface RequestList {
  readonly state: ListState;
  readonly filter: PageFilter;
  readonly setFilter: (filter: PageFilter) => void;
  /** Told which rows are in sight, so that what is missing around them is loaded. */
  readonly inSight: (sight: Sight, shown: number) => void;
  readonly again: () => void;
  readonly scrolled: (atTop: boolean) => void;
  /** Shows the newest rows. */
  readonly toTop: () => void;
}

type Wanted = Load | { readonly kind: 'reload' } | { readonly kind: 'head' };

// What comes over the bridge is copied field by field: small pages keep each copy short.
const PAGE = 120;

/** Follows the log from its newest row on. One question at a time: within a view the newest question wins. */
export function useRequestList(first: PageFilter): RequestList {
  const [filter, keepFilter] = useState(first);
  const [state, dispatch] = useReducer(foldList, first, (given) => emptyList(toLogFilter(given, Date.now())));
  const { exchanges } = useLive();
  // Listeners and answers outlive a render, so they read what is current here.
  const current = useRef({ exchanges, state });
  const sight = useRef<Sight & { readonly shown: number }>({ from: 0, to: 0, shown: 0 });
  const asked = useRef<{ filter: LogFilter | null; pending: 'reload' | 'head' | null }>({ filter: null, pending: null });
  // Before any effect: the table below looks for what is missing in its own.
  useLayoutEffect(() => { current.current = { exchanges, state }; });

  const pump = useCallback(() => {
    const { state: now } = current.current;
    if (asked.current.filter === now.filter) return;
    const load: Wanted | null = asked.current.pending === null || now.phase !== 'ready' ? nextLoad(now, sight.current) : { kind: asked.current.pending };
    if (load === null) return;
    asked.current = { filter: now.filter, pending: null };
    // An answer for a filter that was left meanwhile belongs to nothing.
    const isWanted = () => asked.current.filter === now.filter && current.current.state.filter === now.filter;
    const free = () => { if (asked.current.filter === now.filter) asked.current = { ...asked.current, filter: null }; };
    request(now, load, sight.current.shown).then((action) => {
      const wanted = isWanted();
      free();
      if (wanted) dispatch(action ?? { kind: 'superseded' });
    }, () => {
      const wanted = isWanted();
      free();
      if (wanted) dispatch({ kind: 'failed' });
    });
  }, []);
  // After each change there may be something more to ask for, and for a new filter there is.
  useEffect(() => { pump(); }, [pump, state]);

  useEffect(() => {
    // The running exchanges are drawn after these events have come: until then the list follows them by itself.
    let ahead = { drawn: current.current.exchanges, live: current.current.exchanges };
    const onEvents = (events: readonly ExchangeEvent[]) => {
      const { exchanges: drawn } = current.current;
      const live = foldInFlight(ahead.drawn === drawn ? ahead.live : drawn, events);
      ahead = { drawn, live };
      dispatch({ kind: 'events', events, running: (id) => live.get(id)?.row });
    };
    const refresh = async (id: string) => {
      const row = await bridge().request['requests.get']({ id });
      if (row !== null) dispatch({ kind: 'known', row });
    };
    const stops = [
      bridge().on['exchanges.events'](onEvents),
      // The window was hidden: what ended meanwhile was not told.
      bridge().on['exchanges.snapshot']((snapshot) => {
        asked.current = { ...asked.current, pending: asked.current.pending ?? 'reload' };
        pump();
        const ids = new Set(snapshot.map((one) => one.row.id));
        for (const row of current.current.state.rows) if (row.state === 'in_flight' && !ids.has(row.id)) refresh(row.id).catch(() => undefined);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [pump]);

  const setFilter = useCallback((wanted: PageFilter) => {
    keepFilter(wanted);
    dispatch({ kind: 'filtered', filter: toLogFilter(wanted, Date.now()) });
  }, []);
  return {
    state, filter, setFilter,
    inSight: useCallback((now: Sight, shown: number) => { sight.current = { ...now, shown }; pump(); }, [pump]),
    again: useCallback(() => { dispatch({ kind: 'filtered', filter: { ...current.current.state.filter } }); }, []),
    scrolled: useCallback((atTop: boolean) => dispatch({ kind: 'scrolled', atTop }), []),
    toTop: useCallback(() => {
      const { state: now } = current.current;
      if (now.above !== null || now.fresh.length >= FRESH_KEPT) asked.current = { ...asked.current, pending: 'head' };
      dispatch({ kind: 'scrolled', atTop: true });
      pump();
    }, [pump]),
  };
}

const list = (query: Omit<LogQuery, 'view' | 'limit'>) => bridge().request['requests.list']({ view: 'requests', limit: PAGE, ...query });

/** What an answer does to the list; null when a newer question took its place. */
async function request(state: ListState, load: Wanted, shown: number): Promise<ListAction | null> {
  const { filter } = state;
  const told = (page: LogPage, action: ListAction) => (page.superseded ? null : action);
  switch (load.kind) {
    case 'first': case 'reload': { const page = await list({ filter }); return told(page, { kind: 'loaded', page }); }
    case 'head': { const page = await list({ filter }); return told(page, { kind: 'at_head', page }); }
    case 'older': { const page = await list({ filter, before: load.before }); return told(page, { kind: 'older_loaded', page }); }
    case 'newer': { const page = await list({ filter, after: load.after }); return told(page, { kind: 'newer_loaded', page }); }
    case 'jump': return jump(filter, load.index, shown);
  }
}

async function jump(filter: LogFilter, index: number, shown: number): Promise<ListAction | null> {
  // Asked for another view, so that the number of rows beside the list stays wanted.
  const view = 'session';
  const place = index < PAGE ? null : await findPlace(index, shown, Date.now(), filter, {
    oldest: async () => (await bridge().request['requests.list']({ view, filter, after: { started_at: 0, id: '0' }, limit: 1 })).rows[0]?.started_at ?? null,
    since: async (from) => {
      const count = await bridge().request['requests.count']({ view, filter: { ...filter, from: Math.max(from, filter.from ?? from) } });
      return count.exact && !count.superseded ? count.rows : null;
    },
  });
  // No id is smaller: what began at that very moment stands above.
  const above = place === null ? null : { started_at: place.at, id: '0' };
  const page = await list({ filter, ...(above !== null && { before: above }) });
  return page.superseded ? null : place === null || above === null ? { kind: 'at_head', page } : { kind: 'jumped', page, offset: Math.max(1, place.offset), above };
}
