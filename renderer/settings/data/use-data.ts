import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Backup, ChangeUndone, DocumentApplied, DocumentExported, DocumentOpening, DocumentUnlocked, FolderName, Reset, ResetDone } from '../../../shared/data.ts';
import { bridge } from '../../bridge.ts';
import { keyOf } from '../../data/query.ts';

/** What Settings > Data asks of main; each rejects when the disk refuses or main is gone. */
export interface DataActions {
  readonly open: () => Promise<DocumentOpening>;
  readonly openBackup: (name: string) => Promise<DocumentOpening>;
  readonly unlock: (token: string, password: string) => Promise<DocumentUnlocked>;
  readonly apply: (token: string) => Promise<DocumentApplied>;
  readonly forget: (token: string) => void;
  readonly undo: (undo: string) => Promise<ChangeUndone>;
  readonly exportDocument: (password: string | null) => Promise<DocumentExported>;
  readonly makeBackup: () => Promise<void>;
  readonly reset: (what: Reset) => Promise<ResetDone>;
  readonly openFolder: (folder: FolderName) => Promise<boolean>;
}

/** The kept backups, newest first; `undefined` until main has told. */
export function useBackups(): { readonly backups: readonly Backup[] | undefined; readonly failed: boolean; readonly again: () => void } {
  const query = useQuery({ queryKey: keyOf('backups.list'), queryFn: () => bridge().request['backups.list'](null), staleTime: 0 });
  return { backups: query.data, failed: query.isError, again: () => void query.refetch() };
}

/** The actions of Settings > Data. What they change elsewhere is told by main, but for keys and backups, which are asked for anew. */
export function useDataActions(): DataActions {
  const cache = useQueryClient();
  return useMemo(() => {
    const { request } = bridge();
    const after = async <T>(done: Promise<T>): Promise<T> => {
      const answer = await done;
      for (const name of ['keys.list', 'backups.list', 'prices.list'] as const) void cache.invalidateQueries({ queryKey: keyOf(name) });
      return answer;
    };
    return {
      open: () => request['document.open'](null),
      openBackup: (name) => request['backups.open']({ name }),
      unlock: (token, password) => request['document.unlock']({ token, password }),
      apply: (token) => after(request['document.apply']({ token })),
      forget: (token) => { request['document.forget']({ token }).catch(() => undefined); },
      undo: (undo) => after(request['document.undo']({ undo })),
      exportDocument: (password) => request['document.export']({ password }),
      makeBackup: async () => { cache.setQueryData(keyOf('backups.list'), await request['backups.make'](null)); },
      reset: (what) => after(request['data.reset']({ what })),
      openFolder: (folder) => request['data.open_folder']({ folder }),
    };
  }, [cache]);
}
