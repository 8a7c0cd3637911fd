import { arch, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { app, shell } from 'electron';
import { LINKS, type FolderName, type Reset, type ResetDone } from '../../shared/data.ts';
import type { DataReach } from '../ipc/data-handlers.ts';
import { backupFolder } from '../store/backup.ts';
import { chooseDocument } from './dialogs.ts';
import { diagnosticsText, MOST_LINES, MOST_ROWS } from './diagnostics.ts';
import { createDocumentDesk } from './import.ts';
import { readLicences } from './licences.ts';
import type { DesktopParts } from './parts.ts';
import { chooseSavePlace } from './save-dialog.ts';
import { saveText } from './save-text.ts';
import type { AppInfo } from '../../shared/ipc.ts';
import type { MainWindow } from './window.ts';

/** What Settings > Data and About reach in this app. */
export function createDataReach(parts: DesktopParts, window: MainWindow, info: () => AppInfo): DataReach {
  const { core: { store }, texts, clock, dataDir, log, logFile } = parts;
  const { documents } = store;
  const place = (name: string): string => join(app.getPath('documents'), name);
  const save = (offered: string, title: string): Promise<string | null> => chooseSavePlace(window.native(), offered, texts.t(title), texts.t('native.import.filter'));
  let notices = store.notices;
  let collected: string | null = null;
  return {
    documents: {
      ...createDocumentDesk({ documents, choose: () => chooseDocument(window.native(), texts.t) }),
      undo: (undo) => documents.undo(undo),
      export: async (password) => {
        const file = await save(place(`holdfast-${dayOf(clock.utc())}.json`), 'native.document.title');
        if (file === null) return { kind: 'cancelled' };
        const { text, secrets, unreadable } = await documents.export(password);
        const failure = await saveText(file, text);
        return failure === null ? { kind: 'written', file, secrets, unreadable } : { kind: 'failed', reason: failure };
      },
    },
    backups: {
      list: () => documents.backups.list(),
      make: async () => {
        await documents.backups.make();
        return documents.backups.list();
      },
    },
    reset: async (what) => {
      const done = await reset(parts, what);
      if (what === 'everything') notices = [];
      return done;
    },
    openFolder: async (folder) => openPath(parts, folderOf(dataDir, logFile.folder, folder)),
    notices: { list: () => notices, seen: () => { notices = []; } },
    diagnostics: {
      collect: async () => {
        collected = await collect(parts, info());
        return { text: collected };
      },
      save: async () => {
        const text = collected ?? await collect(parts, info());
        const file = await save(place(`holdfast-diagnostics-${dayOf(clock.utc())}.json`), 'native.diagnostics.title');
        if (file === null) return { kind: 'cancelled' };
        const failure = await saveText(file, text);
        return failure === null ? { kind: 'written', file } : { kind: 'failed', reason: failure };
      },
    },
    licences: () => readLicences(join(app.getAppPath(), 'out')),
    // By name, so that no page can have another address opened.
    openLink: (link) => shell.openExternal(LINKS[link]).then(() => true, (error: unknown) => {
      log.warn('a link could not be opened', { link, reason: String(error) });
      return false;
    }),
  };
}

async function reset({ core: { store }, logFile }: DesktopParts, what: Reset): Promise<ResetDone> {
  const done = await store.documents.reset(what);
  if (what === 'everything') logFile.clear();
  return done;
}

async function collect({ core: { store, config, gateway }, clock, logFile }: DesktopParts, info: AppInfo): Promise<string> {
  // As an export is read: belongs to no view, so that the list in the window goes on.
  const { bytes } = await store.logs.exportSlice({ filter: { outcomes: ['failed', 'truncated', 'interrupted'] }, as: 'ndjson' }, null);
  const failed = new TextDecoder().decode(bytes).split('\n').slice(0, MOST_ROWS).filter((line) => line !== '');
  return diagnosticsText({
    madeAt: clock.utc(), info,
    system: { release: release(), arch: arch(), memoryMb: Math.round(totalmem() / 1024 / 1024), uptimeSecs: Math.round(uptime()) },
    gateway: gateway.state(), settings: config.settings(), upstreams: config.shownUpstreams(), routes: config.routes(), keys: store.keys.list().length,
    health: gateway.health(), failed, logStatus: await store.logStatus.get(), notices: store.notices, lines: logFile.recent(MOST_LINES),
  }, store.mask);
}

function folderOf(dataDir: string, logDir: string, folder: FolderName): string {
  switch (folder) {
    case 'data': return dataDir;
    case 'backups': return backupFolder(dataDir);
    case 'log': return logDir;
  }
}

async function openPath({ log }: DesktopParts, path: string): Promise<boolean> {
  const fault = await shell.openPath(path);
  if (fault !== '') log.warn('a folder could not be opened', { path, reason: fault });
  return fault === '';
}

function dayOf(utcMs: number): string {
  const now = new Date(utcMs);
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}
