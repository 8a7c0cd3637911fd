import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SettingSaved } from '../../shared/ipc.ts';
import { parseSetting, type SettingKey, type Settings, type SettingValue } from '../../shared/settings.ts';
import { bridge } from '../bridge.ts';
import { keyOf } from './query.ts';

/** Every setting as it is now; undefined until main has told. */
export function useSettings(): { readonly settings: Settings | undefined; readonly failed: boolean; readonly again: () => void } {
  const query = useQuery({ queryKey: keyOf('settings.all'), queryFn: () => bridge().request['settings.all'](null) });
  return { settings: query.data, failed: query.isError, again: () => void query.refetch() };
}

/** Saves one setting; a value outside its range is refused here already and not sent. */
export function useSaveSetting(): <K extends SettingKey>(key: K, value: SettingValue<K>) => Promise<SettingSaved> {
  const cache = useQueryClient();
  return useCallback(async (key, value) => {
    const parsed = parseSetting(key, value);
    if (!parsed.ok) return { ok: false, issues: parsed.issues };
    const saved = await bridge().request['settings.set']({ key, value: parsed.value });
    if (saved.ok) cache.setQueryData(keyOf('settings.all'), saved.settings);
    return saved;
  }, [cache]);
}
