import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../shared/updates.ts';
import { useFormat } from '../../data/use-format.ts';
import { useUpdates } from '../../data/use-updates.ts';
import { Card } from '../../ui/card.tsx';
import { LoadingState } from '../../ui/state.tsx';

/** Which version could be had, what is new in it, and the way to it, step by step on the user's word. */
export function UpdatesCard() {
  const { t } = useTranslation();
  const { state, check, download, install } = useUpdates();
  if (state === undefined) return <Card title={t('updates.title')}><LoadingState lines={2} /></Card>;
  const on = (act: () => Promise<void>) => () => { act().catch(() => undefined); };
  const looks = state.status === 'none' || state.status === 'available' || state.status === 'checking' || state.status === 'failed';
  const update = 'update' in state ? state.update : null;
  return (
    <Card title={t('updates.title')}>
      <div aria-live="polite"><UpdateLine state={state} /></div>
      {state.status === 'downloading' && <Progress value={state.share * 100} aria-label={t('updates.title')} />}
      {update !== null && update.notes !== null && (
        <details className="hf-whats-new" open={state.status === 'available'}>
          <summary>{t('updates.notes')}</summary>
          <p className="hf-notes">{update.notes}</p>
        </details>
      )}
      <span className="hf-row">
        {looks && <Button loading={state.status === 'checking'} onClick={on(check)}>{t('updates.check')}</Button>}
        {(state.status === 'available' || (state.status === 'failed' && state.update !== null)) && <Button variant="filled" onClick={on(download)}>{t('updates.download')}</Button>}
        {state.status === 'ready' && <Button variant="filled" onClick={on(install)}>{t('updates.install')}</Button>}
      </span>
    </Card>
  );
}

function UpdateLine({ state }: { readonly state: UpdateState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = (): string => {
    switch (state.status) {
      case 'unavailable': return t(`updates.unavailable.${state.reason}`);
      case 'failed': return t(`updates.fault.${state.fault}`);
      case 'downloading': return t('updates.downloading', { version: state.update.version, percent: format.percent(state.share) });
      case 'available':
      case 'ready':
      case 'installing': return t(`updates.${state.status}`, { version: state.update.version });
      case 'none':
      case 'checking': return t(`updates.${state.status}`);
    }
  };
  return (
    <>
      <p>{words()}</p>
      {'checkedAt' in state && <p className="hf-dim hf-small">{state.checkedAt === null ? t('updates.never') : t('updates.checked', { time: format.second(state.checkedAt) })}</p>}
    </>
  );
}
