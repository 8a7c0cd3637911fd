import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../shared/upstream.ts';
import { useUpstreams } from '../data/use-main.ts';
import { useUpstreamActions } from '../data/use-upstream-actions.ts';
import { useImport } from '../settings/data/use-import.tsx';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { PageHead } from '../ui/card.tsx';
import { ErrorState, LoadingState } from '../ui/state.tsx';
import { DeleteUpstream } from './delete-upstream.tsx';
import { UpstreamEditor, type EditorTarget } from './editor/upstream-editor.tsx';
import { FirstUpstream } from './first-upstream.tsx';
import { UpstreamList } from './upstream-list.tsx';

/** The upstreams in the order they are asked: put in order, switched, edited, tested, deleted. */
export function UpstreamsPage() {
  const { t } = useTranslation();
  const upstreams = useUpstreams();
  const [target, setTarget] = useState<EditorTarget | null>(null);
  const [deleting, setDeleting] = useState<Upstream | null>(null);
  const { importDocument, dialog } = useImport();
  const own = upstreams.data?.filter((one) => one.preset !== 'demo') ?? [];
  const demo = upstreams.data?.find((one) => one.preset === 'demo');
  const add = (preset: string) => setTarget({ kind: 'new', preset });
  return (
    <div className="hf-page">
      <div className="hf-page-top">
        <PageHead title={t('page.upstreams')}>{t('upstreams.line')}</PageHead>
        {own.length > 0 && (
          <div className="hf-row">
            <Button leftSection={<IconFileImport size={14} aria-hidden />} onClick={importDocument}>{t('upstreams.import')}</Button>
            <Button variant="filled" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => add('anthropic')}>{t('first.add')}</Button>
          </div>
        )}
      </div>
      <GatewayBanner />
      {upstreams.isError ? <section className="hf-card"><ErrorState again={() => void upstreams.refetch()} /></section>
        : upstreams.data === undefined ? <section className="hf-card"><LoadingState lines={5} /></section>
        : (
          <div className="hf-stack">
            {own.length === 0 && <FirstUpstream add={add} importDocument={importDocument} />}
            {upstreams.data.length > 0 && <UpstreamList own={own} demo={demo} edit={(id) => setTarget({ kind: 'saved', id })} remove={setDeleting} />}
            {demo === undefined && own.length > 0 && <HiddenDemo />}
          </div>
        )}
      <UpstreamEditor target={target} close={() => setTarget(null)} remove={(upstream) => { setTarget(null); setDeleting(upstream); }} />
      <DeleteUpstream upstream={deleting} close={() => setDeleting(null)} />
      {dialog}
    </div>
  );
}

function HiddenDemo() {
  const { t } = useTranslation();
  const { showDemo } = useUpstreamActions();
  return (
    <p className="hf-dim hf-small">
      {t('upstreams.demo_hidden')} <button type="button" className="hf-linkish hf-small" onClick={() => void showDemo(true)}>{t('upstreams.demo_show')}</button>
    </p>
  );
}
