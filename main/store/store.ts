import type { Clearable } from '../../shared/contents.ts';
import type { SettingSaved } from '../../shared/ipc.ts';
import { maskSecrets } from '../../shared/mask.ts';
import { defaultSettings, type SettingKey } from '../../shared/settings.ts';
import type { Clock, Credentials, Log, SealMemory } from '../gateway/ports.ts';
import { clearLog } from './clear-log.ts';
import { readState, seedOf, type ConfigurationState } from './configuration-state.ts';
import { createCredentials } from './credentials.ts';
import { createDocuments, keepDailyBackups, type Documents } from './documents.ts';
import type { ImportOutcome } from './import-document.ts';
import type { RowJournal } from './journal.ts';
import { createKnownSecrets } from './known-secrets.ts';
import { createLogReading, type LogReading } from './log-reading.ts';
import type { StoredLogStatus } from './log-status.ts';
import { startLogWriting } from './log-writing.ts';
import { createKeys, makeKeyValue, storedKey, type GatewayKeys } from './keys.ts';
import { createMemory, type Memory } from './memory.ts';
import type { OpenAnswer, ReaderCalls, StoreNotice, StoreRefusal, WriterCalls } from './protocol.ts';
import { createSealMemory } from './seals.ts';
import type { SecretBox } from './secret-box.ts';
import { checkSettings } from './setting-check.ts';
import { keepReader } from './reader-thread.ts';
import { createRemovals } from './removals.ts';
import { createRouteEdits, type RouteEdits } from './routes.ts';
import { resolveProbe, type ResolvedProbe } from './upstream-draft.ts';
import { createUpstreamEdits, type UpstreamEdits } from './upstreams.ts';
import type { UpstreamProbe } from '../../shared/upstream-test.ts';
import { configOf, type StoredConfig } from './stored-config.ts';
import { endWorker, startWorker, type WorkerCalls } from './worker-calls.ts';
import { keepWriter, openAgain, type WriterThread } from './writer-thread.ts';

export interface StoreParts {
  /** Made when it is not there. */
  readonly dataDir: string;
  readonly secretBox: SecretBox;
  readonly log: Log;
  readonly clock: Clock;
  /** Allows `gateway.port` 0, which is for processes without a window (SPEC 14). */
  readonly anyPort?: boolean;
}

/** Everything that outlives the process: configuration, keys, secrets, rows. Reading the configuration is from memory; writing goes to a worker thread. */
export interface Store {
  readonly config: StoredConfig;
  readonly settings: {
    /** Checked, on disk and in force when it resolves with `ok`; rejects when the disk refuses. */
    set(key: SettingKey, value: unknown): Promise<SettingSaved>;
  };
  readonly upstreams: UpstreamEdits;
  readonly routes: RouteEdits;
  /** The upstream and the key that a test works with, secrets included: for the gateway only. */
  resolveProbe(probe: UpstreamProbe): ResolvedProbe;
  readonly keys: GatewayKeys;
  readonly credentials: Credentials;
  /** Small things the app remembers that are no settings (JSON). */
  readonly appState: { get(key: string): unknown; set(key: string, value: unknown): Promise<void> };
  readonly journal: RowJournal;
  readonly seals: SealMemory;
  readonly logs: LogReading & {
    /** Takes bodies, or finished rows and all that belongs to them, away; resolves when they are gone. Figures stay. */
    clear(what: Clearable): Promise<void>;
  };
  readonly logStatus: StoredLogStatus;
  /** Takes the secrets of this installation, and whatever looks like one, out of a text. */
  readonly mask: (text: string) => string;
  /** What was found at the start that the user has to be told. */
  readonly notices: readonly StoreNotice[];
  /** Rows that a crash had left in flight and that are interrupted now. */
  readonly interrupted: number;
  readonly documents: Documents;
  /** Takes over a document as it is, merged into what is there. */
  importDocument(input: unknown): Promise<ImportOutcome>;
  /** Resolves when everything noted so far is on disk (true), or the disk does not take it now. */
  flush(): Promise<boolean>;
  /** Flushes, then lets go of the data folder. */
  close(): Promise<void>;
}

export type StoreOpening = { readonly kind: 'open'; readonly store: Store } | StoreRefusal;

/** Opens the store of a data folder, or says why not and leaves everything as it was (SPEC 15). Never rejects. */
export async function openStore(parts: StoreParts): Promise<StoreOpening> {
  const { dataDir, log } = parts;
  const gone = (name: string) => (reason: string): void => { log.error(`the store's ${name} has failed`, { reason }); };
  const start = (): WorkerCalls<WriterCalls> => startWorker<WriterCalls>('writer', dataDir, gone('writer'));
  const open = (how: 'first' | 'again') => ({ dataDir, utcMs: parts.clock.utc(), settings: seedOf(defaultSettings()), how });
  const first = start();
  const writer = keepWriter(first, { log, start, open: (next) => openAgain(next, open('again')) });
  let reader: WorkerCalls<ReaderCalls> | null = null;
  try {
    const answer = await first.call('open', open('first'));
    if (answer.kind !== 'open') {
      await first.terminate();
      return answer;
    }
    reader = keepReader(dataDir, log);
    return { kind: 'open', store: await buildStore(parts, writer, reader, answer) };
  } catch (error) {
    if (reader !== null) await endWorker(reader);
    await writer.end();
    return { kind: 'failed', dataDir, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function buildStore(parts: StoreParts, writer: WriterThread, reader: WorkerCalls<ReaderCalls>, opened: Extract<OpenAnswer, { kind: 'open' }>): Promise<Store> {
  const { dataDir, secretBox, log, clock, anyPort = false } = parts;
  const { state: initial, notices: found, unreadable } = readState(opened.stored, secretBox, anyPort);
  const memory = createMemory({ initial, secretBox, log, write: (patch) => writer.call('write_configuration', patch) });
  await makeFirstKey(memory, clock);
  const notices: readonly StoreNotice[] = [
    ...(opened.setAside === null ? [] : [{ kind: 'corrupt_set_aside' as const, file: opened.setAside }]),
    ...found,
    ...unreadableKeys(memory.state(), secretBox),
  ];
  for (const fields of unreadable) log.warn('a secret of an upstream is gone or sealed: it is used without', fields);
  for (const { kind, ...fields } of notices) log.warn(NOTICE_WORDS[kind], fields);
  const credentials = createCredentials(memory, secretBox, process.env);
  const secrets = createKnownSecrets(memory, secretBox, credentials);
  const closing = new AbortController();
  // The next question starts another reader, which opens the file that is there now.
  const writing = startLogWriting({ clock, log, dataDir, writer, settings: () => memory.state().settings, secrets: () => secrets.all(), fileReplaced: () => reader.terminate() }, closing.signal);
  const keys = createKeys(memory, secretBox, () => clock.utc());
  const removals = createRemovals(memory, clock, log);
  // Those of a process that ended before their time was over.
  await removals.dropAll();
  const seals = createSealMemory({ clock, log, stored: opened.seals, write: (patch) => writer.call('write_seals', patch) });
  const clear = async (what: Clearable): Promise<void> => {
    // What has ended and is not written yet goes, too.
    await writing.journal.flush();
    await clearLog(what, clock.utc(), (limits) => writer.call('retain', limits));
    if (what === 'all') await writer.call('compact', null);
  };
  const ofDocuments = { memory, secretBox, removals, dataDir, anyPort, utc: () => clock.utc() };
  const documents = createDocuments({
    ...ofDocuments,
    clearLog: async () => {
      await clear('all');
      await writer.call('forget', null);
      await writer.call('compact', null);
    },
  });
  const backedUp = keepDailyBackups(ofDocuments, clock, log, closing.signal);

  return {
    config: configOf(memory),
    settings: { set: (key, value) => setSetting(memory, key, value, anyPort) },
    upstreams: createUpstreamEdits(memory, removals),
    routes: createRouteEdits(memory, removals),
    resolveProbe: (probe) => resolveProbe(memory, credentials, probe),
    keys,
    credentials,
    appState: {
      get: (key) => memory.state().appState[key],
      set: (key, value) => memory.change(() => ({ change: { appState: { [key]: value } }, answer: undefined })),
    },
    journal: writing.journal,
    seals,
    logStatus: writing.status,
    logs: { ...createLogReading(reader), clear },
    mask: (text) => maskSecrets(text, secrets.all()),
    notices,
    interrupted: opened.interrupted,
    documents,
    importDocument: (input) => documents.import({ input, secrets: null, mode: 'merge' }),
    flush: async () => {
      await seals.flush();
      return writing.journal.flush();
    },
    close: async () => {
      closing.abort();
      await backedUp;
      await writing.swept;
      // Behind every change that was asked for before.
      await removals.dropAll();
      await keys.flush();
      await seals.close();
      await writing.close();
      // The reader first: the last connection to close is the one that folds the write-ahead file in.
      await endWorker(reader);
      await writer.end();
    },
  };
}

function setSetting(memory: Memory, key: SettingKey, value: unknown, anyPort: boolean): Promise<SettingSaved> {
  return memory.change<SettingSaved>((state) => {
    const checked = checkSettings(state.settings, { [key]: value }, anyPort);
    if (!checked.ok) return { change: null, answer: { ok: false, issues: checked.issues } };
    return { change: { settings: checked.change }, answer: { ok: true, settings: { ...state.settings, ...checked.change } } };
  });
}

// Once in the life of a data folder: a user who has deleted every key wants none (SPEC 1.4).
function makeFirstKey(memory: Memory, clock: Clock): Promise<null> {
  return memory.change((state) => {
    if (state.appState['first_key_made'] === true) return { change: null, answer: null };
    const value = makeKeyValue();
    const stored = storedKey('default', value, clock.utc());
    return { change: { keys: [...state.keys, stored], appState: { first_key_made: true } }, secrets: { put: [{ id: stored.secretId, value }], drop: [] }, answer: null };
  });
}

function unreadableKeys(state: ConfigurationState, secretBox: SecretBox): StoreNotice[] {
  return state.keys.filter((entry) => secretBox.get(entry.secretId).kind !== 'value').map((entry) => ({ kind: 'key_unreadable', name: entry.key.name }));
}

const NOTICE_WORDS: Readonly<Record<StoreNotice['kind'], string>> = {
  corrupt_set_aside: 'the database could not be read: it was set aside and a new one begun',
  setting_repaired: 'a stored setting was not allowed: another value is used',
  entry_unreadable: 'a stored entry could not be read: it is left out',
  key_unreadable: 'the secret of a gateway key is gone or sealed: the key cannot be used',
};
