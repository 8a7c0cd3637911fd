import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../shared/settings.ts';
import { useFormat } from '../data/use-format.ts';
import { rangeOf, shownOf, type NumberPlace } from './number-place.ts';
import { useNumberDraft, type NumberDraft, type NumberDraftParts } from './use-number-draft.ts';

/** The unit a number is shown in. */
export type ShownUnit = 's' | 'd' | 'percent' | 'mib' | 'none' | 'port';

/** The default of a number among the settings, stored units. */
export function defaultOf(place: NumberPlace): number {
  const whole: unknown = defaultSettings()[place.key];
  return Number(place.field === null ? whole : (whole as Readonly<Record<string, unknown>>)[place.field]);
}

/** Field, range and, when it is not at its default, the way back; under them why a value is refused. */
export function NumberField({ name, unit, off = false, disabled = false, ...parts }: NumberDraftParts & {
  readonly name: string;
  readonly unit: ShownUnit;
  /** 0 turns the thing off, and is allowed also below the range. */
  readonly off?: boolean;
  readonly disabled?: boolean;
}) {
  const draft = useNumberDraft(parts);
  return (
    <div className="hf-number">
      <NumberInput draft={draft} parts={parts} name={name} unit={unit} off={off} disabled={disabled} />
      <Refusal draft={draft} parts={parts} unit={unit} />
    </div>
  );
}

/** The field in one line with its range, without the refusal. */
export function NumberInput({ draft, parts: { place, saved }, name, unit, off = false, disabled = false }: { readonly draft: NumberDraft; readonly parts: NumberDraftParts; readonly name: string; readonly unit: ShownUnit; readonly off?: boolean; readonly disabled?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useUnitWords();
  const note = useId();
  const bare = unit === 'none' || unit === 'port';
  const range = rangeOf(place);
  const say = (value: number) => (unit === 'port' ? String(value) : format.number(shownOf(place, value)));
  const values = { min: say(range.min), max: say(range.max) };
  const first = defaultOf(place);
  const back = t('setting.default_of', { name, value: words(unit, shownOf(place, first)) });
  return (
    <div className="hf-number-line">
      <TextInput aria-label={name} aria-describedby={note} inputMode="decimal" autoComplete="off" w={bare ? 76 : 96} value={draft.text} disabled={disabled} error={draft.refusal !== null}
        {...(!bare && { rightSection: <span className="hf-dim">{t(`setting.unit.${unit}`)}</span>, rightSectionWidth: 44, rightSectionPointerEvents: 'none' as const })}
        onChange={(event) => draft.type(event.currentTarget.value)} onBlur={() => draft.commit()} onKeyDown={draft.onKeyDown} />
      <span className="hf-dim hf-small" id={note}>{off && range.min > 0 ? t('setting.range_or_off', values) : t('setting.range', values)}</span>
      {off && draft.value === 0 && draft.refusal === null && <span className="hf-tag">{t('setting.off')}</span>}
      {!disabled && (saved !== first || draft.value !== first) && <ActionIcon size="sm" aria-label={back} title={back} onClick={() => { draft.follow(first); draft.commit(first); }}><IconRestore size={15} aria-hidden /></ActionIcon>}
    </div>
  );
}

/** Why a value was refused, and the way back to the one in force. */
export function Refusal({ draft, parts: { place, saved }, unit }: { readonly draft: NumberDraft; readonly parts: NumberDraftParts; readonly unit: ShownUnit }) {
  const { t } = useTranslation();
  const words = useUnitWords();
  if (draft.refusal === null) return null;
  return <p role="alert" className="hf-refused">{draft.refusal} <Button size="compact-xs" variant="subtle" onClick={() => draft.follow(saved)}>{t('setting.keep', { value: words(unit, shownOf(place, saved)) })}</Button></p>;
}

/** Says a shown number with its unit. */
export function useUnitWords(): (unit: ShownUnit, shown: number) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (unit, shown) => (unit === 's' || unit === 'd' ? t(`unit.${unit}`, { n: format.number(shown) }) : unit === 'percent' ? format.percent(shown / 100) : unit === 'mib' ? t('unit.mib', { n: format.number(shown) }) : unit === 'port' ? String(shown) : format.number(shown));
}
