import type { ChangeUndone, DocumentPreview } from '../../shared/data.ts';
import type { DocumentFault } from '../../shared/document.ts';
import { writeBackup } from './backup.ts';
import { applyChange, type ConfigurationChange, type ConfigurationState } from './configuration-state.ts';
import { checkDocument } from './document-check.ts';
import { crowdedFaults, planDocument, type DocumentPlan, type TakeOver } from './document-plan.ts';
import type { DocumentSecrets } from './document-secrets.ts';
import { faultOf } from './fault-words.ts';
import type { Memory } from './memory.ts';
import type { Removals } from './removals.ts';
import type { SecretBox } from './secret-box.ts';

/** How an import went: the numbers are of entries the document names. */
export type ImportOutcome =
  | {
      readonly kind: 'imported'; readonly settings: number; readonly upstreams: number; readonly routes: number; readonly keys: number;
      readonly preview: DocumentPreview;
      /** Path of the backup made before. */
      readonly backup: string;
      /** Takes it back for half a minute. */
      readonly undo: string;
    }
  | { readonly kind: 'refused'; readonly faults: readonly DocumentFault[] };

/** What a document would change; `locked`: it has secrets, and they were not given. */
export type PreviewOutcome =
  | { readonly kind: 'ready'; readonly preview: DocumentPreview; readonly sealed: string | null }
  | { readonly kind: 'refused'; readonly faults: readonly DocumentFault[] };

export interface ImportParts {
  readonly memory: Memory;
  readonly secretBox: SecretBox;
  readonly removals: Removals;
  readonly dataDir: string;
  readonly anyPort: boolean;
  utc(): number;
}

/** A document with what was encrypted in it, and how it is taken over. */
export interface GivenDocument { readonly input: unknown; readonly secrets: DocumentSecrets | null; readonly mode: TakeOver }

/** Reads the text of a document. A text that is no JSON is one fault, told by its place: the text itself may hold secrets. */
export function parseDocumentText(text: string): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly faults: readonly DocumentFault[] } {
  try {
    return { ok: true, input: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? Number.NaN);
    const lines = Number.isNaN(offset) ? null : text.slice(0, offset).split('\n');
    return { ok: false, faults: [faultOf('', 'not_json', lines === null ? {} : { line: lines.length, column: (lines.at(-1) ?? '').length + 1 })] };
  }
}

/** Says what a document would change; changes nothing. */
export function previewDocument({ memory, secretBox, anyPort, utc }: ImportParts, { input, secrets, mode }: GivenDocument): PreviewOutcome {
  const state = memory.state();
  const checked = checkDocument(input, baseOf(state, mode), anyPort, secrets);
  if (!checked.ok) return { kind: 'refused', faults: checked.faults };
  const plan = planDocument(checked.document, secrets, mode, state, secretBox, utc());
  const crowded = crowdedFaults(plan, state);
  return crowded.length > 0 ? { kind: 'refused', faults: crowded } : { kind: 'ready', preview: plan.preview, sealed: checked.document.sealed };
}

/** Takes over a document all or nothing, in one transaction, after a backup (SPEC 18.2). In force when it resolves; rejects when the disk refuses, and then nothing has changed. */
export async function importDocument(parts: ImportParts, { input, secrets, mode }: GivenDocument): Promise<ImportOutcome> {
  const { memory, secretBox, anyPort, removals } = parts;
  const done = await memory.change<Extract<ImportOutcome, { kind: 'refused' }> | TakenOver>(async (state) => {
    const checked = checkDocument(input, baseOf(state, mode), anyPort, secrets);
    if (!checked.ok) return { change: null, answer: { kind: 'refused', faults: checked.faults } };
    const { document } = checked;
    const plan = planDocument(document, secrets, mode, state, secretBox, parts.utc());
    const crowded = crowdedFaults(plan, state);
    if (crowded.length > 0) return { change: null, answer: { kind: 'refused', faults: crowded } };
    const backup = await writeBackup(parts.dataDir, state, parts.utc(), 'before');
    return {
      change: { ...plan.change, ...removals.condemned(state, plan.drop) },
      secrets: { put: plan.put, drop: [] },
      answer: {
        kind: 'imported', plan, backup, before: state,
        counts: { settings: Object.keys(document.settings).length, upstreams: document.upstreams.length, routes: document.routes?.length ?? 0, keys: document.keys.length },
      },
    };
  });
  if (done.kind === 'refused') return done;
  const { plan, before, backup, counts } = done;
  return { kind: 'imported', ...counts, preview: plan.preview, backup, undo: keepUndo(removals, before, plan.change, plan.drop, plan.put.map(({ id }) => id)) };
}

/** An import that is in force. */
interface TakenOver {
  readonly kind: 'imported';
  readonly plan: DocumentPlan;
  readonly backup: string;
  readonly before: ConfigurationState;
  readonly counts: Pick<Extract<ImportOutcome, { kind: 'imported' }>, 'settings' | 'upstreams' | 'routes' | 'keys'>;
}

/** A way back to the configuration `before` a change, for half a minute and as long as nobody edits what the change touched. */
export function keepUndo(removals: Removals, before: ConfigurationState, change: ConfigurationChange, drop: readonly string[], put: readonly string[]): string {
  const after = applyChange(before, change);
  const undo = removals.keep({
    id: '', secretIds: drop, newSecretIds: put,
    restore: (state) => {
      const touched = (['upstreams', 'routes'] as const).some((part) => change[part] !== undefined && state[part] !== after[part])
        // When a key was used last says nothing.
        || (change.keys !== undefined && marksOf(state) !== marksOf(after));
      const settings = Object.keys(change.settings ?? {}) as (keyof ConfigurationState['settings'])[];
      if (touched || settings.some((key) => JSON.stringify(state.settings[key]) !== JSON.stringify(after.settings[key]))) return null;
      return {
        ...(settings.length > 0 && { settings: Object.fromEntries(settings.map((key) => [key, before.settings[key]])) }),
        ...(change.upstreams && { upstreams: before.upstreams }),
        ...(change.routes && { routes: before.routes }),
        ...(change.keys && { keys: before.keys }),
        ...(change.appState && { appState: Object.fromEntries(Object.keys(change.appState).map((key) => [key, before.appState[key] ?? null])) }),
      };
    },
  });
  return undo.undo;
}

/** Takes a change back that `keepUndo` has kept. */
export async function undoChange(removals: Removals, undo: string): Promise<ChangeUndone> {
  const restored = await removals.restore(undo);
  return restored === 'taken' ? 'changed' : restored;
}

function marksOf({ keys }: ConfigurationState): string {
  return JSON.stringify(keys.map(({ key: { id, name, disabled }, secretId }) => [id, name, disabled, secretId]));
}

// What is replaced is no ground for faults, nor does it stand for what the document leaves out.
function baseOf(state: ConfigurationState, mode: TakeOver): ConfigurationState {
  return mode === 'replace' ? { ...state, upstreams: [] } : state;
}
