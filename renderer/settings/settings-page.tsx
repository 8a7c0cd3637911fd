import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsSection } from '../../shared/link.ts';
import { useSettings } from '../data/use-settings.ts';
import { GatewayBanner } from '../shell/gateway-banner.tsx';
import { PageHead } from '../ui/card.tsx';
import { ErrorState, LoadingState } from '../ui/state.tsx';
import { AboutSection } from './about/about-section.tsx';
import { DataSection } from './data/data-section.tsx';
import { GeneralSection } from './general/general-section.tsx';
import { HealthSection } from './gateway/health/health-section.tsx';
import { LimitsSection } from './gateway/limits/limits-section.tsx';
import { RoutingStrategySection } from './gateway/routing-strategy/routing-strategy-section.tsx';
import { SecuritySection } from './gateway/security/security-section.tsx';
import { ServerSection } from './gateway/server/server-section.tsx';
import { LogsSection } from './logs/logs-section.tsx';
import { PricesSection } from './prices/prices-section.tsx';
import { TimeoutsSection } from './gateway/timeouts/timeouts-section.tsx';

const GROUPS = [
  { name: 'app', sections: ['general'] },
  { name: 'gateway', sections: ['server', 'routing_strategy', 'timeouts', 'health', 'limits', 'security'] },
  { name: 'log', sections: ['logs', 'prices'] },
  { name: 'holdfast', sections: ['data', 'about'] },
] as const satisfies readonly { name: string; sections: readonly SettingsSection[] }[];
type SectionName = (typeof GROUPS)[number]['sections'][number];

/** The settings, section by section, at `first` to begin with; each change is in force at once. */
export function SettingsPage({ first = 'general' }: { readonly first?: SettingsSection }) {
  const { t } = useTranslation();
  const [section, choose] = useState<SectionName>(first);
  const { settings, failed, again } = useSettings();
  return (
    <div className="hf-settings">
      <nav className="hf-sections" aria-label={t('settings.sections')}>
        {GROUPS.map((group) => (
          <div key={group.name}>
            <h2>{t(`settings.group.${group.name}`)}</h2>
            {group.sections.map((name) => (
              <button key={name} type="button" className="hf-section" aria-current={section === name ? 'true' : undefined} onClick={() => choose(name)}>{t(`settings.section.${name}`)}</button>
            ))}
          </div>
        ))}
      </nav>
      <div className="hf-page">
        <PageHead title={t(`settings.section.${section}`)}>{t(`settings.line.${section}`)}</PageHead>
        <GatewayBanner />
        {failed ? <section className="hf-card"><ErrorState again={again} /></section>
          : settings === undefined ? <section className="hf-card"><LoadingState lines={5} /></section>
          : section === 'general' ? <GeneralSection settings={settings} />
          : section === 'logs' ? <LogsSection settings={settings} />
          : section === 'prices' ? <PricesSection />
          : section === 'data' ? <DataSection />
          : section === 'about' ? <AboutSection />
          : section === 'server' ? <ServerSection settings={settings} />
          : section === 'timeouts' ? <TimeoutsSection settings={settings} />
          : section === 'health' ? <HealthSection settings={settings} />
          : section === 'limits' ? <LimitsSection settings={settings} />
          : section === 'security' ? <SecuritySection settings={settings} />
          : <RoutingStrategySection settings={settings} />}
      </div>
    </div>
  );
}
