import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { KeptContents } from '../../shared/contents.ts';
import type { LogStatus } from '../../shared/log-status.ts';
import type { LogCount, LogFacets, LogFilter } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';

/** Rows are counted anew at most this often while requests end. */
const COUNT_APART_MS = 4_000;

/** How many rows pass a filter; undefined while it is not known. Counted anew as requests come in, but with a text, whose count reads the whole log. */
export function useCount(filter: LogFilter, active: boolean): LogCount | undefined {
  const tick = useTick(COUNT_APART_MS, filter.text === undefined);
  const cache = useQueryClient();
  const key = ['requests.count', filter, tick];
  const query = useQuery({
    queryKey: key, enabled: active, gcTime: 0,
    queryFn: () => bridge().request['requests.count']({ view: 'requests', filter }),
    // The number before stays until the new one is there, as long as it is of the same filter.
    placeholderData: () => cache.getQueriesData<LogCount>({ queryKey: ['requests.count', filter] }).findLast(([, data]) => data !== undefined)?.[1],
  });
  return query.data?.superseded === true ? undefined : query.data;
}

/** Counts up at most once in `apartMs` while requests begin and end, and when a hidden window shows again. */
function useTick(apartMs: number, active: boolean): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!active) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => { timer ??= setTimeout(() => { timer = undefined; setTick((now) => now + 1); }, apartMs); };
    const stops = [bridge().on['exchanges.events']((events) => { if (events.some((event) => event.kind === 'started' || event.kind === 'finished')) note(); }), bridge().on['exchanges.snapshot'](note)];
    return () => { clearTimeout(timer); stops.forEach((stop) => stop()); };
  }, [apartMs, active]);
  return tick;
}

/** What can be chosen in the filter; asked for anew each time the choice is opened. */
export function useFacets(): UseQueryResult<LogFacets> {
  return useQuery({ queryKey: ['requests.facets'], queryFn: () => bridge().request['requests.facets'](null), staleTime: 0 });
}

/** What the log keeps of an exchange besides its row; null when it keeps nothing. Asked for once it has ended. */
export function useContents(id: string, ended: boolean): UseQueryResult<KeptContents | null> {
  return useQuery({ queryKey: ['requests.contents', id], queryFn: () => bridge().request['requests.contents']({ id }), enabled: ended, gcTime: 60_000 });
}

/** How the writing of the log goes, kept current by its event. */
export function useLogStatus(): LogStatus | undefined {
  const cache = useQueryClient();
  useEffect(() => bridge().on['log.status_changed']((status) => { cache.setQueryData(['log.status'], status); }), [cache]);
  return useQuery({ queryKey: ['log.status'], queryFn: () => bridge().request['log.status'](null) }).data;
}
