import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportResult } from '../../shared/ipc.ts';
import { useActions } from '../data/use-main.ts';

/** Importing a document: main asks for the file, a toast says what came in, a dialog names every fault. */
export function useImport(): { readonly importDocument: () => void; readonly dialog: ReactNode } {
  const { t } = useTranslation();
  const actions = useActions();
  const [refused, setRefused] = useState<Extract<ImportResult, { kind: 'refused' }> | null>(null);
  const importDocument = () => {
    actions.importDocument().then((result) => {
      if (result.kind === 'refused') setRefused(result);
      if (result.kind === 'imported') notifications.show({ title: t('import.done'), message: t('import.counts', { upstreams: result.upstreams, routes: result.routes, keys: result.keys, settings: result.settings }), color: 'accent' });
    }, () => notifications.show({ message: t('state.error_text'), color: 'red' }));
  };
  const dialog = (
    <Modal opened={refused !== null} onClose={() => setRefused(null)} title={t('import.refused')} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <div className="hf-stack">
        <p className="hf-dim">{t('import.nothing_changed', { file: refused?.file ?? '' })}</p>
        <ul className="hf-faults">{refused?.faults.map((fault) => <li key={`${fault.path} ${fault.message}`}><code className="hf-mono hf-text">{fault.path}</code><span className="hf-text">{fault.message}</span></li>)}</ul>
        <div className="hf-flight-actions"><Button onClick={() => setRefused(null)}>{t('dialog.close')}</Button></div>
      </div>
    </Modal>
  );
  return { importDocument, dialog };
}
