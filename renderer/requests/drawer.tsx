import { ActionIcon, Button } from '@mantine/core';
import { IconMessages, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeptContents } from '../../shared/contents.ts';
import { curlOf } from '../../shared/curl.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useActions, useGatewayState } from '../data/use-main.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { useLive } from '../live/use-live.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { StatusTag } from '../ui/status-tag.tsx';
import { AttemptsTable } from './attempts-table.tsx';
import { modelWords } from './columns.tsx';
import { Contents } from './contents.tsx';
import { Facts } from './facts.tsx';
import { billedOf, sentenceOf } from './sentence.ts';
import { TimeLine } from './time-line.tsx';
import { useContents } from './use-log.ts';
import { useRequest } from './use-request.ts';

/** What happened to one exchange: a sentence, the time line, each attempt, the error, the facts, headers and bodies. */
export function Drawer({ id, listed, close, session }: { readonly id: string; readonly listed: ExchangeRow | undefined; readonly close: () => void; /** Shows all requests of a session. */ readonly session: (id: string) => void }) {
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
    <aside ref={panel} className="hf-drawer" aria-label={t('drawer.title')} tabIndex={-1}>
      {row ? <Story row={row} live={exchanges.get(id)} close={close} session={session} /> : (
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

function Story({ row, live, close, session }: { readonly row: ExchangeRow; readonly live: LiveExchange | undefined; readonly close: () => void; readonly session: (id: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const contents = useContents(row.id, row.state === 'done');
  const billed = billedOf(row, t);
  return (
    <>
      <header className="hf-drawer-head">
        <h2>{t('drawer.head', { client: row.client ?? t('value.unknown_client'), model: modelWords(row) ?? row.path })}</h2>
        <StatusTag row={row} live={live} />
        <CloseButton close={close} />
      </header>
      <p className="hf-story hf-text">{format.sentences([sentenceOf(row, t, format), billed])}</p>
      <Actions row={row} contents={contents.data ?? null} session={session} />
      <Part title={t('drawer.time_line')}><TimeLine row={row} live={live} /></Part>
      {row.detail.attempts.length > 0 && <Part title={t('drawer.attempts')}><AttemptsTable attempts={row.detail.attempts} /></Part>}
      {row.error_message !== null && <ErrorText row={row} message={row.error_message} />}
      <Part title={t('drawer.details')}><Facts row={row} /></Part>
      {row.state === 'done' && (
        <Part title={t('contents.title')}>
          {contents.isError ? <ErrorState again={() => void contents.refetch()} /> : contents.data === undefined ? <LoadingState lines={2} /> : contents.data === null ? <p className="hf-dim hf-small">{t('contents.none')}</p> : <Contents contents={contents.data} />}
        </Part>
      )}
    </>
  );
}

function Actions({ row, contents, session }: { readonly row: ExchangeRow; readonly contents: KeptContents | null; readonly session: (id: string) => void }) {
  const { t } = useTranslation();
  const { copy } = useActions();
  const { data: gateway } = useGatewayState();
  const url = gateway?.status === 'running' ? gateway.url : 'http://127.0.0.1:4653';
  const { session_id: sessionId } = row;
  return (
    <div className="hf-row hf-drawer-actions">
      <CopyButton label={t('drawer.copy_curl')} name={t('drawer.copy_curl_long')} copy={() => copy({ what: 'text', text: curlOf(row, contents, url) })} />
      <CopyButton label={t('drawer.copy_id')} name={t('drawer.copy_id')} copy={() => copy({ what: 'text', text: row.id })} />
      {sessionId !== null && <Button leftSection={<IconMessages size={14} aria-hidden />} onClick={() => session(sessionId)} title={t('drawer.session_long')}>{t('drawer.session')}</Button>}
    </div>
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
