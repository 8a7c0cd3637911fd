import { Button, Drawer, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resolvePolicy } from '../../../shared/backoff.ts';
import { RETRY_PRESETS } from '../../../shared/policy.ts';
import { STRATEGIES, type Route } from '../../../shared/route.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { useFormat } from '../../data/use-format.ts';
import { useRouteActions } from '../../data/use-route-actions.ts';
import { faultWords } from '../../settings/data/fault-words.ts';
import { scheduleWords } from '../../settings/gateway/routing-strategy/schedule-words.ts';
import { CloseQuestion, useCloseGuard, type CloseGuard } from '../../ui/close-guard.tsx';
import { CandidatesField } from './candidates-field.tsx';
import { PatternField } from './pattern-field.tsx';
import { editOf, newRoute, policyOf, routeFaults, routeFieldOf, toRouteDraft, type RouteEdit, type RouteField } from './route-draft.ts';

/** What the editor is opened for. */
export type RouteTarget = { readonly kind: 'new' } | { readonly kind: 'saved'; readonly id: string };

interface World { readonly routes: readonly Route[]; readonly upstreams: readonly Upstream[]; readonly settings: Settings }

/** Adds or edits one route; null shows nothing. */
export function RouteEditor({ target, close, remove, ...world }: World & { readonly target: RouteTarget | null; readonly close: () => void; readonly remove: (route: Route) => void }) {
  const { t } = useTranslation();
  const guard = useCloseGuard(close);
  const saved = target?.kind === 'saved' ? world.routes.find((one) => one.id === target.id) ?? null : null;
  // Deleted elsewhere meanwhile: nothing is left to edit.
  const opened = target !== null && (target.kind === 'new' || saved !== null);
  return (
    <Drawer opened={opened} onClose={guard.ask} position="right" size={540} lockScroll={false} title={t(saved === null ? 'route.add_title' : 'route.edit_title')} closeButtonProps={{ 'aria-label': t('dialog.close') }}>
      {opened && <RouteForm key={saved?.id ?? 'new'} saved={saved} guard={guard} remove={remove} {...world} />}
    </Drawer>
  );
}

function RouteForm({ saved, guard, remove, upstreams, routes, settings }: World & { readonly saved: Route | null; readonly guard: CloseGuard; readonly remove: (route: Route) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { save: send } = useRouteActions();
  const [start] = useState(() => (saved === null ? newRoute(settings['gateway.strategy'], upstreams) : editOf(saved)));
  const [edit, setEdit] = useState(start);
  const [faults, setFaults] = useState<Partial<Record<RouteField, string>>>({});
  const [saving, setSaving] = useState(false);
  const { follow } = guard;
  useEffect(() => follow(JSON.stringify(edit) !== JSON.stringify(start)));
  const change = (part: Partial<RouteEdit>, field?: RouteField) => {
    setEdit({ ...edit, ...part });
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== 'form' && name !== field)));
  };
  const save = async () => {
    const own = routeFaults(edit);
    setFaults(Object.fromEntries(Object.entries(own).map(([field, fault]) => [field, t(`route.fault.${fault}`)])));
    if (Object.keys(own).length > 0) return;
    setSaving(true);
    try {
      const answer = await send(toRouteDraft(edit, saved));
      if (!answer.ok) return setFaults(Object.fromEntries(answer.faults.map((fault) => [routeFieldOf(fault), routeFieldOf(fault) === 'candidates' ? t('route.fault.upstream_gone') : `${fault.path}: ${faultWords(fault, t, format)}`])));
      notifications.show({ message: t(saved === null ? 'route.added' : 'route.saved', { pattern: answer.route.pattern }), color: 'accent', autoClose: 4_000 });
      guard.leave();
    } catch {
      setFaults({ form: t('state.error_text') });
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className="hf-editor" noValidate autoComplete="off" onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <div className="hf-stack">
        <PatternField pattern={edit.pattern} id={saved?.id ?? null} routes={routes} fault={faults.pattern} change={(pattern) => change({ pattern }, 'pattern')} />
        <Select label={t('route.strategy')} allowDeselect={false} data={STRATEGIES.map((value) => ({ value, label: t(`strategy.${value}`) }))} value={edit.strategy} onChange={(strategy) => { if (strategy !== null) change({ strategy }, 'candidates'); }}
          description={t(`strategy.help.${edit.strategy}`)} inputWrapperOrder={['label', 'input', 'error', 'description']} />
        <CandidatesField edit={edit} upstreams={upstreams} fault={faults.candidates} change={(next) => change(next, 'candidates')} />
        <div className="hf-two">
          <Select label={t('route.policy')} allowDeselect={false} data={(['settings', ...RETRY_PRESETS] as const).map((value) => ({ value, label: value === 'settings' ? t('route.as_settings') : t(`pace.${value}`) }))} value={edit.preset} onChange={(preset) => { if (preset !== null) change({ preset }, 'policy'); }} />
          {edit.preset !== 'settings' && edit.preset !== 'off' && <TextInput label={t('retry_wait.name')} inputMode="numeric" placeholder={t('route.wait_as_settings', { secs: format.number(settings['gateway.retry_wait_secs']) })} rightSection={<span className="hf-dim">{t('setting.unit.s')}</span>} value={edit.waitSecs} onChange={(event) => change({ waitSecs: event.currentTarget.value }, 'policy')} error={faults.policy} />}
        </div>
        <p className="hf-dim hf-small hf-under">{'policy' in routeFaults(edit) ? '' : scheduleWords(resolvePolicy(settings, policyOf(edit, saved)), t, format).when}</p>
        {faults.form !== undefined && <p role="alert" className="hf-refused">{faults.form}</p>}
      </div>
      <footer className="hf-editor-foot">
        {guard.asking ? <CloseQuestion guard={guard} /> : (
          <>
            {saved !== null && <Button variant="subtle" className="hf-danger-text" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => { guard.leave(); remove(saved); }}>{t('row.delete')}</Button>}
            <span className="hf-spring" />
            <Button onClick={guard.ask}>{t('dialog.cancel')}</Button>
            <Button type="submit" variant="filled" loading={saving}>{t(saved === null ? 'routes.add' : 'editor.save')}</Button>
          </>
        )}
      </footer>
    </form>
  );
}
