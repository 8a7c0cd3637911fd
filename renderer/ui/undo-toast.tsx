import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { UNDO_MS, type Restored } from '../../shared/upstream-edits.ts';

/** Says in a toast what was removed, and takes it back when asked to in time. */
export function useUndoToast(): (id: string, message: string, undo: () => Promise<Restored>) => void {
  const { t } = useTranslation();
  return useCallback((id, message, undo) => {
    const back = () => {
      notifications.hide(id);
      const fail = (words: string) => notifications.show({ message: words, color: 'red' });
      undo().then((restored) => { if (restored !== 'restored') fail(t(`undo.${restored}`)); }, () => fail(t('state.error_text')));
    };
    // A little less than it can be taken back, so that the button never fails its promise.
    notifications.show({
      id, withCloseButton: false, autoClose: UNDO_MS - 3_000,
      message: <span className="hf-saved"><span>{message}</span><Button size="compact-xs" onClick={back}>{t('setting.undo')}</Button></span>,
    });
  }, [t]);
}
