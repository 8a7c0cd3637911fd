import { useTranslation } from 'react-i18next';
import type { PageName } from '../../shared/ipc.ts';
import { useFirstSteps } from '../data/use-main.ts';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { PageHead } from '../ui/card.tsx';
import { LoadingState } from '../ui/state.tsx';
import { AddressCard } from './address-card.tsx';
import { FirstStepsCard } from './first-steps-card.tsx';
import { InFlightCard } from './in-flight-card.tsx';
import { LatelyCard } from './lately-card.tsx';
import { UpstreamsCard } from './upstreams-card.tsx';

/** Where to point tools, what runs now, what happened lately; the first steps until they are done or put away. */
export function OverviewPage({ show, go }: { readonly show: (id: string) => void; readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  const steps = useFirstSteps();
  const first = steps.data !== undefined && !steps.data.dismissed ? steps.data : null;
  return (
    <div className="hf-page">
      <PageHead title={t('page.overview')}>{t('overview.line')}</PageHead>
      <GatewayBanner />
      {steps.isPending ? <section className="hf-card"><LoadingState lines={4} /></section> : <div className="hf-overview">
        {first === null ? <><AddressCard /><UpstreamsCard canAdd all={() => go('upstreams')} /></> : (
          <>
            <FirstStepsCard steps={first} show={show} />
            <div className="hf-column"><AddressCard /><UpstreamsCard canAdd={false} all={() => go('upstreams')} /></div>
          </>
        )}
        <InFlightCard />
        <LatelyCard show={show} all={() => go('requests')} />
      </div>}
    </div>
  );
}
