import type { DocumentFault } from '../../shared/document.ts';
import { writeBackup } from './backup.ts';
import type { ConfigurationState, StoredKey } from './configuration-state.ts';
import { checkDocument, type CheckedDocument } from './document-check.ts';
import { storedKey } from './keys.ts';
import type { Memory, Plan } from './memory.ts';
import type { SecretBox } from './secret-box.ts';
import { placeSecrets, type StoredUpstream } from './upstream-secrets.ts';

/** How an import went: the numbers are of entries taken over. */
export type ImportOutcome =
  | { readonly kind: 'imported'; readonly settings: number; readonly upstreams: number; readonly routes: number; readonly keys: number; /** Path of the backup made before. */ readonly backup: string }
  | { readonly kind: 'refused'; readonly faults: readonly DocumentFault[] };

export interface ImportParts {
  readonly memory: Memory;
  readonly secretBox: SecretBox;
  readonly dataDir: string;
  readonly anyPort: boolean;
  utc(): number;
}

/** Reads the text of a document. A text that is no JSON is one fault, told by its place: the text itself may hold secrets. */
export function parseDocumentText(text: string): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly faults: readonly DocumentFault[] } {
  try {
    return { ok: true, input: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? Number.NaN);
    const lines = Number.isNaN(offset) ? null : text.slice(0, offset).split('\n');
    const place = lines === null ? '' : ` at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
    return { ok: false, faults: [{ path: '', message: `the document is not valid JSON${place}` }] };
  }
}

/** Takes over a document all or nothing, in one transaction, after a backup (SPEC 18.2). In force when it resolves; rejects when the disk refuses, and then nothing has changed. */
export function importDocument(parts: ImportParts, input: unknown): Promise<ImportOutcome> {
  return parts.memory.change<ImportOutcome>(async (state) => {
    const checked = checkDocument(input, state, parts.anyPort);
    if (!checked.ok) return { change: null, answer: { kind: 'refused', faults: checked.faults } };
    const backup = await writeBackup(parts.dataDir, state, parts.utc());
    return planImport(parts, state, checked.document, backup);
  });
}

function planImport(parts: ImportParts, state: ConfigurationState, document: CheckedDocument, backup: string): Plan<ImportOutcome> {
  const placed = document.upstreams.map(({ upstream, secret }) => placeSecrets(upstream, secret));
  const put = placed.flatMap((one) => one.put);
  const stored = placed.map((one) => one.entry);
  const replaced = state.upstreams.filter((entry) => stored.some((next) => next.upstream.id === entry.upstream.id));
  const keys = mergeKeys(parts, state.keys, document.keys, put);
  return {
    change: {
      ...(Object.keys(document.settings).length > 0 && { settings: document.settings }),
      ...(stored.length > 0 && { upstreams: mergeUpstreams(state.upstreams, stored) }),
      ...(document.routes !== null && { routes: document.routes }),
      ...(document.keys.length > 0 && { keys }),
    },
    secrets: { put, drop: replaced.flatMap((entry) => Object.values(entry.secretIds)) },
    answer: {
      kind: 'imported', settings: Object.keys(document.settings).length, upstreams: stored.length, routes: document.routes?.length ?? 0,
      keys: document.keys.length, backup,
    },
  };
}

// Replaced ones keep their place in the user's order, new ones follow.
function mergeUpstreams(current: readonly StoredUpstream[], given: readonly StoredUpstream[]): StoredUpstream[] {
  const kept = current.map((entry) => given.find((next) => next.upstream.id === entry.upstream.id) ?? entry);
  return [...kept, ...given.filter((next) => !kept.includes(next))];
}

// A key that is there already keeps its place and takes the name: importing twice changes nothing.
function mergeKeys(parts: ImportParts, current: readonly StoredKey[], given: CheckedDocument['keys'], put: { id: string; value: string }[]): StoredKey[] {
  const values = new Map(current.map((entry) => [entry.secretId, parts.secretBox.get(entry.secretId)]));
  const holds = (entry: StoredKey, value: string): boolean => {
    const found = values.get(entry.secretId);
    return found?.kind === 'value' && found.value === value;
  };
  const kept = current.map((entry) => {
    const same = given.find(({ key }) => holds(entry, key));
    return same === undefined ? entry : { ...entry, key: { ...entry.key, name: same.name } };
  });
  const added = given.filter(({ key }) => !current.some((entry) => holds(entry, key))).map(({ name, key }) => {
    const entry = storedKey(name, key, parts.utc());
    put.push({ id: entry.secretId, value: key });
    return entry;
  });
  return [...kept, ...added];
}
