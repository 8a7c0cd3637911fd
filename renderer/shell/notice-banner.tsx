import { Button } from '@mantine/core';
import { IconDatabaseExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DataNotice } from '../../shared/data.ts';
import { useNotices } from '../data/use-notices.ts';

/** What was wrong with the stored data at the start and what was done about it (SPEC 15); nothing while all was well. */
export function NoticeBanner() {
  const { t } = useTranslation();
  const { notices, dismiss, openFolder } = useNotices();
  if (notices.length === 0) return null;
  return (
    <div className="hf-notices">
      <div className="hf-banner hf-banner-amber" role="alert">
        <IconDatabaseExclamation size={20} stroke={1.8} aria-hidden />
        <div>
          <h2>{t('native.notice.message')}</h2>
          <ul>{notices.map((notice) => <li key={JSON.stringify(notice)}><NoticeLine notice={notice} /></li>)}</ul>
        </div>
        <span className="hf-row">
          {notices.some(({ kind }) => kind === 'corrupt_set_aside') && <Button onClick={openFolder}>{t('data.open_folder')}</Button>}
          <Button onClick={dismiss}>{t('native.notice.close')}</Button>
        </span>
      </div>
    </div>
  );
}

function NoticeLine({ notice }: { readonly notice: DataNotice }) {
  const { t } = useTranslation();
  switch (notice.kind) {
    case 'corrupt_set_aside': return <>{t('native.notice.corrupt_set_aside')} <span className="hf-mono hf-text">{notice.file}</span></>;
    case 'setting_repaired': return <>{t('native.notice.setting_repaired', { key: notice.key })}</>;
    case 'entry_unreadable': return <>{t(`native.notice.entry_unreadable_${notice.part}`, { id: notice.id })}</>;
    case 'key_unreadable': return <>{t('native.notice.key_unreadable', { name: notice.name })}</>;
  }
}
