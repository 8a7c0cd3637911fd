import { Button, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RESETS, type Reset } from '../../../shared/data.ts';
import { Card } from '../../ui/card.tsx';
import { useChangeUndo } from './use-change-undo.tsx';
import { useDataActions } from './use-data.ts';

/** The ways back to the beginning; each asks, and those that take much away want a word typed. */
export function ResetCard() {
  const { t } = useTranslation();
  const { reset } = useDataActions();
  const say = useChangeUndo();
  const [asked, ask] = useState<Reset | null>(null);
  // Stays while the dialog fades away.
  const [last, setLast] = useState<Reset>('settings');
  if (asked !== null && asked !== last) setLast(asked);
  const confirm = async () => {
    if (asked === null) return;
    try {
      const done = await reset(asked);
      say(t(`data.reset_done.${asked}`), done.undo);
    } catch {
      // The largest one goes in steps, and what is gone stays gone.
      notifications.show({ message: t(asked === 'everything' ? 'data.reset_partly' : 'data.not_written'), color: 'red' });
    }
    ask(null);
  };
  return (
    <Card title={t('data.reset_title')}>
      <div className="hf-data-resets">
        {RESETS.map((what) => (
          <div key={what} className="hf-setting">
            <div><h3>{t(`data.reset.${what}`)}</h3><p className="hf-dim">{t(`data.reset_text.${what}`)}</p></div>
            <div><Button className="hf-danger-soft" aria-label={t(`data.reset.${what}`)} onClick={() => ask(what)}>{t('data.reset_button')}</Button></div>
          </div>
        ))}
      </div>
      <Modal opened={asked !== null} onClose={() => ask(null)} title={t(`data.reset_ask.${last}`)} size={460} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
        {asked !== null && <Confirm what={asked} close={() => ask(null)} confirm={confirm} />}
      </Modal>
    </Card>
  );
}

function Confirm({ what, close, confirm }: { readonly what: Reset; readonly close: () => void; readonly confirm: () => Promise<void> }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const word = t('data.reset_word');
  const ready = what === 'settings' || typed.trim().toLowerCase() === word.toLowerCase();
  const send = () => {
    if (!ready) return;
    setBusy(true);
    void confirm();
  };
  return (
    <form className="hf-stack" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <p>{t(`data.reset_text.${what}`)}</p>
      <p className="hf-dim">{t(what === 'everything' ? 'data.reset_final' : 'data.reset_backed_up')}</p>
      {what !== 'settings' && <TextInput label={t('data.reset_type', { word })} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" data-autofocus />}
      <div className="hf-dialog-end">
        <Button onClick={close}>{t('dialog.cancel')}</Button>
        <Button type="submit" variant="filled" className="hf-danger" disabled={!ready} loading={busy}>{t('data.reset_button')}</Button>
      </div>
    </form>
  );
}
