import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingIssue, SettingKey, Settings, SettingValue } from '../../shared/settings.ts';
import { useChangeSetting } from '../data/use-settings.ts';

/** How a save went; the issues are those of the schema, `unreachable` when main did not answer. */
export type SaveResult = { readonly ok: true } | { readonly ok: false; readonly issues: readonly SettingIssue[] | 'unreachable' };

/** The settings that are objects with fields. */
export type ObjectKey = { [K in SettingKey]: Settings[K] extends readonly unknown[] ? never : Settings[K] extends object ? K : never }[SettingKey];

/** Saves a setting at once and offers the old value in a toast. `say` makes the words for a value. */
export interface SaveWithUndo {
  <K extends SettingKey>(key: K, value: SettingValue<K>, name: string, say: (value: Settings[K]) => string): Promise<SaveResult>;
  /** Writes only these fields, and its undo brings only these back. */
  readonly part: <K extends ObjectKey>(key: K, fields: Partial<SettingValue<K>>, name: string, say: (value: Settings[K]) => string) => Promise<SaveResult>;
}

/** The saver of a page of settings. */
export function useSaveWithUndo(): SaveWithUndo {
  const change = useChangeSetting();
  const { t } = useTranslation();
  const apply = useCallback(async <K extends SettingKey>(key: K, id: string, to: (now: Settings[K]) => SettingValue<K>, back: (before: Settings[K]) => (now: Settings[K]) => SettingValue<K>, name: string, say: (value: Settings[K]) => string): Promise<SaveResult> => {
    try {
      const { saved, before, after } = await change(key, to);
      if (!saved.ok) return { ok: false, issues: saved.issues };
      if (JSON.stringify(before) === JSON.stringify(after)) return { ok: true };
      const undo = () => {
        notifications.hide(id);
        void change(key, back(before)).then(({ saved: undone }) => undone.ok, () => false).then((undone) => { if (!undone) notifications.show({ id, message: t('setting.not_undone', { name }) }); });
      };
      notifications.hide(id);
      notifications.show({ id, withCloseButton: false, message: <Saved words={t('setting.saved', { name, from: say(before), to: say(after as Settings[K]) })} undo={undo} /> });
      return { ok: true };
    } catch {
      return { ok: false, issues: 'unreachable' };
    }
  }, [change, t]);
  return useMemo(() => Object.assign(
    <K extends SettingKey>(key: K, value: SettingValue<K>, name: string, say: (value: Settings[K]) => string) => apply(key, `setting ${key}`, () => value, (before) => () => before, name, say),
    {
      part: <K extends ObjectKey>(key: K, fields: Partial<SettingValue<K>>, name: string, say: (value: Settings[K]) => string) => {
        const names = Object.keys(fields) as (keyof Settings[K])[];
        const only = (of: Settings[K]) => Object.fromEntries(names.map((field) => [field, of[field]]));
        return apply(key, `setting ${key} ${names.join(' ')}`, (now) => ({ ...now, ...fields }) as SettingValue<K>, (before) => (now) => ({ ...now, ...only(before) }), name, say);
      },
    },
  ), [apply]);
}

function Saved({ words, undo }: { readonly words: string; readonly undo: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="hf-saved">
      <span>{words}</span>
      <Button size="compact-xs" onClick={undo}>{t('setting.undo')}</Button>
    </span>
  );
}
