import { notifications } from '@mantine/notifications';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentOpening } from '../../../shared/data.ts';
import { ImportDialog, type OpenedDocument } from './import-dialog.tsx';
import { useChangeUndo } from './use-change-undo.tsx';
import { useDataActions } from './use-data.ts';

/** Taking over a document or a backup: main asks for the file, a dialog shows what would change or every fault, a toast takes it back. */
export function useImport(): { readonly importDocument: () => void; readonly openBackup: (name: string) => void; readonly dialog: ReactNode } {
  const { t } = useTranslation();
  const actions = useDataActions();
  const say = useChangeUndo();
  const [opened, setOpened] = useState<OpenedDocument | null>(null);
  const failed = () => notifications.show({ message: t('state.error_text'), color: 'red' });
  const show = (opening: DocumentOpening) => { if (opening.kind !== 'cancelled') setOpened(opening); };
  const begin = (asked: Promise<DocumentOpening>) => { asked.then(show, failed); };
  const close = () => {
    if (opened !== null && 'token' in opened) actions.forget(opened.token);
    setOpened(null);
  };
  const apply = async (token: string) => {
    try {
      const done = await actions.apply(token);
      if (done.kind === 'refused') setOpened(done);
      else setOpened(null);
      if (done.kind === 'gone') failed();
      if (done.kind === 'applied') say(t(done.preview.mode === 'replace' ? 'data.restored' : 'data.imported'), done.undo);
    } catch {
      setOpened(null);
      notifications.show({ message: t('data.not_written'), color: 'red' });
    }
  };
  const unlock = async (token: string, password: string) => {
    const answer = await actions.unlock(token, password).catch(() => null);
    if (answer === null || answer.kind === 'gone') {
      setOpened(null);
      failed();
      return true;
    }
    if (answer.kind === 'wrong_password') return false;
    show(answer);
    return true;
  };
  return {
    importDocument: () => begin(actions.open()),
    openBackup: (name) => begin(actions.openBackup(name)),
    dialog: <ImportDialog opened={opened} close={close} apply={apply} unlock={unlock} />,
  };
}
