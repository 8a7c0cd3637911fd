import type { SettingKey, Settings } from '../../shared/settings.ts';
import { NumberField, useUnitWords, type ShownUnit } from './number-field.tsx';
import { shownOf } from './number-place.ts';
import { SettingLine } from './setting-line.tsx';
import type { SaveWithUndo } from './use-save-with-undo.tsx';

/** The settings that are numbers. */
type NumberKey = { [K in SettingKey]: Settings[K] extends number ? K : never }[SettingKey];

/** A setting that is a number. */
export function NumberLine({ setting, settings, title, help, unit, save }: {
  readonly setting: NumberKey;
  readonly settings: Settings;
  readonly title: string;
  readonly help: string;
  readonly unit: ShownUnit;
  readonly save: SaveWithUndo;
}) {
  const words = useUnitWords();
  const place = { key: setting, field: null, perUnit: 1 };
  return (
    <SettingLine setting={setting} title={title} help={help}>
      <NumberField place={place} settings={settings} saved={settings[setting]} name={title} unit={unit} save={(value) => save(setting, value, title, (now) => words(unit, shownOf(place, now)))} />
    </SettingLine>
  );
}
