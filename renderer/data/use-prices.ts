import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Price, PriceList, PriceSaved } from '../../shared/prices.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** The price table and the user's own prices. */
export function usePrices(): UseQueryResult<PriceList> {
  return useQuery({ queryKey: keyOf('prices.list'), queryFn: () => bridge().request['prices.list'](null) });
}

const NONE: readonly string[] = [];

/** The models that tools have asked for or were served; none while that is not known. */
export function useSeenModels(): readonly string[] {
  const facets = useQuery({ queryKey: keyOf('requests.facets'), queryFn: () => bridge().request['requests.facets'](null), staleTime: 0 });
  return facets.data?.models ?? NONE;
}

/** What a user does with prices; each rejects only when main is gone or cannot write. */
export interface PriceActions {
  /** `replaces` is the model of the own price that is edited, null for a new one. */
  readonly set: (price: Price, replaces: string | null) => Promise<PriceSaved>;
  readonly remove: (model: string) => Promise<PriceList>;
}

/** The actions on prices; what they answer shows at once. */
export function usePriceActions(): PriceActions {
  const cache = useQueryClient();
  return useMemo(() => ({
    set: async (price, replaces) => {
      const saved = await bridge().request['prices.set']({ price, replaces });
      if (saved.ok) cache.setQueryData(keyOf('prices.list'), saved.prices);
      return saved;
    },
    remove: async (model) => {
      const prices = await bridge().request['prices.remove']({ model });
      cache.setQueryData(keyOf('prices.list'), prices);
      return prices;
    },
  }), [cache]);
}
