import { Button, Modal, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { DEAREST, MOST_OWN_PRICES, type Price, type PriceSaved } from '../../../shared/prices.ts';
import { useFormat } from '../../data/use-format.ts';
import { draftOf, RATES, readPrice, type PriceDraft, type PriceReading } from './price-draft.ts';

const LONGEST_MODEL = 200;

/** What the editor begins with, and the own price that it replaces. */
export interface PriceTarget { readonly from: Partial<Price>; readonly replaces: string | null }

/** Adds a price or changes one; what is out of range stands at its field, and nothing is saved. */
export function PriceEditor({ target, close, save }: { readonly target: PriceTarget; readonly close: () => void; readonly save: (price: Price, replaces: string | null) => Promise<PriceSaved> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [draft, setDraft] = useState<PriceDraft>(() => draftOf(target.from));
  const [faults, setFaults] = useState<Extract<PriceReading, { ok: false }>['faults']>({});
  const [problem, setProblem] = useState<string | null>(null);
  const change = (field: keyof PriceDraft, value: string) => {
    setDraft({ ...draft, [field]: value });
    setFaults({ ...faults, [field]: undefined });
  };
  const wordsOf = (field: keyof PriceDraft) => faults[field] && t(`prices.fault.${faults[field]}`, { max: format.number(field === 'model' ? LONGEST_MODEL : DEAREST) });
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const reading = readPrice(draft);
    if (!reading.ok) { setFaults(reading.faults); return; }
    const saved = await save(reading.price, target.replaces).catch(() => null);
    if (saved?.ok === true) close();
    else setProblem(saved === null ? t('state.error_text') : t('prices.fault.too_many', { max: format.number(MOST_OWN_PRICES) }));
  };
  return (
    <Modal opened onClose={close} title={t(target.replaces === null ? 'prices.add_title' : 'prices.edit_title')} size={460} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <form className="hf-stack" noValidate onSubmit={(event) => void submit(event)}>
        <TextInput data-autofocus label={t('prices.model')} description={t('prices.model_note')} inputWrapperOrder={['label', 'input', 'description', 'error']} classNames={{ input: 'hf-mono' }} maxLength={LONGEST_MODEL} autoComplete="off" spellCheck={false} value={draft.model} error={wordsOf('model')} onChange={(event) => change('model', event.currentTarget.value)} />
        <div className="hf-price-fields">
          {RATES.map((rate) => (
            <TextInput key={rate} label={t(LABELS[rate])} leftSection="$" inputMode="decimal" autoComplete="off" placeholder={rate === 'cacheRead' || rate === 'cacheWrite' ? t('prices.as_input') : ''} value={draft[rate]} error={wordsOf(rate)} onChange={(event) => change(rate, event.currentTarget.value)} />
          ))}
        </div>
        <p className="hf-dim hf-small">{t('prices.cache_note')}</p>
        {problem !== null && <p role="alert" className="hf-refused">{problem}</p>}
        <div className="hf-dialog-end">
          <Button onClick={close}>{t('dialog.cancel')}</Button>
          <Button type="submit" variant="filled">{t('prices.save')}</Button>
        </div>
      </form>
    </Modal>
  );
}

const LABELS = { input: 'prices.input', output: 'prices.output', cacheRead: 'prices.cache_read', cacheWrite: 'prices.cache_write' } as const;
