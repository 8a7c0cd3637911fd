import type { Handlers } from './serve.ts';

type DataChannel = Extract<keyof Handlers, `document.${string}` | `backups.${string}` | `data.${string}` | `diagnostics.${string}` | `about.${string}`>;

/** What stands behind Settings > Data and About. */
export interface DataReach {
  readonly documents: {
    open(): ReturnType<Handlers['document.open']>;
    openBackup(name: string): ReturnType<Handlers['backups.open']>;
    unlock(token: string, password: string): ReturnType<Handlers['document.unlock']>;
    apply(token: string): ReturnType<Handlers['document.apply']>;
    forget(token: string): void;
    undo(undo: string): ReturnType<Handlers['document.undo']>;
    export(password: string | null): ReturnType<Handlers['document.export']>;
  };
  readonly backups: { list(): ReturnType<Handlers['backups.list']>; make(): ReturnType<Handlers['backups.make']> };
  reset: (what: Parameters<Handlers['data.reset']>[0]['what']) => ReturnType<Handlers['data.reset']>;
  openFolder: (folder: Parameters<Handlers['data.open_folder']>[0]['folder']) => Promise<boolean>;
  readonly notices: { list(): ReturnType<Handlers['data.notices']>; seen(): void };
  readonly diagnostics: { collect(): ReturnType<Handlers['diagnostics.collect']>; save(): ReturnType<Handlers['diagnostics.save']> };
  licences: () => ReturnType<Handlers['about.licences']>;
  openLink: (link: Parameters<Handlers['about.open_link']>[0]['link']) => Promise<boolean>;
}

/** The functions behind the requests of Settings > Data and About. */
export function createDataHandlers({ documents, backups, reset, openFolder, notices, diagnostics, licences, openLink }: DataReach): Pick<Handlers, DataChannel> {
  return {
    'document.open': () => documents.open(),
    'document.unlock': ({ token, password }) => documents.unlock(token, password),
    'document.apply': ({ token }) => documents.apply(token),
    'document.forget': ({ token }) => {
      documents.forget(token);
      return null;
    },
    'document.undo': ({ undo }) => documents.undo(undo),
    'document.export': ({ password }) => documents.export(password),
    'backups.list': () => backups.list(),
    'backups.make': () => backups.make(),
    'backups.open': ({ name }) => documents.openBackup(name),
    'data.reset': ({ what }) => reset(what),
    'data.open_folder': ({ folder }) => openFolder(folder),
    'data.notices': () => notices.list(),
    'data.notices_seen': () => {
      notices.seen();
      return null;
    },
    'diagnostics.collect': () => diagnostics.collect(),
    'diagnostics.save': () => diagnostics.save(),
    'about.licences': () => licences(),
    'about.open_link': ({ link }) => openLink(link),
  };
}
