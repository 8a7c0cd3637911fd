import { Tooltip } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconLayoutDashboard, IconListDetails, IconRoute, IconServer2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PAGE_NAMES, type PageName } from '../../shared/ipc.ts';
import { Logo } from '../ui/logo.tsx';
import { useWide } from '../ui/use-wide.ts';
import { GatewayPill } from './gateway-pill.tsx';

const ICONS = { overview: IconLayoutDashboard, requests: IconListDetails, upstreams: IconServer2, routes: IconRoute, settings: IconAdjustmentsHorizontal } as const;

/** The way between pages, and the state of the gateway under it; icons alone in a narrow window. */
export function Sidebar({ page, go }: { readonly page: PageName; readonly go: (page: PageName) => void }) {
  const { t } = useTranslation();
  const wide = useWide();
  return (
    <nav className="hf-side" aria-label={t('shell.pages')}>
      <div className="hf-brand"><Logo size={22} /><span>Holdfast</span></div>
      {PAGE_NAMES.map((name) => {
        const Icon = ICONS[name];
        return (
          <Tooltip key={name} label={t(`page.${name}`)} position="right" disabled={wide}>
            <button type="button" className="hf-nav" aria-current={page === name ? 'page' : undefined} onClick={() => go(name)}>
              <Icon size={17} stroke={1.7} aria-hidden /><span>{t(`page.${name}`)}</span>
            </button>
          </Tooltip>
        );
      })}
      <GatewayPill />
    </nav>
  );
}
