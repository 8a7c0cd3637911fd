import { QueryClient } from '@tanstack/react-query';
import type { IpcRequests } from '../../shared/ipc.ts';

/** The cache of what main told; kept current by events, so nothing is ever fetched on a schedule. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: main is reachable without a network, and the default waits for one.
      queries: { staleTime: Infinity, gcTime: Infinity, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Cache key of a request without argument. */
export const keyOf = (name: keyof IpcRequests): readonly [keyof IpcRequests] => [name];
