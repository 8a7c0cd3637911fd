import { SegmentedControl } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FIGURE_SPANS, type FigureBucket } from '../../shared/figures.ts';
import type { PageName } from '../../shared/ipc.ts';
import { useFirstSteps } from '../data/use-main.ts';
import { useRemembered } from '../data/use-remembered.ts';
import type { PageFilter } from '../requests/filter.ts';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { EmptyState, ErrorState, LoadingState } from '../ui/state.tsx';
import { AddressCard } from './address-card.tsx';
import { FigureTiles } from './figure-tiles.tsx';
import { FiguresCard } from './figures-card.tsx';
import { FirstStepsCard } from './first-steps-card.tsx';
import { InFlightCard } from './in-flight-card.tsx';
import { LatelyCard } from './lately-card.tsx';
import { UpstreamsCard } from './upstreams-card.tsx';
import { useFigures } from './use-figures.ts';

/** The ways that lead on from the overview. */
export interface OverviewWays {
  /** To one request. */
  readonly show: (id: string) => void;
  /** To the requests that pass a filter. */
  readonly list: (filter: PageFilter) => void;
  readonly go: (page: PageName) => void;
  readonly prices: () => void;
}

/** What became of requests, what runs now, where to point tools; the first steps go before until they are done or put away. */
export function OverviewPage({ show, list, go, prices }: OverviewWays) {
  const { t } = useTranslation();
  const [span, choose] = useRemembered('overview.span', FIGURE_SPANS, '24h');
  const steps = useFirstSteps();
  const figures = useFigures(span);
  const first = steps.data !== undefined && !steps.data.dismissed ? steps.data : null;
  const some = figures.data !== undefined && figures.data.totals.requests > 0 ? figures.data : null;
  const bucket = ({ from, to }: FigureBucket) => list({ range: { kind: 'between', from, to } });
  return (
    <div className="hf-page">
      <div className="hf-page-top">
        <PageHead title={t('page.overview')}>{t('overview.line')}</PageHead>
        <SegmentedControl size="xs" className="hf-span" aria-label={t('figures.span')} value={span} onChange={choose} data={FIGURE_SPANS.map((value) => ({ value, label: t(`figures.span_name.${value}`) }))} />
      </div>
      <GatewayBanner />
      {steps.isPending ? <section className="hf-card"><LoadingState lines={4} /></section> : <div className={figures.isPlaceholderData ? 'hf-overview hf-overview-waits' : 'hf-overview'}>
        {first !== null && <><FirstStepsCard steps={first} show={show} /><div className="hf-column"><AddressCard /><UpstreamsCard canAdd={false} all={() => go('upstreams')} /></div></>}
        {some !== null && <FigureTiles figures={some} list={list} />}
        <InFlightCard />
        {some !== null ? <FiguresCard figures={some} show={bucket} prices={prices} /> : (
          <Card title={t(`figures.last.${span}`)} className="hf-wide">
            {figures.isError ? <ErrorState again={() => void figures.refetch()} /> : figures.data === undefined ? <LoadingState lines={3} />
              : <EmptyState small icon={<IconChartBar size={20} stroke={1.5} aria-hidden />} title={t('figures.empty_title')}>{t('figures.empty_text')}</EmptyState>}
          </Card>
        )}
        {first === null && <><AddressCard /><UpstreamsCard canAdd all={() => go('upstreams')} /></>}
        <LatelyCard show={show} all={() => go('requests')} />
      </div>}
    </div>
  );
}
