import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { useAboutActions } from './use-about.ts';

/** The diagnostics bundle: collected, shown as it is, and only then saved. */
export function DiagnosticsCard() {
  const { t } = useTranslation();
  const { collect, save } = useAboutActions();
  const [text, setText] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const failed = () => notifications.show({ message: t('state.error_text'), color: 'red' });
  const show = () => {
    setBusy(true);
    collect().then((bundle) => { setText(bundle.text); setOpened(true); }, failed).finally(() => setBusy(false));
  };
  const write = () => {
    setBusy(true);
    save().then((done) => {
      if (done.kind === 'cancelled') return;
      setOpened(false);
      if (done.kind === 'written') notifications.show({ title: t('about.saved'), message: done.file });
      else notifications.show({ title: t('about.not_saved'), message: t(`export.failed.${done.reason}`), color: 'red' });
    }, failed).finally(() => setBusy(false));
  };
  return (
    <Card title={t('about.diagnostics')} note={<Button size="xs" loading={busy && !opened} onClick={show}>{t('about.collect')}</Button>}>
      <p className="hf-dim">{t('about.diagnostics_text')}</p>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('about.diagnostics')} size={760} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
        <div className="hf-stack">
          <p className="hf-dim">{t('about.stays_here')}</p>
          <pre className="hf-mono hf-diagnostics" tabIndex={0} aria-label={t('about.diagnostics')}>{text}</pre>
          <div className="hf-dialog-end">
            <Button onClick={() => setOpened(false)}>{t('dialog.cancel')}</Button>
            <Button variant="filled" loading={busy} onClick={write}>{t('about.save')}</Button>
          </div>
        </div>
      </Modal>
    </Card>
  );
}
