import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Backup, ChangeUndone, Reset, ResetDone } from '../../shared/data.ts';
import { defaultSettings } from '../../shared/settings.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import { backUpDaily, backupFolder, listBackups, readBackup, writeBackup } from './backup.ts';
import type { ConfigurationChange } from './configuration-state.ts';
import { documentText, lockedDocumentText } from './document-export.ts';
import { importDocument, keepUndo, previewDocument, undoChange, type GivenDocument, type ImportOutcome, type ImportParts, type PreviewOutcome } from './import-document.ts';
import { makeKeyValue, storedKey } from './keys.ts';

/** The configuration as a document, in and out, its backups, and the way back to the beginning. Everything rejects when the disk refuses, and then nothing has changed. */
export interface Documents {
  preview(given: GivenDocument): PreviewOutcome;
  import(given: GivenDocument): Promise<ImportOutcome>;
  undo(undo: string): Promise<ChangeUndone>;
  /** The configuration as text; without a password the secrets stay out of it. */
  export(password: string | null): Promise<{ readonly text: string; readonly secrets: number; readonly unreadable: readonly string[] }>;
  readonly backups: {
    list(): Promise<readonly Backup[]>;
    make(): Promise<void>;
    /** Null when there is none of this name. */
    read(name: string): Promise<string | null>;
  };
  /** Resolves when it is in force. The log goes with `everything` alone. */
  reset(what: Reset): Promise<ResetDone>;
}

export interface DocumentsParts extends ImportParts {
  /** Takes the whole log away, figures and memories of answers included. */
  clearLog(): Promise<void>;
}

export function createDocuments(parts: DocumentsParts): Documents {
  const { memory, secretBox, dataDir, removals, utc } = parts;
  return {
    preview: (given) => previewDocument(parts, given),
    import: (given) => importDocument(parts, given),
    undo: (undo) => undoChange(removals, undo),
    export: async (password) => (password === null ? { text: documentText(memory.state()), secrets: 0, unreadable: [] } : lockedDocumentText(memory.state(), secretBox, password)),
    backups: {
      list: () => listBackups(dataDir),
      make: async () => { await writeBackup(dataDir, memory.state(), utc(), 'manual'); },
      read: (name) => readBackup(dataDir, name),
    },
    reset: (what) => (what === 'everything' ? resetEverything(parts) : resetConfiguration(parts, what)),
  };
}

async function resetConfiguration({ memory, dataDir, removals, utc }: DocumentsParts, what: 'settings' | 'configuration'): Promise<ResetDone> {
  const done = await memory.change(async (before) => {
    const backup = await writeBackup(dataDir, before, utc(), 'before');
    const first = what === 'settings' ? null : firstState(utc());
    const change: ConfigurationChange = first === null ? { settings: defaultSettings() } : first.change;
    const drop = first === null ? [] : [...before.upstreams.flatMap(({ secretIds }) => Object.values(secretIds)), ...before.keys.map(({ secretId }) => secretId)];
    const condemned = removals.condemned(before, drop);
    return { change: { ...change, appState: { ...change.appState, ...condemned.appState } }, secrets: { put: first?.put ?? [], drop: [] }, answer: { before, backup, change, drop, put: (first?.put ?? []).map(({ id }) => id) } };
  });
  return { backup: basename(done.backup), undo: keepUndo(removals, done.before, done.change, done.drop, done.put) };
}

// Nothing of it is kept: who gives a machine away wants no way back.
async function resetEverything({ memory, dataDir, removals, utc, clearLog }: DocumentsParts): Promise<ResetDone> {
  await memory.change((before) => {
    const { change, put } = firstState(utc());
    return { change, secrets: { put, drop: [...before.upstreams.flatMap(({ secretIds }) => Object.values(secretIds)), ...before.keys.map(({ secretId }) => secretId)] }, answer: null };
  });
  await removals.dropAll();
  await clearLog();
  await rm(backupFolder(dataDir), { recursive: true, force: true });
  for (const name of await readdir(dataDir)) {
    if (/^holdfast\.db\.corrupt-|^secrets\.json\.unreadable-/.test(name)) await rm(join(dataDir, name), { force: true });
  }
  return { backup: null, undo: null };
}

// As after a first start: a key of its own, no own prices, and the demo there again.
function firstState(utcMs: number): { readonly change: ConfigurationChange; readonly put: readonly { readonly id: string; readonly value: string }[] } {
  const value = makeKeyValue();
  const key = storedKey('default', value, utcMs);
  return { change: { settings: defaultSettings(), upstreams: [], routes: [], keys: [key], appState: { demo: null, prices: null } }, put: [{ id: key.secretId, value }] };
}

const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Makes the daily backups until it is told to stop: the first look a minute after the start, then hourly. What fails is logged. */
export async function keepDailyBackups({ memory, dataDir, utc }: ImportParts, clock: Clock, log: Log, until: AbortSignal): Promise<void> {
  for (let waitMs = FIRST_MS; ; waitMs = EVERY_MS) {
    await clock.sleep(waitMs, until);
    if (until.aborted) return;
    await backUpDaily(dataDir, memory.state(), utc()).catch((error: unknown) => { log.warn('the daily backup could not be written', { reason: String(error) }); });
  }
}
