import { Autocomplete, SegmentedControl, Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { Route } from '../../../shared/route.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { useHealth } from '../../data/use-main.ts';
import { useDryRun, useRoutePreview } from '../../data/use-route-actions.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/state.tsx';
import { AnswersField } from './answers-field.tsx';
import { DryRunResult } from './dry-run-result.tsx';
import { firstSimulation, requestOf, type Simulation } from './simulation.ts';

/** Shows what would happen to a request: nothing is sent, and every change is answered at once (SPEC 9.6). */
export function DryRunCard({ routes, upstreams, settings }: { readonly routes: readonly Route[]; readonly upstreams: readonly Upstream[]; readonly settings: Settings }) {
  const { t } = useTranslation();
  const lately = useRoutePreview('*', null);
  const known = useMemo(() => [...new Set([...(lately.data?.map(({ model }) => model) ?? []), ...upstreams.flatMap(({ models }) => models).filter((model) => !model.includes('*')), ...routes.map(({ pattern }) => pattern).filter((pattern) => !pattern.includes('*'))])], [lately.data, upstreams, routes]);
  const [chosen, setChosen] = useState<Simulation | null>(null);
  // Until something is chosen it follows what is known: the model asked for last.
  const simulation = chosen ?? firstSimulation(upstreams, known[0] ?? (upstreams.some((one) => one.preset === 'demo') ? 'demo/ok' : ''));
  const change = (part: Partial<Simulation>) => setChosen({ ...simulation, ...part });
  const request = requestOf(simulation);
  const health = useHealth();
  const run = useDryRun(request, [routes, upstreams, settings, simulation.health === 'present' ? health.data : null]);
  return (
    <Card title={t('dry_run.title')} note={<span className="hf-dim">{t('dry_run.note')}</span>}>
      <div className="hf-dry">
        <div className="hf-stack hf-dry-form">
          <Autocomplete label={t('column.model')} spellCheck={false} data={known} limit={50} value={simulation.model} onChange={(model) => change({ model })} />
          <div className="hf-two">
            <Select label={t('dry_run.format')} allowDeselect={false} data={FORMAT_NAMES.map((value) => ({ value, label: t(`format.${value}`) }))} value={simulation.format} onChange={(format) => { if (format !== null) change({ format }); }} />
            <Select label={t('dry_run.health')} allowDeselect={false} data={(['fresh', 'present'] as const).map((value) => ({ value, label: t(`dry_run.health_${value}`) }))} value={simulation.health} onChange={(health) => { if (health !== null) change({ health }); }} />
          </div>
          <SegmentedControl size="xs" aria-label={t('dry_run.streamed')} value={simulation.streamed ? 'streamed' : 'whole'} data={[{ value: 'streamed', label: t('fact.streamed') }, { value: 'whole', label: t('fact.whole') }]} onChange={(value) => change({ streamed: value === 'streamed' })} />
          <AnswersField simulation={simulation} upstreams={upstreams} candidates={run.data?.candidates ?? null} change={(answers) => change({ answers })} />
        </div>
        <div className="hf-dry-result" aria-live="polite">
          {request === null ? <EmptyState title={t(simulation.model.trim() === '' ? 'dry_run.no_model' : 'dry_run.bad_number')}>{t('dry_run.no_model_text')}</EmptyState>
            : run.isError ? <ErrorState again={() => void run.refetch()} />
            : run.data === undefined ? <LoadingState lines={6} />
            : <DryRunResult run={run.data} request={request} />}
        </div>
      </div>
    </Card>
  );
}
