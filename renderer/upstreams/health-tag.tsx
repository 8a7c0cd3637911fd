import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconMoon, IconPlayerPause, IconRefresh, IconRefreshAlert } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { UpstreamHealth } from '../../shared/health.ts';
import type { Upstream } from '../../shared/upstream.ts';
import { useFormat } from '../data/use-format.ts';
import { useUpstreamActions } from '../data/use-upstream-actions.ts';
import type { HealthReading, Standing } from './health-state.ts';

const LOOKS = {
  resting: { tone: 'amber', icon: IconMoon }, partly_resting: { tone: 'amber', icon: IconMoon }, on_trial: { tone: 'amber', icon: IconRefreshAlert },
  failing: { tone: 'amber', icon: IconAlertTriangle }, well: { tone: 'ok', icon: IconCheck }, unknown: { tone: 'grey', icon: IconCircleDashed },
} as const satisfies Record<Standing, object>;

/** How an upstream stands, by colour, sign and word; a resting one says for how long. `now` is ms since 1970. */
export function HealthTag({ reading, enabled, now }: { readonly reading: HealthReading; readonly enabled: boolean; readonly now: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!enabled) return <span className="hf-tag"><IconPlayerPause size={12} aria-hidden />{t('upstreams.off')}</span>;
  const { tone, icon: Icon } = LOOKS[reading.standing];
  const left = reading.until === null ? '' : format.duration(Math.max(1_000, Math.ceil((reading.until - now) / 1_000) * 1_000));
  return <span className={`hf-tag hf-tag-${tone}`}><Icon size={12} aria-hidden />{t(`health.state.${reading.standing}`, { left, resting: reading.resting.length })}</span>;
}

/** Which models rest, why and until when: one line each, at most `most`, the others counted. */
export function RestLines({ reading, most }: { readonly reading: HealthReading; readonly most: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      {reading.resting.slice(0, most).map((one) => {
        const line = t('health.rests', { model: one.model, time: format.clock(one.until), reason: t(`health.rest.${one.reason}`) });
        return <span key={one.model} className="hf-cut" title={line}>{line}</span>;
      })}
      {reading.resting.length > most && <span>{t('health.rests_more', { count: reading.resting.length - most })}</span>}
    </>
  );
}

/** The last failure in a few words; nothing when there was none. */
export function LastErrorLine({ health }: { readonly health: UpstreamHealth | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const error = health?.lastError;
  if (!error) return null;
  const what = error.status === null ? t(`failure.class.${error.class}`) : `${error.status} ${t(`failure.class.${error.class}`)}`;
  return <span className="hf-cut" title={`${error.model}: ${error.code}. ${error.message}`}>{t('health.last_error', { time: format.clock(error.at), what })}</span>;
}

/** Ends the rest of an upstream: the next request asks it again. */
export function ResetButton({ upstream }: { readonly upstream: Upstream }) {
  const { t } = useTranslation();
  const { resetHealth } = useUpstreamActions();
  return <Button size="compact-xs" leftSection={<IconRefresh size={13} aria-hidden />} aria-label={t('health.reset_of', { name: upstream.name })} onClick={() => { resetHealth(upstream.id).catch(() => undefined); }}>{t('health.reset')}</Button>;
}
