import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../shared/upstream.ts';
import { useFormat } from '../data/use-format.ts';
import { useUpstreams } from '../data/use-main.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { AddUpstreamDialog } from './add-upstream-dialog.tsx';
import { useImport } from './use-import.tsx';

/** The upstreams in the order they are asked, with what each speaks and how it is paid for. */
export function UpstreamsCard({ canAdd }: { readonly canAdd: boolean }) {
  const { t } = useTranslation();
  const upstreams = useUpstreams();
  const [adding, setAdding] = useState(false);
  const { importDocument, dialog } = useImport();
  const note = canAdd && <span className="hf-row"><button type="button" className="hf-linkish hf-small" onClick={importDocument}>{t('upstreams.import')}</button><Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} onClick={() => setAdding(true)}>{t('first.add')}</Button></span>;
  return (
    <Card title={t('upstreams.title')} note={note}>
      {upstreams.isError ? <ErrorState again={() => void upstreams.refetch()} />
        : !upstreams.data ? <LoadingState lines={3} />
        : upstreams.data.length === 0 ? <EmptyState title={t('upstreams.empty_title')}>{t('upstreams.empty_text')}</EmptyState>
        : <ol className="hf-ups">{upstreams.data.map((upstream) => <UpstreamLine key={upstream.id} upstream={upstream} />)}</ol>}
      <AddUpstreamDialog opened={adding} close={() => setAdding(false)} />
      {dialog}
    </Card>
  );
}

function UpstreamLine({ upstream }: { readonly upstream: Upstream }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { credential } = upstream;
  const paid = credential.kind === 'stored' ? credential.hint : credential.kind === 'env' ? `env:${credential.name}` : t(`upstreams.credential_${credential.kind}`);
  return (
    <li>
      <div>
        <span className="hf-row">
          <strong className="hf-cut">{upstream.name}</strong>
          {upstream.preset === 'demo' && <span className="hf-tag hf-tag-accent">{t('upstreams.demo')}</span>}
          {!upstream.enabled && <span className="hf-tag">{t('upstreams.off')}</span>}
        </span>
        <div className="hf-dim hf-small hf-cut" title={upstream.baseUrl}>{format.series(upstream.formats.map((name) => t(`format.${name}`)))}</div>
      </div>
      <span className={credential.kind === 'stored' || credential.kind === 'env' ? 'hf-dim hf-mono hf-num' : 'hf-dim hf-num'}>{paid}</span>
    </li>
  );
}
