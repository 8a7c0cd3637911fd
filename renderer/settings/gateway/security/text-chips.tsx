import { TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../data/use-format.ts';

/** A list of short texts as chips, each with its own way out, and a field for one more. */
export function TextChips({ name, entries, most, placeholder, read, refused, change }: {
  /** Accessible name of the list. */
  readonly name: string;
  readonly entries: readonly string[];
  readonly most: number;
  readonly placeholder: string;
  /** The entry in a typed text, tidied up; null when it is none. */
  readonly read: (text: string) => string | null;
  /** Why a text is none. */
  readonly refused: (given: string) => string;
  /** False when it could not be saved. */
  readonly change: (entries: readonly string[]) => Promise<boolean>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const save = async (next: readonly string[]): Promise<boolean> => {
    const saved = await change(next);
    if (!saved) setRefusal(t('state.error_text'));
    return saved;
  };
  const add = () => {
    const given = text.trim();
    if (given === '') return;
    const entry = read(given);
    if (entry === null) setRefusal(refused(given));
    else if (entries.includes(entry)) setRefusal(t('chips.already', { entry }));
    else if (entries.length >= most) setRefusal(t('statuses.full', { most: format.number(most) }));
    else void save([...entries, entry]).then((saved) => { if (saved) setText(''); });
  };
  return (
    <div>
      <div className="hf-chips" role="group" aria-label={name}>
        {entries.map((entry) => (
          <button key={entry} type="button" className="hf-chip hf-mono" aria-label={t('chips.remove', { entry })} onClick={() => void save(entries.filter((one) => one !== entry))}>{entry}<IconX size={12} aria-hidden /></button>
        ))}
        <TextInput size="xs" w={250} aria-label={t('chips.add_to', { name })} placeholder={placeholder} autoComplete="off" spellCheck={false} maxLength={256} value={text} error={refusal !== null} leftSection={<IconPlus size={12} aria-hidden />} leftSectionWidth={24}
          onChange={(event) => { setText(event.currentTarget.value); setRefusal(null); }} onBlur={add}
          onKeyDown={(event) => {
            if (event.key === 'Enter') { event.preventDefault(); add(); }
            if (event.key === 'Escape' && text !== '') { setText(''); setRefusal(null); event.stopPropagation(); }
          }} />
      </div>
      {refusal !== null && <p role="alert" className="hf-refused">{refusal}</p>}
    </div>
  );
}
