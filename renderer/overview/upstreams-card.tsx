import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { useFormat } from '../data/use-format.ts';
import { useHealth, useUpstreams } from '../data/use-main.ts';
import { useNow } from '../data/use-now.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { UpstreamEditor, type EditorTarget } from '../upstreams/editor/upstream-editor.tsx';
import { readHealth } from '../upstreams/health-state.ts';
import { HealthTag, LastErrorLine, ResetButton, RestLines } from '../upstreams/health-tag.tsx';

/** More than these are counted: the page of the upstreams has them all. */
const MOST_SHOWN = 6;

/** How the upstreams do, in the order they are asked: state, figures of the last hour, the last error, and the way to wake a resting one. */
export function UpstreamsCard({ canAdd, all }: { readonly canAdd: boolean; readonly all: () => void }) {
  const { t } = useTranslation();
  const upstreams = useUpstreams();
  const health = useHealth();
  const now = useNow(1_000, health.data?.some((one) => one.resting) ?? false);
  const [adding, setAdding] = useState<EditorTarget | null>(null);
  const note = (
    <span className="hf-row">
      <button type="button" className="hf-linkish hf-small" onClick={all}>{t('upstreams.all')}</button>
      {canAdd && <Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} onClick={() => setAdding({ kind: 'new', preset: 'anthropic' })}>{t('first.add')}</Button>}
    </span>
  );
  return (
    <Card title={t('upstreams.title')} note={note}>
      {upstreams.isError ? <ErrorState again={() => void upstreams.refetch()} />
        : !upstreams.data ? <LoadingState lines={3} />
        : upstreams.data.length === 0 ? <EmptyState title={t('upstreams.empty_title')}>{t('upstreams.empty_text')}</EmptyState>
        : <ol className="hf-ups">{upstreams.data.slice(0, MOST_SHOWN).map((upstream) => <UpstreamLine key={upstream.id} upstream={upstream} health={health.data?.find((one) => one.upstreamId === upstream.id)} now={now} />)}{upstreams.data.length > MOST_SHOWN && <li className="hf-dim hf-small">{t('upstreams.more', { count: upstreams.data.length - MOST_SHOWN })}</li>}</ol>}
      <UpstreamEditor target={adding} close={() => setAdding(null)} />
    </Card>
  );
}

function UpstreamLine({ upstream, health, now }: { readonly upstream: Upstream; readonly health: UpstreamHealth | undefined; readonly now: number }) {
  const { t } = useTranslation();
  const reading = readHealth(health, now);
  return (
    <li>
      <span className="hf-row">
        <strong className="hf-cut">{upstream.name}</strong>
        {upstream.preset === 'demo' && <span className="hf-tag hf-tag-accent">{t('upstreams.demo')}</span>}
        <HealthTag reading={reading} enabled={upstream.enabled} now={now} />
      </span>
      {upstream.enabled && reading.until !== null ? <ResetButton upstream={upstream} /> : <span />}
      {upstream.enabled && reading.standing !== 'unknown' && <Figures health={health} />}
      <span className="hf-up-lines hf-dim hf-small hf-ups-wide">{upstream.enabled && <RestLines reading={reading} most={1} />}<LastErrorLine health={health} /></span>
    </li>
  );
}

/** Of the last hour: the share that answered, the share of answers that needed a retry, the median time to first content. */
function Figures({ health }: { readonly health: UpstreamHealth | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (health === undefined || health.attempts === 0) return <span className="hf-dim hf-small hf-ups-wide">{t('health.quiet')}</span>;
  return (
    <span className="hf-figures hf-small hf-ups-wide">
      {health.successShare !== null && <span title={t('health.success_note', { attempts: format.number(health.attempts) })}>{t('health.success', { share: format.percent(health.successShare) })}</span>}
      {health.retriedShare !== null && <span className={health.retriedShare > 0 ? 'hf-amber' : undefined}>{t('health.retried', { share: format.percent(health.retriedShare) })}</span>}
      {health.firstContentMs !== null && <span title={t('health.first_content_note')}>{t('health.first_content', { ms: format.duration(health.firstContentMs) })}</span>}
    </span>
  );
}
