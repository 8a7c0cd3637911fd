import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../shared/upstream.ts';
import { useHealth } from '../data/use-main.ts';
import { useNow } from '../data/use-now.ts';
import { useUpstreamActions } from '../data/use-upstream-actions.ts';
import { useReorder } from '../ui/reorder/use-reorder.ts';
import { readHealth } from './health-state.ts';
import { UpstreamRow } from './upstream-row.tsx';

/** All upstreams, one row each; the demo last, where it always is. */
export function UpstreamList({ own, demo, edit, remove }: { readonly own: readonly Upstream[]; readonly demo: Upstream | undefined; readonly edit: (id: string) => void; readonly remove: (upstream: Upstream) => void }) {
  const { t } = useTranslation();
  const health = useHealth();
  const { reorder: send } = useUpstreamActions();
  const commit = useCallback((ids: readonly string[]) => { send(ids).catch(() => undefined); }, [send]);
  const ids = own.map(({ id }) => id);
  const reorder = useReorder(ids, commit);
  const resting = health.data?.some((one) => one.resting) ?? false;
  const now = useNow(1_000, resting);
  const rows = [...reorder.order.flatMap((id) => own.find((one) => one.id === id) ?? []), ...(demo === undefined ? [] : [demo])];
  return (
    <section className="hf-card hf-list-card">
      <div className="hf-up-row hf-up-head" aria-hidden="true"><span /><span /><span>{t('column.upstream')}</span><span>{t('health.title')}</span><span className="hf-num">{t('in_flight.title')}</span><span /></div>
      <ol className="hf-up-list" aria-label={t('upstreams.title')}>
        {rows.map((upstream) => {
          const of = health.data?.find((one) => one.upstreamId === upstream.id);
          return <UpstreamRow key={upstream.id} upstream={upstream} health={of} reading={readHealth(of, now)} now={now} reorder={reorder} canHide={own.length > 0} edit={edit} remove={remove} />;
        })}
      </ol>
    </section>
  );
}
