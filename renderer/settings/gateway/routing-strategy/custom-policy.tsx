import { SegmentedControl, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RetryPolicy } from '../../../../shared/policy.ts';
import { numberRange, type Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { NumberField, useUnitWords, type ShownUnit } from '../../number-field.tsx';
import { shownOf, type NumberPlace } from '../../number-place.ts';
import { SettingCell } from '../../setting-line.tsx';
import { StatusChips } from '../../status-chips.tsx';
import { useOnOff } from '../../use-on-off.ts';
import type { SaveWithUndo } from '../../use-save-with-undo.tsx';
import { withBase } from './policy-draft.ts';

const BACKOFFS = ['exponential', 'full_jitter', 'constant'] as const satisfies readonly RetryPolicy['backoff'][];
const HINTS = ['follow', 'floor'] as const satisfies readonly RetryPolicy['hint'][];
const MOST_STATUSES = 20;

interface Parts {
  readonly settings: Settings;
  /** Hears fields as they move, before they are saved. */
  readonly preview: (policy: Partial<RetryPolicy>) => void;
  readonly save: SaveWithUndo;
}

/** Every field of a policy of one's own (SPEC 8.2). */
export function CustomPolicy({ settings, preview, save }: Parts) {
  const { t } = useTranslation();
  const format = useFormat();
  const onOff = useOnOff();
  const policy = settings['gateway.retry_policy'];
  const put = (fields: Partial<RetryPolicy>, name: string, say: (now: RetryPolicy) => string) => save.part('gateway.retry_policy', fields, name, say);
  const number = { settings, preview, put };
  const constant = policy.backoff === 'constant';
  const statusRange = { min: 400, max: 599 };
  return (
    <div className="hf-cells">
      <SettingCell setting="gateway.retry_policy.backoff" title={t('policy.backoff')} help={t(`policy.backoff_help.${policy.backoff}`)}>
        <SegmentedControl className="hf-wrapping" size="xs" aria-label={t('policy.backoff')} value={policy.backoff} data={BACKOFFS.map((value) => ({ value, label: t(`policy.backoff_${value}`) }))} onChange={(backoff) => void put({ backoff }, t('policy.backoff'), (now) => t(`policy.backoff_${now.backoff}`))} />
      </SettingCell>
      <PolicyNumber {...number} field="baseMs" unit="s" perUnit={1_000} name={t(constant ? 'policy.pause' : 'policy.base')} help={t(constant ? 'policy.pause_help' : 'policy.base_help')} {...(!constant && { max: policy.maxMs })} fields={(baseMs) => withBase(policy, baseMs)} />
      {!constant && <PolicyNumber {...number} field="maxMs" unit="s" perUnit={1_000} name={t('policy.max')} help={t('policy.max_help')} min={policy.baseMs} />}
      <PolicyNumber {...number} field="jitter" unit="percent" perUnit={0.01} name={t('policy.jitter')} help={t(policy.backoff === 'full_jitter' ? 'policy.jitter_help_full' : 'policy.jitter_help')} />
      <PolicyNumber {...number} field="maxAttempts" unit="none" perUnit={1} off name={t('policy.max_attempts')} help={t('policy.max_attempts_help')} />
      <SettingCell setting="gateway.retry_policy.hint" title={t('policy.hint')} help={t(`policy.hint_help.${policy.hint}`)}>
        <SegmentedControl className="hf-wrapping" size="xs" aria-label={t('policy.hint')} value={policy.hint} data={HINTS.map((value) => ({ value, label: t(`policy.hint_${value}`) }))} onChange={(hint) => void put({ hint }, t('policy.hint'), (now) => t(`policy.hint_${now.hint}`))} />
      </SettingCell>
      {policy.hint === 'follow' && <PolicyNumber {...number} field="hintMinMs" unit="s" perUnit={1_000} name={t('policy.hint_min')} help={t('policy.hint_min_help')} />}
      <PolicyNumber {...number} field="attemptTimeoutMs" unit="s" perUnit={1_000} off name={t('policy.attempt_timeout')} help={t('policy.attempt_timeout_help')} />
      <SettingCell setting="gateway.retry_policy.retryOnTimeout" title={t('policy.retry_on_timeout')} help={t('policy.retry_on_timeout_help')}>
        <Switch aria-label={t('policy.retry_on_timeout')} checked={policy.retryOnTimeout} onChange={(event) => void put({ retryOnTimeout: event.currentTarget.checked }, t('policy.retry_on_timeout'), (now) => onOff(now.retryOnTimeout))} />
      </SettingCell>
      <div className="hf-cell-wide">
        <SettingCell setting="gateway.retry_policy.statuses" title={t('policy.statuses')} help={t('policy.statuses_help')}>
          <StatusChips name={t('policy.statuses')} statuses={policy.statuses} range={statusRange} most={MOST_STATUSES} change={(statuses) => void put({ statuses: [...statuses] }, t('policy.statuses'), (now) => (now.statuses.length === 0 ? t('policy.statuses_none') : format.series(now.statuses.map(String))))} />
        </SettingCell>
      </div>
    </div>
  );
}

type NumberName = { [F in keyof RetryPolicy]: RetryPolicy[F] extends number ? F : never }[keyof RetryPolicy];

/** One number of the policy. `fields` says what else changes with it. */
function PolicyNumber({ settings, preview, put, field, unit, perUnit, name, help, off = false, min, max, fields }: Pick<Parts, 'settings' | 'preview'> & {
  readonly put: (fields: Partial<RetryPolicy>, name: string, say: (now: RetryPolicy) => string) => ReturnType<SaveWithUndo['part']>;
  readonly field: NumberName;
  readonly unit: ShownUnit;
  readonly perUnit: number;
  readonly name: string;
  readonly help: string;
  readonly off?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly fields?: (value: number) => Partial<RetryPolicy>;
}) {
  const { t } = useTranslation();
  const words = useUnitWords();
  const own = numberRange('gateway.retry_policy', [field]);
  const place: NumberPlace = { key: 'gateway.retry_policy', field, perUnit, min: min ?? own.min, max: max ?? own.max };
  const changed = fields ?? ((value: number) => ({ [field]: value }));
  const say = (now: RetryPolicy) => (off && now[field] === 0 ? t('setting.off') : words(unit, shownOf(place, now[field])));
  return (
    <SettingCell setting={`gateway.retry_policy.${field}`} title={name} help={help}>
      <NumberField place={place} settings={settings} saved={settings['gateway.retry_policy'][field]} name={name} unit={unit} off={off} preview={(value) => preview(changed(value))} save={(value) => put(changed(value), name, say)} />
    </SettingCell>
  );
}
