import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { Card } from '../../../ui/card.tsx';
import { NumberField, useUnitWords } from '../../number-field.tsx';
import { shownOf } from '../../number-place.ts';
import { SettingCell } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';

const FIELDS = [
  { field: 'failures', unit: 'none', perUnit: 1 }, { field: 'ratio', unit: 'percent', perUnit: 0.01 }, { field: 'min_samples', unit: 'none', perUnit: 1 },
  { field: 'window_secs', unit: 's', perUnit: 1 }, { field: 'cool_secs', unit: 's', perUnit: 1 }, { field: 'max_cool_secs', unit: 's', perUnit: 1 },
] as const;

/** When an upstream is left alone for a while, and for how long (SPEC 9.4). */
export function HealthSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useUnitWords();
  const onOff = useOnOff();
  const save = useSaveWithUndo();
  const breaker = settings['gateway.breaker'];
  const says = !breaker.enabled ? t('breaker.says_off') : format.sentences([
    t('breaker.says', { failures: format.number(breaker.failures), ratio: format.percent(breaker.ratio), samples: format.number(breaker.min_samples), window: format.duration(breaker.window_secs * 1_000) }),
    t('breaker.says_rest', { first: format.duration(breaker.cool_secs * 1_000), longest: format.duration(Math.max(breaker.cool_secs, breaker.max_cool_secs) * 1_000) }),
  ]);
  return (
    <Card title={t('breaker.name')} note={<Switch size="xs" withThumbIndicator={false} title="gateway.breaker.enabled" aria-label={t('breaker.name')} checked={breaker.enabled} onChange={(event) => void save.part('gateway.breaker', { enabled: event.currentTarget.checked }, t('breaker.name'), (now) => onOff(now.enabled))} />}>
      <p className="hf-dim">{t('breaker.help')}</p>
      <p className="hf-pace-help" aria-live="polite">{says}</p>
      {breaker.enabled && (
        <div className="hf-cells hf-divided">
          {FIELDS.map(({ field, unit, perUnit }) => {
            const place = { key: 'gateway.breaker', field, perUnit, ...(field === 'ratio' && { step: 0.05 }) } as const;
            const name = t(`breaker.${field}`);
            return (
              <SettingCell key={field} setting={`gateway.breaker.${field}`} title={name} help={t(`breaker.${field}_help`)}>
                <NumberField place={place} settings={settings} saved={breaker[field]} name={name} unit={unit} save={(value) => save.part('gateway.breaker', { [field]: value }, name, (now) => words(unit, shownOf(place, now[field])))} />
              </SettingCell>
            );
          })}
        </div>
      )}
    </Card>
  );
}
