import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { useUpstreams } from '../../../data/use-main.ts';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/state.tsx';
import { UpstreamEditor, type EditorTarget } from '../../../upstreams/editor/upstream-editor.tsx';
import { PresetGlyph } from '../../../upstreams/preset-glyph.tsx';
import { NumberLine } from '../../number-line.tsx';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';

/** How large a request may be, and how many each upstream may have in flight. */
export function LimitsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveWithUndo();
  const upstreams = useUpstreams();
  const [target, setTarget] = useState<EditorTarget | null>(null);
  const own = upstreams.data?.filter((one) => one.preset !== 'demo') ?? [];
  return (
    <div className="hf-stack">
      <section className="hf-card"><NumberLine setting="gateway.max_body_mb" settings={settings} save={save} unit="mib" title={t('limits.body')} help={t('limits.body_help')} /></section>
      <Card title={t('limits.caps')}>
        <p className="hf-dim">{t('limits.caps_help')}</p>
        {own.length === 0 ? <EmptyState small title={t('upstreams.empty_title')} /> : (
          <ul className="hf-caps">
            {own.map(({ id, name, preset, maxInFlight }) => (
              <li key={id}>
                <PresetGlyph preset={preset} name={name} size={22} /><span className="hf-cut hf-spring">{name}</span>
                <span className={maxInFlight === 0 ? 'hf-dim' : undefined}>{maxInFlight === 0 ? t('editor.no_cap') : t('editor.cap_of', { n: format.number(maxInFlight) })}</span>
                <Button size="compact-xs" aria-label={t('upstreams.edit_of', { name })} onClick={() => setTarget({ kind: 'saved', id, more: true })}>{t('row.edit')}</Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <UpstreamEditor target={target} close={() => setTarget(null)} />
    </div>
  );
}
