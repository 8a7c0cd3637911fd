import { Button, Checkbox, Modal, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SHORTEST_PASSWORD } from '../../../shared/data.ts';
import { useDataActions } from './use-data.ts';

/** Asks whether the secrets go along, and for the password they are encrypted with; then main asks for the file. */
export function ExportDialog({ opened, close }: { readonly opened: boolean; readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened={opened} onClose={close} title={t('data.export_title')} size={480} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      {/* Built anew each time, so that no password stays in the page. */}
      {opened && <ExportForm close={close} />}
    </Modal>
  );
}

function ExportForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { exportDocument } = useDataActions();
  const [withSecrets, setWithSecrets] = useState(false);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const tooShort = withSecrets && password.length < SHORTEST_PASSWORD;
  const differs = withSecrets && password !== again;
  const send = async () => {
    setTried(true);
    if (tooShort || differs) return;
    setBusy(true);
    try {
      const done = await exportDocument(withSecrets ? password : null);
      if (done.kind === 'cancelled') return setBusy(false);
      close();
      if (done.kind === 'failed') notifications.show({ title: t('data.export_failed'), message: t(`export.failed.${done.reason}`), color: 'red' });
      else {
        const unread = done.unreadable.length === 0 ? '' : ` ${t('data.export_unreadable', { names: done.unreadable.join(', ') })}`;
        notifications.show({ title: t('data.exported'), message: `${withSecrets ? t('data.exported_secrets', { count: done.secrets, file: done.file }) : t('data.exported_plain', { file: done.file })}${unread}` });
      }
    } catch {
      close();
      notifications.show({ message: t('state.error_text'), color: 'red' });
    }
  };
  return (
    <form className="hf-stack" onSubmit={(event) => { event.preventDefault(); void send(); }}>
      <p className="hf-dim">{t('data.export_text')}</p>
      <Checkbox label={t('data.with_secrets')} description={t('data.with_secrets_help')} checked={withSecrets} onChange={(event) => setWithSecrets(event.currentTarget.checked)} />
      {withSecrets && (
        <>
          <PasswordInput label={t('data.password')} description={t('data.password_new', { count: SHORTEST_PASSWORD })} value={password} onChange={(event) => setPassword(event.currentTarget.value)} error={tried && tooShort ? t('data.password_short', { count: SHORTEST_PASSWORD }) : undefined} autoComplete="off" />
          <PasswordInput label={t('data.password_again')} value={again} onChange={(event) => setAgain(event.currentTarget.value)} error={tried && differs ? t('data.password_differs') : undefined} autoComplete="off" />
        </>
      )}
      <div className="hf-dialog-end">
        <Button onClick={close}>{t('dialog.cancel')}</Button>
        <Button type="submit" variant="filled" loading={busy}>{t('data.export')}</Button>
      </div>
    </form>
  );
}
