import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Diagnostics, DiagnosticsSaved, FolderName, Licence, LinkName } from '../../../shared/data.ts';
import { bridge } from '../../bridge.ts';
import { keyOf } from '../../data/query.ts';

/** The licences of what the app is built from; undefined until main has told. */
export function useLicences(): { readonly licences: readonly Licence[] | undefined; readonly failed: boolean; readonly again: () => void } {
  const query = useQuery({ queryKey: keyOf('about.licences'), queryFn: () => bridge().request['about.licences'](null) });
  return { licences: query.data, failed: query.isError, again: () => void query.refetch() };
}

/** What Settings > About asks of main; each rejects only when main is gone. */
export interface AboutActions {
  readonly collect: () => Promise<Diagnostics>;
  readonly save: () => Promise<DiagnosticsSaved>;
  readonly openLink: (link: LinkName) => Promise<boolean>;
  readonly openFolder: (folder: FolderName) => Promise<boolean>;
}

/** The actions of Settings > About. */
export function useAboutActions(): AboutActions {
  return useMemo(() => {
    const { request } = bridge();
    return {
      collect: () => request['diagnostics.collect'](null),
      save: () => request['diagnostics.save'](null),
      openLink: (link) => request['about.open_link']({ link }),
      openFolder: (folder) => request['data.open_folder']({ folder }),
    };
  }, []);
}
