import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentFault } from '../../../shared/document.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import type { UpstreamProbe } from '../../../shared/upstream-test.ts';
import { useFormat } from '../../data/use-format.ts';
import { useUpstreamActions } from '../../data/use-upstream-actions.ts';
import { faultWords } from '../../settings/data/fault-words.ts';
import { draftOf, faultsOf, fieldOf, newDraft, toNewUpstream, toUpstreamDraft, type DraftField, type EditorDraft } from './draft.ts';

/** Why fields cannot be saved, in words. */
export type Faults = Partial<Record<DraftField, string>>;

/** The editor's state: what is typed, what is wrong with it, and the way to save it. */
export interface UpstreamForm {
  readonly draft: EditorDraft;
  readonly saved: Upstream | null;
  readonly faults: Faults;
  readonly dirty: boolean;
  readonly saving: boolean;
  /** What a test or a fetch of models is asked with. */
  readonly probe: UpstreamProbe;
  /** Changes a part, and forgives the fault of `field`. */
  readonly change: (part: Partial<EditorDraft>, field?: DraftField) => void;
  /** Answers the upstream as it is saved, or null with the faults shown. */
  readonly save: () => Promise<Upstream | null>;
}

/** Holds the draft of a new upstream, or of one that is saved. */
export function useUpstreamForm(saved: Upstream | null, preset: string): UpstreamForm {
  const { t } = useTranslation();
  const format = useFormat();
  const { add, update } = useUpstreamActions();
  // What it was when the editor opened: a change from elsewhere must not rub out what is being typed.
  const [before] = useState(saved);
  const [start] = useState(() => (saved === null ? newDraft(preset) : draftOf(saved)));
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>({});
  const [saving, setSaving] = useState(false);
  const sending = useRef(false);
  const words = (fault: DocumentFault): string => {
    const field = fieldOf(fault);
    // The window has checked everything else, so these are what only main can know.
    if (field === 'base_url' || field === 'proxy') return t('editor.fault.self');
    if (field === 'headers') return t('editor.fault.header_own', { name: fault.path.replace(/^headers\./, '') });
    if (fault.path === '') return t('editor.fault.gone');
    return `${fault.path}: ${faultWords(fault, t, format)}`;
  };
  const save = async () => {
    const own = faultsOf(draft, before);
    setFaults(Object.fromEntries(Object.entries(own).map(([field, fault]) => [field, t(`editor.fault.${fault}`)])));
    if (Object.keys(own).length > 0 || sending.current) return null;
    sending.current = true;
    setSaving(true);
    try {
      const answer = before === null ? await add(toNewUpstream(draft)) : await update(before.id, toUpstreamDraft(draft, (saved ?? before).enabled));
      if (answer.ok) return answer.upstream;
      setFaults(Object.fromEntries(answer.faults.map((fault) => [fieldOf(fault), words(fault)])));
    } catch {
      setFaults({ form: t('state.error_text') });
    } finally {
      sending.current = false;
      setSaving(false);
    }
    return null;
  };
  const change = (part: Partial<EditorDraft>, field?: DraftField) => {
    setDraft((now) => ({ ...now, ...part }));
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([name]) => name !== 'form' && name !== field)));
  };
  return { draft, saved: before, faults, dirty: draft !== start && JSON.stringify(draft) !== JSON.stringify(start), saving, change, save, probe: { kind: 'draft', id: before?.id ?? null, upstream: toUpstreamDraft(draft, true) } };
}
