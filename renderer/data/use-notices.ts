import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DataNotice } from '../../shared/data.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** What was found in the stored data at the start, until the user has put it away. */
export function useNotices(): { readonly notices: readonly DataNotice[]; readonly dismiss: () => void; readonly openFolder: () => void } {
  const cache = useQueryClient();
  const { data } = useQuery({ queryKey: keyOf('data.notices'), queryFn: () => bridge().request['data.notices'](null) });
  return {
    notices: data ?? [],
    dismiss: () => {
      cache.setQueryData(keyOf('data.notices'), []);
      bridge().request['data.notices_seen'](null).catch(() => undefined);
    },
    openFolder: () => { bridge().request['data.open_folder']({ folder: 'data' }).catch(() => undefined); },
  };
}
