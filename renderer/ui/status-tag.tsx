import { IconArrowBackUp, IconBan, IconBolt, IconCheck, IconCut, IconHourglass, IconLoader, IconPlayerStop, IconStack2, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import type { LiveExchange } from '../live/in-flight.ts';

const OUTCOME = {
  success: { tone: 'ok', icon: IconCheck }, failed: { tone: 'red', icon: IconX }, cancelled: { tone: 'grey', icon: IconArrowBackUp },
  truncated: { tone: 'red', icon: IconCut }, refused: { tone: 'red', icon: IconBan }, interrupted: { tone: 'grey', icon: IconPlayerStop },
} as const;

const STATE = {
  attempting: { tone: 'grey', icon: IconLoader }, pausing: { tone: 'amber', icon: IconHourglass }, queued: { tone: 'amber', icon: IconStack2 }, answering: { tone: 'ok', icon: IconBolt },
} as const;

/** Where an exchange stands: the status its client got, or what it is doing now; colour, sign and word together. */
export function StatusTag({ row, live }: { readonly row: ExchangeRow; readonly live: LiveExchange | undefined }) {
  const { t } = useTranslation();
  if (row.outcome === null) {
    const { tone, icon: Icon } = STATE[live?.state ?? 'attempting'];
    return <span className={`hf-tag hf-tag-${tone}`}><Icon size={12} aria-hidden />{t(`in_flight.state.${live?.state ?? 'attempting'}`)}</span>;
  }
  const { tone, icon: Icon } = OUTCOME[row.outcome];
  const number = row.status !== null && (row.outcome === 'success' || row.outcome === 'failed' || row.outcome === 'refused');
  return (
    <span className={`hf-tag hf-tag-${tone}`}>
      <Icon size={12} aria-hidden />
      {number ? <><span className="hf-hidden">{t(`outcome.${row.outcome}`)} </span>{row.status}</> : t(`outcome.${row.outcome}`)}
    </span>
  );
}
