import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { KeySaved } from '../../shared/key.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';
import { useKeys } from './use-main.ts';
import { useNow } from './use-now.ts';

const LOOK_AGAIN_MS = 20_000;

/** What a user does with gateway keys; each rejects when main is gone or the disk does not take it. The list follows by itself. */
export interface KeyActions {
  readonly add: (name: string) => Promise<KeySaved>;
  readonly rename: (id: string, name: string) => Promise<KeySaved>;
  readonly setDisabled: (id: string, disabled: boolean) => Promise<KeySaved>;
  readonly rotate: (id: string) => Promise<KeySaved>;
  readonly remove: (id: string) => Promise<boolean>;
}

/** The actions on gateway keys. */
export function useKeyActions(): KeyActions {
  return useMemo(() => ({
    add: (name) => bridge().request['keys.add']({ name }),
    rename: (id, name) => bridge().request['keys.rename']({ id, name }),
    setDisabled: (id, disabled) => bridge().request['keys.set_disabled']({ id, disabled }),
    rotate: (id) => bridge().request['keys.rotate']({ id }),
    remove: (id) => bridge().request['keys.remove']({ id }),
  }), []);
}

/** The keys while somebody looks at them: their last uses are no events, so they are asked for again. With the time they are held against, ms since 1970. */
export function useKeysInUse(): ReturnType<typeof useKeys> & { readonly now: number } {
  const cache = useQueryClient();
  const now = useNow(LOOK_AGAIN_MS, true);
  const keys = useKeys();
  useEffect(() => { void cache.invalidateQueries({ queryKey: keyOf('keys.list') }); }, [cache, now]);
  return { ...keys, now };
}
