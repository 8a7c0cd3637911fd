import { SegmentedControl } from '@mantine/core';
import type { SettingKey, Settings, SettingValue } from '../../shared/settings.ts';
import { SettingLine } from './setting-line.tsx';
import type { SaveWithUndo } from './use-save-with-undo.tsx';

/** The settings that are one word out of several. */
type WordKey = { [K in SettingKey]: Settings[K] extends string ? K : never }[SettingKey];

/** A setting that is one of a few words. */
export function ChoiceLine<K extends WordKey>({ setting, settings, choices, title, help, say, save }: {
  readonly setting: K;
  readonly settings: Settings;
  readonly choices: readonly SettingValue<K>[];
  readonly title: string;
  readonly help: string;
  readonly say: (choice: SettingValue<K>) => string;
  readonly save: SaveWithUndo;
}) {
  return (
    <SettingLine setting={setting} title={title} help={help}>
      <SegmentedControl className="hf-wrapping" size="xs" aria-label={title} value={settings[setting]} data={choices.map((value) => ({ value: value, label: say(value) }))}
        onChange={(value) => void save(setting, value as SettingValue<K>, title, (one) => say(one as SettingValue<K>))} />
    </SettingLine>
  );
}
