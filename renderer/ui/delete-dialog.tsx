import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Asks before something is deleted, and says what goes with it. */
export function DeleteDialog({ opened, title, close, confirm, children }: { readonly opened: boolean; readonly title: string; readonly close: () => void; readonly confirm: () => void; readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Modal opened={opened} onClose={close} title={title} size={440} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <div className="hf-stack">
        {children}
        <div className="hf-flight-actions">
          <Button onClick={close} data-autofocus>{t('dialog.cancel')}</Button>
          <Button variant="filled" className="hf-danger" onClick={confirm}>{t('dialog.delete')}</Button>
        </div>
      </div>
    </Modal>
  );
}
