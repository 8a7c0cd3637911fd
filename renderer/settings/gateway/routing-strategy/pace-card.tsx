import { SegmentedControl, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RETRY_PRESETS, type RetryPolicy } from '../../../../shared/policy.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { Card } from '../../../ui/card.tsx';
import { SettingLine } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import type { SaveWithUndo } from '../../use-save-with-undo.tsx';
import { CustomPolicy } from './custom-policy.tsx';

/** At what pace a request is tried again: a preset, or values of one's own. */
export function PaceCard({ settings, when, preview, save }: {
  readonly settings: Settings;
  /** The schedule in one sentence, for windows too small to show the chart beside the fields. */
  readonly when: string;
  readonly preview: (policy: Partial<RetryPolicy>) => void;
  readonly save: SaveWithUndo;
}) {
  const { t } = useTranslation();
  const onOff = useOnOff();
  const preset = settings['gateway.retry_preset'];
  return (
    <Card title={t('pace.name')} className="hf-pace">
      <SegmentedControl className="hf-wrapping" size="xs" aria-label={t('pace.name')} value={preset} data={RETRY_PRESETS.map((value) => ({ value, label: t(`pace.${value}`) }))} onChange={(value) => void save('gateway.retry_preset', value, t('pace.name'), (one) => t(`pace.${one}`))} />
      <p className="hf-dim hf-pace-help" title="gateway.retry_preset">{t(`pace.help.${preset}`)}</p>
      {preset === 'custom' ? <><p className="hf-pace-when" aria-hidden="true">{when}</p><CustomPolicy settings={settings} preview={preview} save={save} /></> : preset !== 'off' && (
        <div className="hf-divided">
          <SettingLine level={3} setting="gateway.retry_on_timeout" title={t('policy.retry_on_timeout')} help={t('policy.retry_on_timeout_help')}>
            <Switch aria-label={t('policy.retry_on_timeout')} checked={settings['gateway.retry_on_timeout']} onChange={(event) => void save('gateway.retry_on_timeout', event.currentTarget.checked, t('policy.retry_on_timeout'), onOff)} />
          </SettingLine>
        </div>
      )}
    </Card>
  );
}
