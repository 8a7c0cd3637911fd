import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
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

/** How one setting was changed: what main said, and the value before and after. */
export interface SettingChange<K extends SettingKey> {
  readonly saved: SettingSaved;
  readonly before: Settings[K];
  readonly after: SettingValue<K>;
}

/** Makes the new value out of the one in force when its turn comes. */
export type ChangeSetting = <K extends SettingKey>(key: K, change: (now: Settings[K]) => SettingValue<K>) => Promise<SettingChange<K>>;

// Changes stand in line: of two fields of one object, changed one right after the other, the second must not bring the first one back. Goes with its cache.
const lines = new WeakMap<QueryClient, Promise<unknown>>();

/** Changes one setting; a value outside its range is refused here already and not sent. Rejects when main does not answer. */
export function useChangeSetting(): ChangeSetting {
  const cache = useQueryClient();
  return useCallback<ChangeSetting>((key, change) => {
    const turn = async () => {
      const settings = cache.getQueryData<Settings>(keyOf('settings.all')) ?? await bridge().request['settings.all'](null);
      const before = settings[key];
      const after = change(before);
      const parsed = parseSetting(key, after);
      if (!parsed.ok) return { saved: parsed, before, after };
      const saved = await bridge().request['settings.set']({ key, value: parsed.value });
      if (saved.ok) cache.setQueryData(keyOf('settings.all'), saved.settings);
      return { saved, before, after };
    };
    const done = (lines.get(cache) ?? Promise.resolve()).then(turn);
    lines.set(cache, done.catch(() => undefined));
    return done;
  }, [cache]);
}
