import { createContext, useContext, useEffect, useReducer, type ReactNode } from 'react';
import type { ExchangeEvent, InFlight } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { foldInFlight, fromSnapshot, type LiveExchanges } from './in-flight.ts';

/** What runs now and what ended lately. */
export interface Live {
  readonly exchanges: LiveExchanges;
  /** Rows that ended while the window could see it, newest first, at most 20. */
  readonly ended: readonly ExchangeRow[];
  readonly phase: 'loading' | 'ready' | 'failed';
}

type Action = { readonly events: readonly ExchangeEvent[] } | { readonly snapshot: readonly InFlight[] } | { readonly failed: true };

const LiveContext = createContext<Live>({ exchanges: new Map(), ended: [], phase: 'loading' });

function reduce(live: Live, action: Action): Live {
  if ('failed' in action) return { ...live, phase: 'failed' };
  if ('snapshot' in action) return { ...live, exchanges: fromSnapshot(action.snapshot), phase: 'ready' };
  const ended = action.events.flatMap((event) => (event.kind === 'finished' ? [event.row] : [])).reverse();
  return { ...live, exchanges: foldInFlight(live.exchanges, action.events), ended: [...ended, ...live.ended].slice(0, 20) };
}

/** Follows the running exchanges for everything below it. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [live, dispatch] = useReducer(reduce, { exchanges: new Map(), ended: [], phase: 'loading' });
  useEffect(() => {
    const stops = [
      bridge().on['exchanges.events']((events) => dispatch({ events })),
      bridge().on['exchanges.snapshot']((snapshot) => dispatch({ snapshot })),
    ];
    bridge().request['exchanges.in_flight'](null).then((snapshot) => dispatch({ snapshot }), () => dispatch({ failed: true }));
    return () => stops.forEach((stop) => stop());
  }, []);
  return <LiveContext value={live}>{children}</LiveContext>;
}

/** What runs now and what ended lately. */
export function useLive(): Live {
  return useContext(LiveContext);
}
