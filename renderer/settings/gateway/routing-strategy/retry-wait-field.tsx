import { Slider } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { defaultOf, NumberInput, Refusal } from '../../number-field.tsx';
import { rangeOf, type NumberPlace } from '../../number-place.ts';
import { useNumberDraft } from '../../use-number-draft.ts';
import type { SaveResult } from '../../use-save-with-undo.tsx';

const PLACE: NumberPlace = { key: 'gateway.retry_wait_secs', field: null, perUnit: 1 };
const RANGE = rangeOf(PLACE);
const DEFAULT_SECS = defaultOf(PLACE);

/** The retry wait as slider and field, bound to each other. `preview` hears every valid value, `save` the ones that are meant. */
export function RetryWaitField({ settings, preview, save }: { readonly settings: Settings; readonly preview: (secs: number) => void; readonly save: (secs: number) => Promise<SaveResult> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = { place: PLACE, settings, saved: settings['gateway.retry_wait_secs'], preview, save };
  const draft = useNumberDraft(parts);
  return (
    <div className="hf-wait">
      <Slider className="hf-wait-slider" thumbLabel={t('retry_wait.name')} label={null} min={RANGE.min} max={RANGE.max} step={5} value={draft.value} onChange={draft.follow} onChangeEnd={draft.commit}
        marks={[{ value: RANGE.min, label: t('setting.off') }, { value: DEFAULT_SECS, label: t('retry_wait.default', { secs: format.number(DEFAULT_SECS) }) }, { value: RANGE.max, label: t('unit.s', { n: format.number(RANGE.max) }) }]} />
      <NumberInput draft={draft} parts={parts} name={t('retry_wait.field')} unit="s" off />
      <Refusal draft={draft} parts={parts} unit="s" />
    </div>
  );
}
