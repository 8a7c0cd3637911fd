import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingIssue, SettingKey, Settings, SettingValue } from '../../shared/settings.ts';
import { useSaveSetting, useSettings } from '../data/use-settings.ts';

/** How a save went; the issues are those of the schema, `unreachable` when main did not answer. */
export type SaveResult = { readonly ok: true } | { readonly ok: false; readonly issues: readonly SettingIssue[] | 'unreachable' };

/** Saves a setting at once and offers the old value in a toast. `say` makes the words for a value. */
export function useSaveWithUndo(): <K extends SettingKey>(key: K, value: SettingValue<K>, name: string, say: (value: Settings[K]) => string) => Promise<SaveResult> {
  const { settings } = useSettings();
  const save = useSaveSetting();
  return useCallback(async (key, value, name, say) => {
    const before = settings?.[key];
    if (before === value) return { ok: true };
    try {
      const saved = await save(key, value);
      if (!saved.ok) return { ok: false, issues: saved.issues };
      if (before !== undefined) {
        const id = `setting ${key}`;
        notifications.hide(id);
        notifications.show({ id, withCloseButton: false, message: <Saved name={name} from={say(before)} to={say(value as Settings[typeof key])} undo={() => { notifications.hide(id); void save(key, before as SettingValue<typeof key>); }} /> });
      }
      return { ok: true };
    } catch {
      return { ok: false, issues: 'unreachable' };
    }
  }, [save, settings]);
}

function Saved({ name, from, to, undo }: { readonly name: string; readonly from: string; readonly to: string; readonly undo: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="hf-saved">
      <span>{t('setting.saved', { name, from, to })}</span>
      <Button size="compact-xs" onClick={undo}>{t('setting.undo')}</Button>
    </span>
  );
}
