import { Switch, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../data/use-format.ts';

/** Range of the example, seconds. */
const MIN_SECS = 0.1;
const MAX_SECS = 3_600;

/** Lets the chart show what a Retry-After of so many seconds would do. Nothing is saved. `show` hears milliseconds, null for none. */
export function HintExample({ shownMs, show }: { readonly shownMs: number | null; readonly show: (hintMs: number | null) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const note = useId();
  const [text, setText] = useState('5');
  const secs = text.trim() === '' ? Number.NaN : Number(text);
  const valid = secs >= MIN_SECS && secs <= MAX_SECS;
  const type = (next: string) => {
    setText(next);
    const read = next.trim() === '' ? Number.NaN : Number(next);
    if (read >= MIN_SECS && read <= MAX_SECS) show(Math.round(read * 1_000));
  };
  return (
    <div className="hf-hint-example">
      <Switch size="xs" checked={shownMs !== null} label={t('schedule.example')} onChange={(event) => show(event.currentTarget.checked ? Math.round((valid ? secs : 5) * 1_000) : null)} />
      <TextInput size="xs" w={84} aria-label={t('schedule.example_secs')} aria-describedby={note} inputMode="decimal" autoComplete="off" value={text} error={!valid} onChange={(event) => type(event.currentTarget.value)}
        rightSection={<span className="hf-dim">{t('setting.unit.s')}</span>} rightSectionWidth={34} rightSectionPointerEvents="none" />
      <span className={valid ? 'hf-dim hf-small' : 'hf-refused hf-small'} id={note}>{t('setting.range', { min: format.number(MIN_SECS), max: format.number(MAX_SECS) })}</span>
    </div>
  );
}
