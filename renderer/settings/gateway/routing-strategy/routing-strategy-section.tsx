import { SegmentedControl } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resolvePolicy } from '../../../../shared/backoff.ts';
import type { RetryPreset } from '../../../../shared/policy.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { Card } from '../../../ui/card.tsx';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';
import { RetryWaitField } from './retry-wait-field.tsx';
import { ScheduleChart } from './schedule-chart.tsx';

const PACES = ['patient', 'full_jitter', 'constant', 'off'] as const satisfies readonly RetryPreset[];

/** How long and at what pace a request is tried again, with the schedule that follows from it. */
export function RoutingStrategySection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveWithUndo();
  const savedSecs = settings['gateway.retry_wait_secs'];
  const preset = settings['gateway.retry_preset'];
  const [secs, setSecs] = useState(savedSecs);
  const [seenSecs, setSeenSecs] = useState(savedSecs);
  if (seenSecs !== savedSecs) {
    setSeenSecs(savedSecs);
    setSecs(savedSecs);
  }
  const policy = resolvePolicy({ ...settings, 'gateway.retry_wait_secs': secs }, null);
  const say = useCallback((value: number) => (value === 0 ? t('retry_wait.off') : t('unit.s', { n: format.number(value) })), [t, format]);
  // A custom policy is a choice only while one is in force.
  const paces: readonly RetryPreset[] = preset === 'custom' ? [...PACES, 'custom'] : PACES;
  return (
    <div className="hf-strategy">
      <div className="hf-stack">
      <Card title={t('retry_wait.name')}>
        <p className="hf-dim" title="gateway.retry_wait_secs">{t('retry_wait.help')}</p>
        <RetryWaitField saved={savedSecs} preview={setSecs} save={(value) => save('gateway.retry_wait_secs', value, t('retry_wait.name'), say)} />
        <p className="hf-dim hf-small hf-strategy-note">{t('retry_wait.billed')}</p>
      </Card>
      <Card title={t('pace.name')}>
        <p className="hf-dim hf-pace-help" title="gateway.retry_preset">{t(`pace.help.${preset}`)}</p>
        <SegmentedControl fullWidth size="xs" aria-label={t('pace.name')} value={preset} data={paces.map((value) => ({ value, label: t(`pace.${value}`) }))} onChange={(value) => void save('gateway.retry_preset', value, t('pace.name'), (one) => t(`pace.${one}`))} />
      </Card>
      </div>
      <Card title={t('schedule.title')}><ScheduleChart policy={policy} /></Card>
    </div>
  );
}
