import { useQuery } from '@tanstack/react-query';
import type { ExchangeRow } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { useLive } from '../live/use-live.tsx';

/** One exchange: as it runs, as the list knows it, else asked of the log. Null: not there any more; undefined: on its way. */
export function useRequest(id: string, listed: ExchangeRow | undefined): { readonly row: ExchangeRow | null | undefined; readonly failed: boolean; readonly again: () => void } {
  const { exchanges, ended } = useLive();
  const known = exchanges.get(id)?.row ?? ended.find((row) => row.id === id) ?? listed;
  const query = useQuery({ queryKey: ['requests.get', id], queryFn: () => bridge().request['requests.get']({ id }), enabled: known === undefined, gcTime: 60_000 });
  return { row: known ?? query.data, failed: query.isError, again: () => void query.refetch() };
}
