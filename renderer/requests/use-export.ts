import { notifications } from '@mantine/notifications';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportFormat, ExportOutcome, ExportProgress } from '../../shared/export.ts';
import type { LogFilter } from '../../shared/log.ts';
import { bridge } from '../bridge.ts';
import { useFormat } from '../data/use-format.ts';

const RUNNING = ['requests.export'];
const PROGRESS = ['export.progress'];
// One toast tells of the last export; a new one takes it away.
const TOAST = 'export';

/** Exporting what a filter leaves. It goes on while other pages are shown; a toast says how it ended. */
export interface Export {
  readonly running: boolean;
  /** How far it is; null before the first rows are written. */
  readonly progress: ExportProgress | null;
  readonly start: (filter: LogFilter, as: ExportFormat) => void;
  readonly cancel: () => void;
}

/** The export of the window: there is one at a time, whoever shows it. */
export function useExport(): Export {
  const { t } = useTranslation();
  const format = useFormat();
  const cache = useQueryClient();
  const tell = (outcome: ExportOutcome) => {
    if (outcome.kind === 'written') notifications.show({ id: TOAST, title: t('export.done_title'), message: t('export.done', { count: outcome.rows, rows: format.number(outcome.rows), file: outcome.file }), color: 'accent' });
    if (outcome.kind === 'failed') notifications.show({ id: TOAST, title: t('export.failed_title'), message: t(`export.failed.${outcome.reason}`), color: 'red', autoClose: false });
  };
  const { mutate } = useMutation({
    mutationKey: RUNNING,
    mutationFn: ({ filter, as }: { readonly filter: LogFilter; readonly as: ExportFormat }) => {
      notifications.hide(TOAST);
      cache.setQueryData(PROGRESS, null);
      return bridge().request['requests.export']({ filter, as });
    },
    onSuccess: tell,
    onError: () => { notifications.show({ message: t('state.error_text'), color: 'red' }); },
  });
  // Kept in the cache: the page may be left and come back while it runs.
  const running = useMutationState({ filters: { mutationKey: RUNNING, status: 'pending' } }).length > 0;
  const progress = useQuery<ExportProgress | null>({ queryKey: PROGRESS, queryFn: () => null, enabled: false }).data ?? null;
  useEffect(() => bridge().on['export.progress']((now) => { cache.setQueryData(PROGRESS, now); }), [cache]);
  return {
    running,
    progress: running ? progress : null,
    start: (filter, as) => { mutate({ filter, as }); },
    cancel: () => { bridge().request['requests.export_cancel'](null).catch(() => undefined); },
  };
}
