import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderName } from '../../../shared/data.ts';
import { useAppInfo } from '../../data/use-main.ts';
import { BackupsCard } from './backups-card.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ResetCard } from './reset-card.tsx';
import { useDataActions } from './use-data.ts';
import { useImport } from './use-import.tsx';

/** The configuration out into a file and in again, its backups, the data folder, and the ways back to the beginning. */
export function DataSection() {
  const { t } = useTranslation();
  const info = useAppInfo();
  const { importDocument, openBackup, dialog } = useImport();
  const { openFolder } = useDataActions();
  const [exporting, setExporting] = useState(false);
  const show = (folder: FolderName) => {
    openFolder(folder).catch(() => false).then((opened) => { if (!opened) notifications.show({ message: t('data.folder_not_opened'), color: 'red' }); }, () => undefined);
  };
  return (
    <div className="hf-stack">
      <section className="hf-card">
        <Line title={t('data.export_line')} text={t('data.export_line_text')}><Button onClick={() => setExporting(true)}>{t('data.export_open')}</Button></Line>
        <Line title={t('data.import_line')} text={t('data.import_line_text')}><Button onClick={importDocument}>{t('data.import_open')}</Button></Line>
        <Line title={t('general.data_dir')} text={<span className="hf-mono hf-text">{info.data?.dataDir}</span>}><Button onClick={() => show('data')}>{t('data.open_folder')}</Button></Line>
      </section>
      <BackupsCard restore={openBackup} openFolder={() => show('backups')} />
      <ResetCard />
      <ExportDialog opened={exporting} close={() => setExporting(false)} />
      {dialog}
    </div>
  );
}

function Line({ title, text, children }: { readonly title: string; readonly text: React.ReactNode; readonly children: React.ReactNode }) {
  return (
    <div className="hf-setting">
      <div><h2>{title}</h2><p className="hf-dim">{text}</p></div>
      <div>{children}</div>
    </div>
  );
}
