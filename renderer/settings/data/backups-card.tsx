import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../data/use-format.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/state.tsx';
import { useBackups, useDataActions } from './use-data.ts';

/** The kept backups of the configuration, each with the button that brings it back. */
export function BackupsCard({ restore, openFolder }: { readonly restore: (name: string) => void; readonly openFolder: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { backups, failed, again } = useBackups();
  const { makeBackup } = useDataActions();
  const [making, setMaking] = useState(false);
  const make = () => {
    setMaking(true);
    makeBackup().then(() => notifications.show({ message: t('data.backed_up') }), () => notifications.show({ message: t('data.not_written'), color: 'red' })).finally(() => setMaking(false));
  };
  const buttons = (
    <span className="hf-row">
      <Button size="xs" onClick={openFolder}>{t('data.open_folder')}</Button>
      <Button size="xs" variant="filled" loading={making} onClick={make}>{t('data.back_up')}</Button>
    </span>
  );
  return (
    <Card title={t('data.backups')} note={buttons}>
      <p className="hf-dim">{t('data.backups_text')}</p>
      {failed ? <ErrorState again={again} /> : backups === undefined ? <LoadingState lines={3} /> : backups.length === 0 ? <EmptyState small title={t('data.no_backups')} /> : (
        <div className="hf-prices">
          <table>
            <thead><tr><th scope="col">{t('data.made_at')}</th><th scope="col">{t('data.why')}</th><th scope="col" className="hf-num">{t('data.size')}</th><th scope="col"><span className="hf-hidden">{t('data.restore')}</span></th></tr></thead>
            <tbody>
              {backups.map((backup) => {
                const when = format.second(backup.madeAt);
                return (
                  <tr key={backup.name}>
                    <th scope="row" title={backup.name}>{when}</th>
                    <td>{t(`data.kind.${backup.kind}`)}</td>
                    <td className="hf-num">{format.bytes(backup.sizeBytes)}</td>
                    <td className="hf-price-actions"><Button size="compact-xs" aria-label={t('data.restore_of', { when })} onClick={() => restore(backup.name)}>{t('data.restore')}</Button></td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
