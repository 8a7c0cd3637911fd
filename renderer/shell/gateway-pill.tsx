import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useActions, useGatewayState } from '../data/use-main.ts';
import { useLive } from '../live/use-live.tsx';

/** State, address and number in flight; a click copies the address. */
export function GatewayPill() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: state } = useGatewayState();
  const { exchanges } = useLive();
  const { copy } = useActions();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const status = state?.status ?? 'starting';
  const running = state?.status === 'running' ? state : null;
  const waiting = [...exchanges.values()].filter((one) => one.state === 'pausing' || one.state === 'queued').length;
  const flight = waiting > 0 ? t('shell.in_flight_waiting', { count: exchanges.size, waiting: format.number(waiting) }) : t('shell.in_flight', { count: exchanges.size });
  const closed = running?.closed === true;
  const title = t(`gateway.status.${closed ? 'closed' : status}`);
  const dot = `hf-dot hf-dot-${running?.problem ? 'problem' : closed ? 'closed' : status}`;
  const address = running?.url.replace(/^http:\/\//, '') ?? '';
  const what = copied ? t('copy.copied') : t('shell.copy_address');
  return (
    <Tooltip label={running ? `${title} · ${address} · ${flight}. ${what}` : title} position="right" {...(copied && { opened: true })}>
      <button type="button" className="hf-pill" disabled={running === null} onClick={() => { copy({ what: 'address' }).then(setCopied, () => setCopied(false)); }}>
        <span className="hf-pill-short" aria-hidden="true"><i className={dot} /><span>{format.number(exchanges.size)}</span></span>
        <span className="hf-pill-long">
          <strong><i className={dot} />{title}</strong>
          {running && <span className="hf-mono hf-cut">{address}</span>}
          {running && <span>{flight}</span>}
        </span>
        <span className="hf-hidden" aria-live="polite">{copied ? t('copy.copied') : t('shell.copy_address')}</span>
      </button>
    </Tooltip>
  );
}
