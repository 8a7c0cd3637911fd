import { ActionIcon, Button, Menu, Switch } from '@mantine/core';
import { IconDotsVertical, IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { useFormat } from '../data/use-format.ts';
import { useUpstreamActions } from '../data/use-upstream-actions.ts';
import { DragHandle } from '../ui/reorder/drag-handle.tsx';
import type { Reorder } from '../ui/reorder/use-reorder.ts';
import type { HealthReading } from './health-state.ts';
import { HealthTag, LastErrorLine, ResetButton, RestLines } from './health-tag.tsx';
import { PresetGlyph } from './preset-glyph.tsx';

interface RowFacts {
  readonly upstream: Upstream;
  readonly health: UpstreamHealth | undefined;
  readonly reading: HealthReading;
  /** Ms since 1970. */
  readonly now: number;
}

/** One upstream: who, what it speaks, how it does, and its controls. */
export function UpstreamRow({ upstream, health, reading, now, reorder, canHide, edit, remove }: RowFacts & { readonly reorder: Reorder; /** Whether the demo can be put away. */ readonly canHide: boolean; readonly edit: (id: string) => void; readonly remove: (upstream: Upstream) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { setEnabled } = useUpstreamActions();
  const { id, name, preset, enabled } = upstream;
  const isDemo = preset === 'demo';
  const inFlight = health?.inFlight ?? 0;
  return (
    <li ref={isDemo ? undefined : reorder.itemRef(id)} className={`hf-up-row${reorder.dragging === id ? ' hf-dragged' : ''}${enabled ? '' : ' hf-up-off'}`}>
      {isDemo ? <span /> : <DragHandle reorder={reorder} id={id} name={name} />}
      <PresetGlyph preset={preset} name={name} />
      <div className="hf-up-who">
        <span className="hf-row">
          {isDemo ? <strong className="hf-cut">{name}</strong> : <button type="button" className="hf-up-name hf-cut" onClick={() => edit(id)} aria-label={t('upstreams.edit_of', { name })}>{name}</button>}
          {isDemo && <span className="hf-tag hf-tag-accent">{t('upstreams.demo')}</span>}
        </span>
        <span className="hf-dim hf-small hf-cut" title={upstream.models.join(', ')}>{format.series(upstream.formats.map((one) => t(`format.${one}`)))}</span>
        <span className="hf-dim hf-small hf-cut" title={upstream.baseUrl}>{isDemo ? t('upstreams.demo_note') : format.commas([modelWords(upstream), credentialWords(upstream)])}</span>
      </div>
      <div className="hf-up-health">
        <span className="hf-row"><HealthTag reading={reading} enabled={enabled} now={now} />{enabled && reading.until !== null && <ResetButton upstream={upstream} />}</span>
        <span className="hf-up-lines hf-dim hf-small">{enabled && <RestLines reading={reading} most={3} />}<LastErrorLine health={health} /></span>
      </div>
      <span className={inFlight === 0 ? 'hf-num hf-faint' : 'hf-num'}><span className="hf-hidden">{t('in_flight.title')} </span>{upstream.maxInFlight === 0 ? format.number(inFlight) : t('upstreams.of_cap', { n: format.number(inFlight), cap: format.number(upstream.maxInFlight) })}</span>
      <span className="hf-row hf-up-controls">
        {isDemo ? canHide && <HideDemo /> : (
          <>
            <Switch size="sm" withThumbIndicator={false} checked={enabled} aria-label={t('upstreams.enable', { name })} onChange={(event) => { void setEnabled(id, event.currentTarget.checked); }} />
            <RowMenu name={name} edit={() => edit(id)} remove={() => remove(upstream)} />
          </>
        )}
      </span>
    </li>
  );

  function modelWords({ models }: Upstream): string {
    return models.length === 0 ? t('upstreams.any_model') : models.length <= 2 ? format.series(models) : t('upstreams.models', { count: models.length });
  }

  function credentialWords({ credential }: Upstream): string {
    return credential.kind === 'stored' ? credential.hint : credential.kind === 'env' ? `env:${credential.name}` : t(`upstreams.credential_${credential.kind}`);
  }
}

function RowMenu({ name, edit, remove }: { readonly name: string; readonly edit: () => void; readonly remove: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={150}>
      <Menu.Target><ActionIcon aria-label={t('row.more', { name })}><IconDotsVertical size={16} aria-hidden /></ActionIcon></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={edit}>{t('row.edit')}</Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={remove}>{t('row.delete')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function HideDemo() {
  const { t } = useTranslation();
  const { showDemo } = useUpstreamActions();
  return <Button size="compact-xs" leftSection={<IconEyeOff size={13} aria-hidden />} onClick={() => void showDemo(false)}>{t('upstreams.demo_hide')}</Button>;
}
