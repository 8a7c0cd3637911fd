import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clearable } from '../../../shared/contents.ts';
import type { LogStatus } from '../../../shared/log-status.ts';
import { useFormat } from '../../data/use-format.ts';
import { useAppInfo } from '../../data/use-main.ts';
import { Card } from '../../ui/card.tsx';
import { DeleteDialog } from '../../ui/delete-dialog.tsx';
import { LoadingState } from '../../ui/state.tsx';
import { useLogUpkeep } from './use-log-upkeep.ts';

/** How large the log is, where it lies, what of it was lost, and buttons that clear it. */
export function OnDiskCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const info = useAppInfo();
  const { status, clearing, clear } = useLogUpkeep();
  const [asked, ask] = useState<Clearable | null>(null);
  // Stays while the dialog fades away.
  const [last, setLast] = useState<Clearable>('bodies');
  if (asked !== null && asked !== last) setLast(asked);
  const confirm = () => {
    ask(null);
    if (asked === null) return;
    clear(asked).then(() => notifications.show({ message: t(`logs.cleared_${asked}`) }), () => notifications.show({ message: t('logs.not_cleared'), color: 'red' }));
  };
  return (
    <Card title={t('logs.on_disk')}>
      <p className="hf-dim">{t('logs.masked')}</p>
      {status === undefined ? <LoadingState lines={2} /> : (
        <dl className="hf-facts hf-on-disk">
          <div><dt>{t('logs.size_now')}</dt><dd className="hf-text">{format.bytes(status.sizeBytes)}</dd></div>
          {info.data && <div><dt>{t('logs.place')}</dt><dd className="hf-mono hf-text">{info.data.dataDir}</dd></div>}
          <div><dt>{t('logs.losses')}</dt><dd className="hf-text"><Losses status={status} /></dd></div>
        </dl>
      )}
      <div className="hf-on-disk-buttons">
        {(['bodies', 'all'] as const).map((what) => (
          <Button key={what} size="xs" loading={clearing === what} disabled={clearing !== null && clearing !== what} onClick={() => ask(what)}>{t(`logs.clear_${what}`)}</Button>
        ))}
      </div>
      <DeleteDialog opened={asked !== null} title={t(`logs.ask_${last}`)} close={() => ask(null)} confirm={confirm}><p>{t(`logs.ask_${last}_text`)}</p></DeleteDialog>
    </Card>
  );
}

function Losses({ status }: { readonly status: LogStatus }) {
  const { t } = useTranslation();
  const { rowsLost, bodiesLost, refusedNotWritten, waiting } = status;
  const lines = [
    ...(waiting ? [t('logs.waiting')] : []),
    ...(rowsLost > 0 ? [t('logs.rows_lost', { count: rowsLost })] : []),
    ...(bodiesLost > 0 ? [t('logs.bodies_lost', { count: bodiesLost })] : []),
    ...(refusedNotWritten > 0 ? [t('logs.refused', { count: refusedNotWritten })] : []),
  ];
  return lines.length === 0 ? t('logs.nothing_lost') : <>{lines.map((line) => <div key={line}>{line}</div>)}</>;
}
