import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowRight, IconDotsVertical, IconLock, IconPencil, IconTrash } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Route, Strategy } from '../../shared/route.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { useFormat } from '../data/use-format.ts';
import { useRouteActions } from '../data/use-route-actions.ts';
import { DragHandle } from '../ui/reorder/drag-handle.tsx';
import { useReorder, type Reorder } from '../ui/reorder/use-reorder.ts';
import { policyWords } from './policy-words.ts';
import { takenWholeBy } from './reach.ts';

/** The routes in the order they are tried; the one that always exists stands last and cannot be moved. `strategy` is that of the settings. */
export function RouteList({ routes, upstreams, strategy, edit, remove }: { readonly routes: readonly Route[]; readonly upstreams: readonly Upstream[]; readonly strategy: Strategy; readonly edit: (id: string) => void; readonly remove: (route: Route) => void }) {
  const { t } = useTranslation();
  const { reorder: send } = useRouteActions();
  const commit = useCallback((ids: readonly string[]) => { send(ids).catch(() => undefined); }, [send]);
  const reorder = useReorder(routes.map(({ id }) => id), commit);
  const ordered = reorder.order.flatMap((id) => routes.find((one) => one.id === id) ?? []);
  return (
    <section className="hf-card hf-list-card">
      <div className="hf-route-row hf-up-head" aria-hidden="true"><span /><span>{t('route.pattern')}</span><span>{t('route.strategy')}</span><span>{t('route.candidates')}</span><span>{t('route.policy')}</span><span /></div>
      {routes.length === 0 && <p className="hf-list-note"><strong>{t('routes.empty_title')}</strong> {t('routes.empty_text')}</p>}
      <ol className="hf-up-list" aria-label={t('page.routes')}>
        {ordered.map((route, place) => <RouteRow key={route.id} route={route} takenBy={takenWholeBy(ordered, place)} upstreams={upstreams} reorder={reorder} edit={edit} remove={remove} />)}
        <LastRoute routes={ordered} upstreams={upstreams} strategy={strategy} />
      </ol>
    </section>
  );
}

function RouteRow({ route, takenBy, upstreams, reorder, edit, remove }: { readonly route: Route; readonly takenBy: Route | null; readonly upstreams: readonly Upstream[]; readonly reorder: Reorder; readonly edit: (id: string) => void; readonly remove: (route: Route) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, pattern } = route;
  return (
    <li ref={reorder.itemRef(id)} className={`hf-route-row${reorder.dragging === id ? ' hf-dragged' : ''}`}>
      <DragHandle reorder={reorder} id={id} name={pattern} />
      <span className="hf-route-pattern">
        <button type="button" className="hf-up-name hf-mono hf-cut" onClick={() => edit(id)} aria-label={t('routes.edit_of', { pattern })}>{pattern}</button>
        {takenBy !== null && <span className="hf-tag hf-tag-amber" title={t('routes.never_reached_by', { pattern: takenBy.pattern })}>{t('routes.never_reached')}</span>}
      </span>
      <span title={t(`strategy.help.${route.strategy}`)}>{t(`strategy.${route.strategy}`)}</span>
      {route.candidates.length === 0 ? <span className="hf-row"><span className="hf-tag hf-tag-amber">{t('routes.no_candidate')}</span></span> : (
        <ol className="hf-candidates">
          {route.candidates.map(({ upstream: which, model, weight }, index) => {
            const upstream = upstreams.find((one) => one.id === which);
            return (
              <li key={index} className={upstream?.enabled === true ? undefined : 'hf-up-off'}>
                <span className="hf-candidate-name hf-cut">{upstream?.name ?? which}</span>
                {model !== null && <><IconArrowRight size={13} aria-label={t('route.asked_for')} /><code className="hf-mono hf-cut" title={model}>{model}</code></>}
                {route.strategy === 'weighted' && <span className="hf-weight" title={t('route.weight_of', { n: format.number(weight ?? 1) })}>{t('route.weight_short', { n: format.number(weight ?? 1) })}</span>}
                {upstream?.enabled === false && <span className="hf-tag">{t('upstreams.off')}</span>}
              </li>
            );
          })}
        </ol>
      )}
      <span className={route.policy === null ? 'hf-dim' : undefined}>{policyWords(route.policy, t, format)}</span>
      <Menu position="bottom-end" width={150}>
        <Menu.Target><ActionIcon aria-label={t('row.more', { name: pattern })}><IconDotsVertical size={16} aria-hidden /></ActionIcon></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => edit(id)}>{t('row.edit')}</Menu.Item>
          <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={() => remove(route)}>{t('row.delete')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** The route that always exists (SPEC 9.1): everything nobody else took, to all enabled upstreams in their order. */
function LastRoute({ routes, upstreams, strategy }: { readonly routes: readonly Route[]; readonly upstreams: readonly Upstream[]; readonly strategy: Strategy }) {
  const { t } = useTranslation();
  const format = useFormat();
  const takenBy = takenWholeBy(routes, routes.length);
  const enabled = upstreams.filter((one) => one.enabled);
  return (
    <li className="hf-route-row hf-route-last">
      <span className="hf-grip-none" title={t('routes.last_fixed')}><IconLock size={14} stroke={1.8} aria-label={t('routes.last_fixed')} /></span>
      <span className="hf-route-pattern"><code className="hf-mono">*</code><span className="hf-dim">{t('routes.last_name')}</span>{takenBy !== null && <span className="hf-tag hf-tag-amber" title={t('routes.never_reached_by', { pattern: takenBy.pattern })}>{t('routes.never_reached')}</span>}</span>
      <span title={t(`strategy.help.${strategy}`)}>{t(`strategy.${strategy}`)}</span>
      <span><span className="hf-dim">{t('routes.last_text')}</span><span className="hf-last-names">{enabled.length === 0 ? t('routes.last_none') : format.series(enabled.map(({ name }) => name))}</span></span>
      <span className="hf-dim">{t('route.as_settings')}</span>
      <span />
    </li>
  );
}
