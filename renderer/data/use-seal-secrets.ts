import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** Seals the secrets that lie in clear; rejects when the keychain or the disk refuses. What lies in clear then is asked for anew either way. */
export function useSealSecrets(): () => Promise<void> {
  const cache = useQueryClient();
  return useCallback(async () => {
    try {
      await bridge().request['app.seal_secrets'](null);
    } finally {
      void cache.invalidateQueries({ queryKey: keyOf('app.info') });
    }
  }, [cache]);
}
