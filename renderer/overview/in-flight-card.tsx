import { Button } from '@mantine/core';
import { IconPlaneOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useActions } from '../data/use-main.ts';
import { useNow } from '../data/use-now.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { useLive } from '../live/use-live.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState, LoadingState } from '../ui/state.tsx';
import { StatusTag } from '../ui/status-tag.tsx';

/** More than these would be redrawn ten times a second; those that wait go first then, since they can be acted on. */
const MOST_SHOWN = 50;

/** Every running exchange; a pausing one counts down and can be sent on or given up. */
export function InFlightCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const { exchanges, phase } = useLive();
  const all = [...exchanges.values()];
  const pausing = all.some((one) => one.state === 'pausing');
  const now = useNow(pausing ? 100 : 1_000, all.length > 0);
  const waiting = all.filter((one) => one.state === 'pausing' || one.state === 'queued').length;
  const shown = all.length <= MOST_SHOWN ? all : all.toSorted((a, b) => Number(b.state === 'pausing') - Number(a.state === 'pausing')).slice(0, MOST_SHOWN);
  const note = all.length === 0 ? undefined : <span className="hf-dim">{format.commas([all.length > waiting ? t('in_flight.running', { count: all.length - waiting }) : '', waiting > 0 ? t('in_flight.waiting', { count: waiting }) : ''])}</span>;
  return (
    <Card title={t('in_flight.title')} note={note} className="hf-wide">
      {phase === 'loading' && <LoadingState lines={2} />}
      {phase !== 'loading' && all.length === 0 && <EmptyState small icon={<IconPlaneOff size={20} stroke={1.5} aria-hidden />} title={t('in_flight.empty_title')}>{t('in_flight.empty_text')}</EmptyState>}
      {all.length > 0 && (
        <ul className="hf-flight">
          <li className="hf-flight-head" aria-hidden="true">
            <span>{t('column.client')}</span><span>{t('column.model')}</span><span>{t('column.upstream')}</span><span className="hf-num">{t('in_flight.elapsed')}</span><span>{t('in_flight.doing')}</span><span />
          </li>
          {shown.map((one) => <InFlightRow key={one.row.id} live={one} now={now} />)}
          {shown.length < all.length && <li className="hf-dim"><span className="hf-flight-more">{t('in_flight.more', { count: all.length - shown.length })}</span></li>}
        </ul>
      )}
    </Card>
  );
}

function InFlightRow({ live, now }: { readonly live: LiveExchange; readonly now: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { row, pause } = live;
  const upstream = pause ? format.list(pause.upstreams) : (live.upstream ?? t('value.none'));
  return (
    <li>
      <span className="hf-cut" title={row.client ?? undefined}>{row.client ?? t('value.unknown')}</span>
      <span className="hf-cut" title={row.model_asked ?? undefined}>{row.model_asked ?? t('value.unknown')}</span>
      <span className="hf-cut" title={upstream}>{upstream}</span>
      <span className="hf-num">{format.seconds(now - row.started_at)}</span>
      {pause ? <Countdown live={live} now={now} /> : <span className="hf-row"><StatusTag row={row} live={live} />{live.retries > 0 && <span className="hf-dim hf-small">{t('in_flight.after_retries', { count: live.retries })}</span>}</span>}
      {pause ? <PauseButtons id={row.id} what={row.model_asked ?? row.path} /> : <span />}
    </li>
  );
}

function Countdown({ live: { pause }, now }: { readonly live: LiveExchange; readonly now: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (pause === null) return null;
  const total = Math.max(1, pause.retry_at - pause.started);
  const share = Math.min(1, Math.max(0, (now - pause.started) / total));
  const words = t('in_flight.retry_in', { n: pause.retry, left: format.seconds(pause.retry_at - now) });
  return (
    <div className="hf-wait-line" title={t(`pause.reason.${pause.reason}`)}>
      <span className="hf-tag hf-tag-amber">{words}</span>
      <span className="hf-progress" role="progressbar" aria-label={t('in_flight.pause_progress')} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)}><i style={{ transform: `scaleX(${share})` }} /></span>
      <span className="hf-dim hf-small hf-cut">{t('in_flight.gives_up_at', { time: format.clock(pause.until) })}</span>
    </div>
  );
}

function PauseButtons({ id, what }: { readonly id: string; readonly what: string }) {
  const { t } = useTranslation();
  const { retryNow, giveUp } = useActions();
  const [sent, setSent] = useState(false);
  const press = (action: (id: string) => Promise<boolean>) => { setSent(true); action(id).finally(() => setSent(false)).catch(() => undefined); };
  return (
    <span className="hf-flight-actions">
      <Button disabled={sent} onClick={() => press(retryNow)} aria-label={t('in_flight.retry_now_of', { what })}>{t('in_flight.retry_now')}</Button>
      <Button disabled={sent} onClick={() => press(giveUp)} aria-label={t('in_flight.give_up_of', { what })}>{t('in_flight.give_up')}</Button>
    </span>
  );
}
