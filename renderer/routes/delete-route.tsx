import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Route } from '../../shared/route.ts';
import { useRouteActions } from '../data/use-route-actions.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';

/** Deletes a route after a question; a toast takes it back. Null asks nothing. */
export function DeleteRoute({ route, close }: { readonly route: Route | null; readonly close: () => void }) {
  const { t } = useTranslation();
  const { remove, restore } = useRouteActions();
  const undoToast = useUndoToast();
  // Stays while the dialog fades away.
  const [last, setLast] = useState(route);
  if (route !== null && route !== last) setLast(route);
  const confirm = () => {
    close();
    if (route === null) return;
    remove(route.id).then((removed) => {
      if (removed.kind === 'removed') undoToast(`removed route ${route.id}`, t('undo.removed', { name: route.pattern }), () => restore(removed.undo));
    }, () => notifications.show({ message: t('state.error_text'), color: 'red' }));
  };
  return (
    <DeleteDialog opened={route !== null} title={t('routes.delete_title', { pattern: last?.pattern ?? '' })} close={close} confirm={confirm}>
      <p>{t('routes.delete_text')}</p>
    </DeleteDialog>
  );
}
