import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SettingKey, Settings } from '../../shared/settings.ts';
import { SettingLine } from './setting-line.tsx';
import { useOnOff } from './use-on-off.ts';
import type { SaveWithUndo } from './use-save-with-undo.tsx';

/** The settings that are on or off. */
type SwitchKey = { [K in SettingKey]: Settings[K] extends boolean ? K : never }[SettingKey];

/** A setting that is on or off. */
export function SwitchLine({ setting, settings, title, help, save }: {
  readonly setting: SwitchKey;
  readonly settings: Settings;
  readonly title: string;
  readonly help: ReactNode;
  readonly save: SaveWithUndo;
}) {
  const onOff = useOnOff();
  return (
    <SettingLine setting={setting} title={title} help={help}>
      <Switch aria-label={title} checked={settings[setting]} onChange={(event) => void save(setting, event.currentTarget.checked, title, onOff)} />
    </SettingLine>
  );
}
