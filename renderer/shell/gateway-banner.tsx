import { Button } from '@mantine/core';
import { IconAlertTriangle, IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useGatewayState } from '../data/use-main.ts';
import { NoticeBanner } from './notice-banner.tsx';

/** Why the endpoint is not where it should be, and the one button that cures it; nothing while all is well. */
export function GatewayBanner() {
  const { t } = useTranslation();
  const { data: state } = useGatewayState();
  const { usePort: moveTo, setAccepting } = useActions();
  const [moving, setMoving] = useState(false);
  const problem = state?.status === 'failed' || state?.status === 'running' ? state.problem : null;
  if (!problem) {
    return (
      <>
        <NoticeBanner />
        {state?.status === 'running' && state.closed === true && <ClosedBanner resume={() => { setAccepting(true).catch(() => undefined); }} />}
      </>
    );
  }
  const { port, owner, freePort } = problem;
  const move = (wanted: number) => { setMoving(true); moveTo(wanted).finally(() => setMoving(false)).catch(() => undefined); };
  return (
    <>
    <NoticeBanner />
    <div className={state?.status === 'running' ? 'hf-banner hf-banner-amber' : 'hf-banner'} role="alert">
      <IconAlertTriangle size={20} stroke={1.8} aria-hidden />
      <div>
        <h2>{owner === null || problem.kind !== 'port_in_use' ? t(`problem.${problem.kind}`, { port }) : t('shell.port_owned', { port, owner })}</h2>
        <p>{state?.status === 'running' ? t('shell.still_at', { url: state.url }) : t('shell.nothing_listens')}</p>
      </div>
      {freePort !== null && <Button variant="filled" loading={moving} onClick={() => move(freePort)}>{t('shell.use_port', { port: freePort })}</Button>}
    </div>
    </>
  );
}

function ClosedBanner({ resume }: { readonly resume: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="hf-banner hf-banner-amber" role="status">
      <IconHandStop size={20} stroke={1.8} aria-hidden />
      <div>
        <h2>{t('shell.closed')}</h2>
        <p>{t('shell.closed_help')}</p>
      </div>
      <Button variant="filled" onClick={resume}>{t('shell.resume')}</Button>
    </div>
  );
}
