import { Button, Modal, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LONGEST_KEY_NAME, type KeySaved } from '../../../../shared/key.ts';

/** Asks for the name of a key; what is wrong with it stands at its field. */
export function KeyNameDialog({ title, note, button, from, close, save }: { readonly title: string; readonly note: string; readonly button: string; readonly from: string; readonly close: () => void; readonly save: (name: string) => Promise<KeySaved> }) {
  const { t } = useTranslation();
  const [name, setName] = useState(from);
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const saved = await save(name).catch(() => null);
    if (saved?.ok === true) close();
    else setRefusal(saved === null ? t('state.error_text') : t(`keys.fault.${saved.reason}`, { max: LONGEST_KEY_NAME }));
  };
  return (
    <Modal opened onClose={close} title={title} size={420} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <form className="hf-stack" noValidate onSubmit={(event) => void submit(event)}>
        <TextInput data-autofocus label={t('keys.name')} description={note} inputWrapperOrder={['label', 'input', 'error', 'description']} autoComplete="off" spellCheck={false} maxLength={LONGEST_KEY_NAME} value={name} error={refusal} onChange={(event) => { setName(event.currentTarget.value); setRefusal(null); }} />
        <div className="hf-dialog-end">
          <Button onClick={close}>{t('dialog.cancel')}</Button>
          <Button type="submit" variant="filled">{button}</Button>
        </div>
      </form>
    </Modal>
  );
}
