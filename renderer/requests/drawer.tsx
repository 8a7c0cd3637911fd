import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useActions } from '../data/use-main.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { useLive } from '../live/use-live.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { StatusTag } from '../ui/status-tag.tsx';
import { AttemptsTable } from './attempts-table.tsx';
import { modelWords } from './columns.tsx';
import { sentenceOf } from './sentence.ts';
import { TimeLine } from './time-line.tsx';
import { useRequest } from './use-request.ts';

/** What happened to one exchange: a sentence, the time line, each attempt, the error, the facts. */
export function Drawer({ id, listed, close }: { readonly id: string; readonly listed: ExchangeRow | undefined; readonly close: () => void }) {
  const { t } = useTranslation();
  const { exchanges } = useLive();
  const { row, failed, again } = useRequest(id, listed);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => { if (event.key === 'Escape' && panel.current?.contains(document.activeElement) === true) close(); };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [close]);
  return (
    <aside ref={panel} className="hf-drawer" aria-label={t('drawer.title')}>
      {row ? <Story row={row} live={exchanges.get(id)} close={close} /> : (
        <>
          <header className="hf-drawer-head"><h2>{t('drawer.title')}</h2><CloseButton close={close} /></header>
          {failed ? <ErrorState again={again} /> : row === null ? <EmptyState title={t('drawer.gone_title')}>{t('drawer.gone_text')}</EmptyState> : <LoadingState lines={6} />}
        </>
      )}
    </aside>
  );
}

function CloseButton({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  return <ActionIcon aria-label={t('dialog.close')} onClick={close}><IconX size={16} aria-hidden /></ActionIcon>;
}

function Story({ row, live, close }: { readonly row: ExchangeRow; readonly live: LiveExchange | undefined; readonly close: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <header className="hf-drawer-head">
        <h2>{t('drawer.head', { client: row.client ?? t('value.unknown_client'), model: modelWords(row) ?? row.path })}</h2>
        <StatusTag row={row} live={live} />
        <CloseButton close={close} />
      </header>
      <p className="hf-story hf-text">{sentenceOf(row, t, format)}</p>
      <Part title={t('drawer.time_line')}><TimeLine row={row} live={live} /></Part>
      {row.detail.attempts.length > 0 && <Part title={t('drawer.attempts')}><AttemptsTable attempts={row.detail.attempts} /></Part>}
      {row.error_message !== null && <ErrorText row={row} message={row.error_message} />}
      <Part title={t('drawer.details')}><Facts row={row} /></Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return <section className="hf-part"><h3>{title}</h3>{children}</section>;
}

function ErrorText({ row, message }: { readonly row: ExchangeRow; readonly message: string }) {
  const { t } = useTranslation();
  const { copy } = useActions();
  const head = [row.status, row.error_code].filter((part) => part !== null).join(' · ');
  return (
    <Part title={t('drawer.error')}>
      <div className="hf-error">
        <p><code className="hf-mono hf-text">{head}</code></p>
        <blockquote className="hf-text" tabIndex={0}>{message}</blockquote>
        <CopyButton name={t('drawer.copy_error')} copy={() => copy({ what: 'text', text: `${head}\n${message}` })} />
      </div>
    </Part>
  );
}

function Facts({ row }: { readonly row: ExchangeRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { copy } = useActions();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('fact.arrived'), format.moment(row.started_at)],
    [t('fact.first_content'), row.first_content_ms === null ? null : format.duration(row.first_content_ms)],
    [t('fact.duration'), row.duration_ms === null ? null : format.duration(row.duration_ms)],
    [t('fact.paused'), row.pause_ms === 0 ? null : format.duration(row.pause_ms)],
    [t('fact.queued'), row.queued_ms === 0 ? null : format.duration(row.queued_ms)],
    [t('fact.tokens'), tokenWords(row, t, format.number)],
    [t('fact.size'), t('fact.bytes_in_out', { request: format.bytes(row.request_bytes), answer: format.bytes(row.answer_bytes) })],
    [t('fact.format'), format.commas([t(`format.${row.format}`), row.streamed ? t('fact.streamed') : t('fact.whole')])],
    [t('fact.path'), <code key="path" className="hf-mono hf-text">{row.path}</code>],
    [t('fact.route'), row.route],
    [t('fact.key'), row.key_name],
    [t('fact.session'), row.session_id === null ? null : <code key="session" className="hf-mono hf-text">{row.session_id}</code>],
    [t('fact.id'), <code key="id" className="hf-mono hf-text">{row.id}</code>],
  ];
  return (
    <>
      <dl className="hf-facts">
        {facts.filter(([, value]) => value !== null).map(([name, value]) => <div key={name}><dt>{name}</dt><dd className="hf-text">{value}</dd></div>)}
      </dl>
      <div className="hf-row"><CopyButton label={t('drawer.copy_id')} name={t('drawer.copy_id')} copy={() => copy({ what: 'text', text: row.id })} /></div>
    </>
  );
}

function tokenWords(row: ExchangeRow, t: ReturnType<typeof useTranslation>['t'], number: (value: number) => string): string | null {
  if (row.input_tokens === null && row.output_tokens === null) return null;
  const say = (count: number | null) => (count === null ? t('value.unknown') : number(count));
  const parts = [t('requests.tokens_in_out', { input: say(row.input_tokens), output: say(row.output_tokens) })];
  if (row.cache_read_tokens) parts.push(t('fact.cache_read', { n: number(row.cache_read_tokens) }));
  if (row.cache_write_tokens) parts.push(t('fact.cache_write', { n: number(row.cache_write_tokens) }));
  if (row.reasoning_tokens) parts.push(t('fact.reasoning', { n: number(row.reasoning_tokens) }));
  return parts.join(' · ');
}
