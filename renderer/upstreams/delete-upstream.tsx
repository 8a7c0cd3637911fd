import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../shared/upstream.ts';
import { useUpstreamActions } from '../data/use-upstream-actions.ts';
import { DeleteDialog } from '../ui/delete-dialog.tsx';
import { LoadingState } from '../ui/state.tsx';
import { useUndoToast } from '../ui/undo-toast.tsx';

/** Deletes an upstream after a question that names the routes it is in; a toast takes it back. Null asks nothing. */
export function DeleteUpstream({ upstream, close }: { readonly upstream: Upstream | null; readonly close: () => void }) {
  const { t } = useTranslation();
  const { remove, restore } = useUpstreamActions();
  const undoToast = useUndoToast();
  // Stays while the dialog fades away.
  const [last, setLast] = useState(upstream);
  if (upstream !== null && upstream !== last) setLast(upstream);
  const name = last?.name ?? '';
  const confirm = () => {
    close();
    if (upstream === null) return;
    remove(upstream.id).then((removed) => {
      if (removed.kind === 'removed') undoToast(`removed ${upstream.id}`, t('undo.removed', { name: upstream.name }), () => restore(removed.undo));
    }, () => notifications.show({ message: t('state.error_text'), color: 'red' }));
  };
  return (
    <DeleteDialog opened={upstream !== null} title={t('upstreams.delete_title', { name })} close={close} confirm={confirm}>
      {last !== null && <Uses id={last.id} asking={upstream !== null} />}
    </DeleteDialog>
  );
}

function Uses({ id, asking }: { readonly id: string; readonly asking: boolean }) {
  const { t } = useTranslation();
  const { usedBy } = useUpstreamActions();
  const uses = useQuery({ queryKey: ['upstreams.used_by', id], queryFn: () => usedBy(id), enabled: asking, staleTime: 0, gcTime: 0 });
  if (uses.isPending) return <LoadingState lines={1} />;
  const routes = uses.data ?? [];
  return (
    <>
      <p>{t('upstreams.delete_text')}</p>
      {routes.length > 0 && (
        <div>
          <p>{t('upstreams.delete_routes', { count: routes.length })}</p>
          <ul className="hf-uses">
            {routes.map((route) => <li key={route.id}><code className="hf-mono">{route.pattern}</code>{route.only && <span className="hf-tag hf-tag-amber">{t('upstreams.delete_only')}</span>}</li>)}
          </ul>
        </div>
      )}
    </>
  );
}
