import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { DryRun, DryRunRequest, DryRunStep } from '../../../shared/dry-run.ts';
import { useFormat } from '../../data/use-format.ts';
import type { Formatter } from '../../format.ts';
import { sentenceOf, shortReason } from '../../requests/sentence.ts';
import { TimeLine } from '../../requests/time-line.tsx';
import { rowOf } from './simulation.ts';

/** What would happen: the route, the candidates in order, one sentence, the time line, and every decision with its reason. */
export function DryRunResult({ run, request }: { readonly run: DryRun; readonly request: DryRunRequest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const row = rowOf(run, request);
  const candidates = run.candidates.filter((one) => one.place === 'candidate');
  const asked = candidates.map((one) => (one.model === request.model ? one.name : t('dry_run.asked_for', { name: one.name, model: one.model })));
  return (
    <>
      <p className="hf-row hf-dry-route">
        {run.route === null ? <strong>{t('dry_run.no_route')}</strong> : <><code className="hf-mono">{run.route.pattern}</code><span className="hf-dim">{run.route.id === '*' ? `${t('routes.last_name')} · ` : ''}{t(`strategy.${run.route.strategy}`)}</span></>}
        {asked.length > 0 && <strong>{asked.join(' → ')}</strong>}
      </p>
      <p className="hf-story">{sentenceOf(row, t, format)}</p>
      {run.attempts.length > 0 && <TimeLine row={row} live={undefined} />}
      <h3 className="hf-dry-head">{t('dry_run.decisions')}</h3>
      <ol className="hf-decisions" tabIndex={0} aria-label={t('dry_run.decisions')}>
        {run.steps.map((step, index) => <li key={index} className={`hf-decision-${step.kind}`}><span className="hf-num hf-dim">{format.seconds(step.atMs)}</span><span>{stepWords(step, t, format)}</span></li>)}
      </ol>
    </>
  );
}

/** One decision in words. */
export function stepWords(step: DryRunStep, t: TFunction, format: Formatter): string {
  switch (step.kind) {
    case 'attempt': return t(step.bypass ? 'dry_run.step.attempt_bypass' : 'dry_run.step.attempt', { n: format.number(step.n), upstream: step.upstream, model: step.model });
    case 'failed': return t(`dry_run.step.${step.then}`, { upstream: step.upstream, what: shortReason(step, t) });
    case 'pause': return t('dry_run.step.pause', { ms: format.duration(step.endsMs - step.atMs), reason: t(`pause.reason.${step.reason}`), retry: format.number(step.retry), upstreams: format.list(step.upstreams) });
    case 'released': return t('dry_run.step.released', { upstream: step.upstream });
    case 'end': return endWords(step, t);
  }
}

function endWords(step: Extract<DryRunStep, { kind: 'end' }>, t: TFunction): string {
  if (step.outcome === 'success') return t('dry_run.step.success', { status: step.status });
  const reason = step.giveUp === null ? '' : t(`give_up.${step.giveUp}`);
  const words = reason === '' ? t('dry_run.step.end', { outcome: t(`outcome.${step.outcome}`), status: step.status }) : t('dry_run.step.gave_up', { reason, status: step.status });
  return step.message === null ? words : `${words} “${step.message}”`;
}
