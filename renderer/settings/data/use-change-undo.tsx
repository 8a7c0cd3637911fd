import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { UNDO_MS } from '../../../shared/upstream-edits.ts';
import { useDataActions } from './use-data.ts';

const ID = 'data change';

/** Says in a toast what was changed in one go, and takes it back when asked to in time. */
export function useChangeUndo(): (message: string, undo: string | null) => void {
  const { t } = useTranslation();
  const { undo: takeBack } = useDataActions();
  return useCallback((message, undo) => {
    const fail = (words: string) => notifications.show({ message: words, color: 'red' });
    const back = () => {
      notifications.hide(ID);
      if (undo === null) return;
      takeBack(undo).then((done) => {
        if (done === 'restored') notifications.show({ message: t('data.undone') });
        else fail(t(done === 'expired' ? 'undo.expired' : 'data.undo_changed'));
      }, () => fail(t('state.error_text')));
    };
    notifications.hide(ID);
    notifications.show({
      // A little less than it can be taken back, so that the button never fails its promise.
      id: ID, withCloseButton: undo === null, autoClose: undo === null ? 8_000 : UNDO_MS - 3_000,
      message: undo === null ? message : <span className="hf-saved"><span>{message}</span><Button size="compact-xs" onClick={back}>{t('setting.undo')}</Button></span>,
    });
  }, [t, takeBack]);
}
