import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { SIMULATED_KINDS, type DryRunCandidate } from '../../../shared/dry-run.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { PresetGlyph } from '../../upstreams/preset-glyph.tsx';
import { answerOf, stepOf, type AnswerStep, type Simulation } from './simulation.ts';

const WITH_NUMBER = ['answer', 'status', 'rate_limited'] as const;
const wantsNumber = (kind: AnswerStep['kind']): kind is (typeof WITH_NUMBER)[number] => (WITH_NUMBER as readonly string[]).includes(kind);

/** What each upstream of the route would do, attempt after attempt; those that take no part say why. `candidates` null: not known yet. */
export function AnswersField({ simulation, upstreams, candidates, change }: { readonly simulation: Simulation; readonly upstreams: readonly Upstream[]; readonly candidates: readonly DryRunCandidate[] | null; readonly change: (answers: Simulation['answers']) => void }) {
  const { t } = useTranslation();
  const places = candidates ?? upstreams.filter((one) => one.enabled).map((one): DryRunCandidate => ({ upstreamId: one.id, name: one.name, model: simulation.model, place: 'candidate', resting: false }));
  const shown = places.filter((one, index) => places.findIndex(({ upstreamId }) => upstreamId === one.upstreamId) === index);
  const others = shown.flatMap(({ upstreamId, name, place }) => (place === 'candidate' ? [] : [{ upstreamId, name, place }]));
  return (
    <div className="hf-stack hf-tight" role="group" aria-label={t('dry_run.answers')}>
      <h3 className="hf-dry-head">{t('dry_run.answers')}</h3>
      {shown.filter((one) => one.place === 'candidate').map((one) => (
        <div key={one.upstreamId} className="hf-dry-upstream">
          <span className="hf-row"><PresetGlyph preset={upstreams.find(({ id }) => id === one.upstreamId)?.preset ?? 'generic'} name={one.name} size={18} /><strong className="hf-cut">{one.name}</strong>{one.resting && <span className="hf-tag hf-tag-amber">{t('dry_run.resting')}</span>}</span>
          <Steps name={one.name} simulation={simulation} steps={simulation.answers[one.upstreamId] ?? [stepOf('answer')]} change={(steps) => change({ ...simulation.answers, [one.upstreamId]: steps })} />
        </div>
      ))}
      {others.length > 0 && (
        <ul className="hf-dry-others hf-dim hf-small">{others.map((one) => <li key={one.upstreamId}>{t('dry_run.takes_no_part', { name: one.name, why: t(`dry_run.place.${one.place}`) })}</li>)}</ul>
      )}
    </div>
  );
}

function Steps({ name, simulation, steps, change }: { readonly name: string; readonly simulation: Simulation; readonly steps: readonly AnswerStep[]; readonly change: (steps: readonly AnswerStep[]) => void }) {
  const { t } = useTranslation();
  const replace = (index: number, step: AnswerStep) => change(steps.with(index, step));
  return (
    <ol className="hf-dry-steps">
      {steps.map((step, index) => {
        const words = { name, n: index + 1 };
        return (
          <li key={index}>
            <Select size="xs" aria-label={t('dry_run.answer_of', words)} allowDeselect={false} maxDropdownHeight={280} data={SIMULATED_KINDS.map((kind) => ({ value: kind, label: t(`dry_run.answer.${kind}`) }))} value={step.kind} onChange={(kind) => { if (kind !== null) replace(index, stepOf(kind)); }} />
            {wantsNumber(step.kind) ? (
              <TextInput size="xs" aria-label={t(`dry_run.number_of.${step.kind}`, words)} title={t(`dry_run.number.${step.kind}`)} inputMode="decimal" placeholder={step.kind === 'rate_limited' ? t('value.none') : ''} value={step.value} error={answerOf(step, simulation.format) === null}
                rightSection={step.kind === 'status' ? null : <span className="hf-dim hf-small">{t('setting.unit.s')}</span>} rightSectionWidth={22} onChange={(event) => replace(index, { ...step, value: event.currentTarget.value })} />
            ) : <span />}
            {steps.length > 1 ? <ActionIcon size="sm" aria-label={t('dry_run.answer_remove', words)} onClick={() => change(steps.toSpliced(index, 1))}><IconX size={13} aria-hidden /></ActionIcon> : <span />}
          </li>
        );
      })}
      <li className="hf-dry-then"><Button size="compact-xs" variant="subtle" leftSection={<IconPlus size={12} aria-hidden />} aria-label={t('dry_run.then_of', { name })} disabled={steps.length >= 20} onClick={() => change([...steps, stepOf('answer')])}>{t('dry_run.then')}</Button><span className="hf-dim hf-small">{t('dry_run.last_goes_on')}</span></li>
    </ol>
  );
}
