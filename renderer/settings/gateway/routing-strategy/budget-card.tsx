import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { Card } from '../../../ui/card.tsx';
import { NumberField } from '../../number-field.tsx';
import { SettingCell } from '../../setting-line.tsx';
import { useOnOff } from '../../use-on-off.ts';
import type { SaveWithUndo } from '../../use-save-with-undo.tsx';

const FIELDS = ['capacity', 'min_per_minute', 'ratio'] as const;

/** The brake for all requests together: how many failing retries there may be (SPEC 8.6). */
export function BudgetCard({ settings, save }: { readonly settings: Settings; readonly save: SaveWithUndo }) {
  const { t } = useTranslation();
  const format = useFormat();
  const onOff = useOnOff();
  const budget = settings['gateway.retry_budget'];
  const sentence = budget.enabled ? t('budget.says', { capacity: format.number(budget.capacity), perMinute: format.number(budget.min_per_minute), ratio: format.number(budget.ratio) }) : t('budget.says_off');
  return (
    <Card title={t('budget.name')} note={<Switch size="xs" title="gateway.retry_budget.enabled" aria-label={t('budget.name')} checked={budget.enabled} onChange={(event) => void save.part('gateway.retry_budget', { enabled: event.currentTarget.checked }, t('budget.name'), (now) => onOff(now.enabled))} />}>
      <p className="hf-dim">{t('budget.help')}</p>
      <p className="hf-pace-help" aria-live="polite">{sentence}</p>
      {budget.enabled && (
        <div className="hf-cells hf-divided">
          {FIELDS.map((field) => (
            <SettingCell key={field} setting={`gateway.retry_budget.${field}`} title={t(`budget.${field}`)} help={t(`budget.${field}_help`)}>
              <NumberField place={{ key: 'gateway.retry_budget', field, perUnit: 1, step: field === 'ratio' ? 0.05 : 1 }} settings={settings} saved={budget[field]} name={t(`budget.${field}`)} unit="none" save={(value) => save.part('gateway.retry_budget', { [field]: value }, t(`budget.${field}`), (now) => format.number(now[field]))} />
            </SettingCell>
          ))}
        </div>
      )}
    </Card>
  );
}
