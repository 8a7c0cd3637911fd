import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedKey } from '../../../../shared/key.ts';
import { useKeyActions, useKeysInUse } from '../../../data/use-key-actions.ts';
import { useActions } from '../../../data/use-main.ts';
import { Card } from '../../../ui/card.tsx';
import { DeleteDialog } from '../../../ui/delete-dialog.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../../ui/state.tsx';
import { KeyNameDialog } from './key-name-dialog.tsx';
import { KeyRow } from './key-row.tsx';

type Asked = { readonly what: 'add' } | { readonly what: 'rename' | 'rotate' | 'delete'; readonly key: ListedKey };

/** The keys that clients use; none of them is ever shown, copying happens in main. */
export function KeysCard() {
  const { t } = useTranslation();
  const keys = useKeysInUse();
  const actions = useKeyActions();
  const { copy } = useActions();
  const [asked, ask] = useState<Asked | null>(null);
  const close = () => ask(null);
  const run = (action: Promise<unknown>, said?: string) => {
    action.then(() => { if (said !== undefined) notifications.show({ message: said }); }, () => notifications.show({ message: t('state.error_text'), color: 'red' }));
  };
  return (
    <Card title={t('keys.title')} note={<Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} onClick={() => ask({ what: 'add' })}>{t('keys.add')}</Button>}>
      <p className="hf-dim">{t('keys.help')}</p>
      {keys.isError ? <ErrorState again={() => void keys.refetch()} /> : keys.data === undefined ? <LoadingState lines={2} /> : keys.data.length === 0 ? <div className="hf-rules-none"><EmptyState small title={t('keys.empty')}>{t('keys.empty_text')}</EmptyState></div> : (
        <div className="hf-prices hf-keys" tabIndex={0} role="group" aria-label={t('keys.title')}>
          <table>
            <thead><tr><th scope="col">{t('keys.name')}</th><th scope="col">{t('keys.key')}</th><th scope="col">{t('keys.last_used')}</th><th scope="col">{t('keys.enabled')}</th><td /></tr></thead>
            <tbody>
              {keys.data.map((key) => (
                <KeyRow key={key.id} shown={key} now={keys.now} copy={() => copy({ what: 'key', id: key.id })} setDisabled={(disabled) => run(actions.setDisabled(key.id, disabled))}
                  rename={() => ask({ what: 'rename', key })} rotate={() => ask({ what: 'rotate', key })} remove={() => ask({ what: 'delete', key })} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {asked?.what === 'add' && <KeyNameDialog title={t('keys.add_title')} note={t('keys.add_note')} button={t('keys.make')} from="" close={close} save={actions.add} />}
      {asked?.what === 'rename' && <KeyNameDialog title={t('keys.rename_title')} note={t('keys.rename_note')} button={t('keys.rename')} from={asked.key.name} close={close} save={(name) => actions.rename(asked.key.id, name)} />}
      {asked?.what === 'rotate' && <RotateDialog name={asked.key.name} close={close} confirm={() => { close(); run(actions.rotate(asked.key.id), t('keys.rotated', { name: asked.key.name })); }} />}
      {asked?.what === 'delete' && <DeleteDialog opened title={t('keys.delete_title', { name: asked.key.name })} close={close} confirm={() => { close(); run(actions.remove(asked.key.id)); }}><p>{t('keys.delete_text')}</p></DeleteDialog>}
    </Card>
  );
}

function RotateDialog({ name, close, confirm }: { readonly name: string; readonly close: () => void; readonly confirm: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={close} title={t('keys.rotate_title', { name })} size={440} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      <div className="hf-stack">
        <p>{t('keys.rotate_text')}</p>
        <div className="hf-dialog-end">
          <Button onClick={close} data-autofocus>{t('dialog.cancel')}</Button>
          <Button variant="filled" className="hf-danger" onClick={confirm}>{t('keys.rotate')}</Button>
        </div>
      </div>
    </Modal>
  );
}
