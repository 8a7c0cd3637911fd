import { IconCheck, IconHourglass, IconLoader, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useNow } from '../data/use-now.ts';
import { useLive } from '../live/use-live.tsx';
import { shortReason } from '../requests/sentence.ts';

/** The demo request that was sent at `since` (ms since 1970), told line by line while it happens. */
export function DemoStory({ since, show }: { readonly since: number; readonly show: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { exchanges, ended } = useLive();
  const isOurs = (row: { readonly model_asked: string | null; readonly started_at: number }) => row.model_asked === 'demo/flaky' && row.started_at >= since - 1_000;
  const live = [...exchanges.values()].findLast((one) => isOurs(one.row));
  const row = live?.row ?? ended.find(isOurs);
  const now = useNow(100, live?.pause != null);
  if (row === undefined) return null;
  return (
    <ul className="hf-demo" aria-label={t('demo.title')}>
      {row.detail.attempts.map((attempt) => (
        <li key={attempt.n}>
          {attempt.outcome === 'answered' ? <IconCheck size={14} className="hf-fine" aria-hidden /> : <IconX size={14} className="hf-bad" aria-hidden />}
          <span>{t('demo.attempt', { n: attempt.n, what: attempt.outcome === 'answered' ? t('attempt.outcome.answered') : shortReason(attempt, t) })}</span>
          <span className="hf-dim hf-num">{attempt.pause_ms === null ? '' : t('demo.waited', { ms: format.duration(attempt.pause_ms) })}</span>
        </li>
      ))}
      {live?.pause && <li><IconHourglass size={14} className="hf-waits" aria-hidden /><span>{t('in_flight.retry_in', { n: live.pause.retry, left: format.seconds(live.pause.retry_at - now) })}</span><span /></li>}
      {live && !live.pause && <li><IconLoader size={14} aria-hidden /><span>{t(`in_flight.state.${live.state}`)}</span><span /></li>}
      {!live && <li><span /><button type="button" className="hf-linkish" onClick={() => show(row.id)}>{t('demo.see', { count: row.retries })}</button><span /></li>}
    </ul>
  );
}
