import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { UpdateState } from '../../shared/updates.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** Where the app stands with its updates, and what the user can ask for; each rejects only when main is gone. */
export interface UpdatesHere {
  /** Undefined until main has told. */
  readonly state: UpdateState | undefined;
  readonly check: () => Promise<void>;
  readonly download: () => Promise<void>;
  readonly install: () => Promise<void>;
}

/** The updates of the app. */
export function useUpdates(): UpdatesHere {
  const cache = useQueryClient();
  const { data: state } = useQuery({ queryKey: keyOf('updates.state'), queryFn: () => bridge().request['updates.state'](null) });
  const ask = (name: 'updates.check' | 'updates.download' | 'updates.install') => async () => { cache.setQueryData(keyOf('updates.state'), await bridge().request[name](null)); };
  return { state, check: ask('updates.check'), download: ask('updates.download'), install: ask('updates.install') };
}
