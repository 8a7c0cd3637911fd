import { ActionIcon, Autocomplete, Button, Input, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useCallback, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Upstream } from '../../../shared/upstream.ts';
import { DragHandle } from '../../ui/reorder/drag-handle.tsx';
import { useReorder } from '../../ui/reorder/use-reorder.ts';
import { withCandidate, type CandidateDraft, type RouteEdit } from './route-draft.ts';

/** Who is asked, in which order, and for which model. */
export function CandidatesField({ edit, upstreams, fault, change }: { readonly edit: RouteEdit; readonly upstreams: readonly Upstream[]; readonly fault: string | undefined; readonly change: (part: Pick<RouteEdit, 'candidates'>) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const { candidates } = edit;
  const commit = useCallback((keys: readonly string[]) => change({ candidates: keys.flatMap((key) => candidates.find((one) => one.key === key) ?? []) }), [change, candidates]);
  const reorder = useReorder(candidates.map(({ key }) => key), commit);
  const set = (key: string, part: Partial<CandidateDraft>) => change({ candidates: candidates.map((one) => (one.key === key ? { ...one, ...part } : one)) });
  const nameOf = (which: string) => upstreams.find((one) => one.id === which)?.name ?? which;
  const weighted = edit.strategy === 'weighted';
  return (
    <div className="hf-stack hf-tight" role="group" aria-labelledby={id}>
      <Input.Label id={id} component="span">{t('route.candidates')}</Input.Label>
      <ol className="hf-stack hf-tight">
        {reorder.order.flatMap((key) => candidates.find((one) => one.key === key) ?? []).map((one, index) => {
          const known = upstreams.find(({ id: which }) => which === one.upstream)?.models.filter((model) => !model.includes('*')) ?? [];
          const words = { n: index + 1 };
          return (
            <li key={one.key} ref={reorder.itemRef(one.key)} className={`hf-candidate-line${weighted ? ' hf-weighted' : ''}${reorder.dragging === one.key ? ' hf-dragged' : ''}`}>
              <DragHandle reorder={reorder} id={one.key} name={nameOf(one.upstream)} />
              <Select aria-label={t('route.candidate_upstream', words)} allowDeselect={false} data={upstreams.map(({ id: value, name }) => ({ value, label: name }))} value={one.upstream} onChange={(upstream) => { if (upstream !== null) set(one.key, { upstream }); }} />
              <Autocomplete aria-label={t('route.candidate_model', words)} placeholder={t('route.model_as_asked')} spellCheck={false} data={[...new Set(known)]} limit={50} value={one.model} onChange={(model) => set(one.key, { model })} />
              {weighted && <TextInput aria-label={t('route.candidate_weight', words)} placeholder="1" inputMode="numeric" value={one.weight} onChange={(event) => set(one.key, { weight: event.currentTarget.value })} />}
              <ActionIcon aria-label={t('route.candidate_remove', words)} onClick={() => change({ candidates: candidates.filter(({ key }) => key !== one.key) })}><IconX size={15} aria-hidden /></ActionIcon>
            </li>
          );
        })}
      </ol>
      {fault !== undefined && <p role="alert" className="hf-refused hf-small">{fault}</p>}
      <div className="hf-row"><Button size="compact-xs" leftSection={<IconPlus size={13} aria-hidden />} disabled={upstreams.length === 0} onClick={() => change({ candidates: withCandidate(edit, upstreams).candidates })}>{t('route.candidate_add')}</Button>
        <span className="hf-dim hf-small">{t(weighted ? 'route.weights_note' : 'route.candidates_note')}</span></div>
    </div>
  );
}
