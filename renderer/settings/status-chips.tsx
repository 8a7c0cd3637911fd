import { TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';

/** A list of HTTP statuses as chips, each with its own way out, and a field for one more. */
export function StatusChips({ name, statuses, range, most, change }: {
  /** Accessible name of the list. */
  readonly name: string;
  readonly statuses: readonly number[];
  readonly range: { readonly min: number; readonly max: number };
  /** How many there may be. */
  readonly most: number;
  readonly change: (statuses: readonly number[]) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const note = useId();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const bounds = { min: format.number(range.min), max: format.number(range.max) };
  const add = () => {
    const given = text.trim();
    if (given === '') return;
    const status = Number(given);
    if (!Number.isInteger(status) || status < range.min || status > range.max) setRefusal(t('statuses.refused', { given, ...bounds }));
    else if (statuses.includes(status)) setRefusal(t('statuses.already', { status }));
    else if (statuses.length >= most) setRefusal(t('statuses.full', { most: format.number(most) }));
    else {
      change([...statuses, status].sort((a, b) => a - b));
      setText('');
    }
  };
  return (
    <div>
      <div className="hf-chips" role="group" aria-label={name}>
        {statuses.map((status) => (
          <button key={status} type="button" className="hf-chip" aria-label={t('statuses.remove', { status })} onClick={() => change(statuses.filter((one) => one !== status))}>{status}<IconX size={12} aria-hidden /></button>
        ))}
        <TextInput size="xs" w={86} aria-label={t('statuses.add_to', { name })} aria-describedby={note} placeholder={t('statuses.add')} inputMode="numeric" autoComplete="off" value={text} error={refusal !== null} leftSection={<IconPlus size={12} aria-hidden />} leftSectionWidth={24}
          onChange={(event) => { setText(event.currentTarget.value); setRefusal(null); }} onBlur={add}
          onKeyDown={(event) => {
            if (event.key === 'Enter') { event.preventDefault(); add(); }
            if (event.key === 'Escape' && text !== '') { setText(''); setRefusal(null); event.stopPropagation(); }
          }} />
        <span className="hf-dim hf-small" id={note}>{t('setting.range', bounds)}</span>
      </div>
      {refusal !== null && <p role="alert" className="hf-refused">{refusal}</p>}
    </div>
  );
}
