import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ExchangeRow } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { useLive } from '../live/use-live.tsx';

/** Requests that ended lately, newest first. */
export interface Lately {
  readonly rows: readonly ExchangeRow[];
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly again: () => void;
}

/** Follows the last `most` requests that have ended: from the log when the page opens or shows again, from events after that. */
export function useLately(most: number): Lately {
  // Some of the newest may still run.
  const query = useQuery({ queryKey: ['requests.list', 'overview'], queryFn: () => bridge().request['requests.list']({ view: 'overview', filter: {}, limit: most + 12 }), staleTime: 0 });
  const { refetch } = query;
  useEffect(() => bridge().on['exchanges.snapshot'](() => { void refetch(); }), [refetch]);
  const { ended } = useLive();
  const rows = new Map([...(query.data?.rows ?? []), ...ended].filter((row) => row.state === 'done').map((row) => [row.id, row]));
  return {
    rows: [...rows.values()].sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1)).slice(0, most),
    phase: query.isError ? 'failed' : query.data === undefined ? 'loading' : 'ready',
    again: () => { void refetch(); },
  };
}
