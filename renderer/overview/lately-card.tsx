import { IconInbox } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useLive } from '../live/use-live.tsx';
import { sentenceOf } from '../requests/sentence.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { StatusTag } from '../ui/status-tag.tsx';
import { useLately } from './use-lately.ts';

const SHOWN = 6;

/** The last finished requests, each with what happened to it in one sentence. */
export function LatelyCard({ show, all }: { readonly show: (id: string) => void; readonly all: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { exchanges } = useLive();
  const { rows, phase, again } = useLately(SHOWN);
  return (
    <Card title={t('lately.title')} className="hf-wide" note={rows.length > 0 ? <button type="button" className="hf-linkish hf-small" onClick={all}>{t('lately.all')}</button> : undefined}>
      {phase === 'failed' ? <ErrorState again={again} />
        : phase === 'loading' ? <LoadingState lines={4} />
        : rows.length === 0 ? <EmptyState small icon={<IconInbox size={20} stroke={1.5} aria-hidden />} title={t('lately.empty_title')}>{t('lately.empty_text')}</EmptyState>
        : (
          <ul className="hf-lately">
            {rows.map((row) => (
              <li key={row.id}>
                <button type="button" className="hf-linkish hf-mono" onClick={() => show(row.id)} aria-label={t('lately.open', { time: format.clock(row.started_at), model: row.model_asked ?? row.path })}>{format.clock(row.started_at)}</button>
                <span className="hf-cut">{row.client ?? t('value.unknown')}</span>
                <span className="hf-cut" title={row.model_asked ?? undefined}>{row.model_asked ?? t('value.unknown')}</span>
                <span><StatusTag row={row} live={exchanges.get(row.id)} /></span>
                <span className="hf-dim hf-two-lines" title={sentenceOf(row, t, format)}>{sentenceOf(row, t, format)}</span>
              </li>
            ))}
          </ul>
        )}
    </Card>
  );
}
