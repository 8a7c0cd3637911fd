import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useLogStatus } from './use-log.ts';

/** What is missing from the log, or waits to get in; nothing while all is well (SPEC 12.3). */
export function LogNote() {
  const { t } = useTranslation();
  const format = useFormat();
  const status = useLogStatus();
  if (status === undefined) return null;
  const lost = (key: string, count: number) => (count === 0 ? [] : [t(`log_note.${key}`, { count, n: format.number(count) })]);
  const notes = [...(status.waiting ? [t('log_note.waiting')] : []), ...lost('rows', status.rowsLost), ...lost('bodies', status.bodiesLost), ...lost('refused', status.refusedNotWritten)];
  if (notes.length === 0) return null;
  // Refusals left out on purpose are no trouble.
  const trouble = status.waiting || status.rowsLost > 0 || status.bodiesLost > 0;
  return <p className={trouble ? 'hf-log-note hf-log-note-amber' : 'hf-log-note'} role="status">{trouble && <IconAlertTriangle size={14} aria-hidden />}<span>{format.sentences(notes)}</span></p>;
}
