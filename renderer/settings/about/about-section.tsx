import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import type { LinkName } from '../../../shared/data.ts';
import { useAppInfo } from '../../data/use-main.ts';
import { Card } from '../../ui/card.tsx';
import { LoadingState } from '../../ui/state.tsx';
import { DiagnosticsCard } from './diagnostics-card.tsx';
import { LicencesCard } from './licences-card.tsx';
import { UpdatesCard } from './updates-card.tsx';
import { useAboutActions } from './use-about.ts';

const RUNTIMES = ['electron', 'chromium', 'node'] as const satisfies readonly LinkName[];
const NAMES = { electron: 'Electron', chromium: 'Chromium', node: 'Node.js' } as const;

/** Which version this is, where its data lies, a bundle for whoever helps, and the licences of what it is built from. */
export function AboutSection() {
  const { t } = useTranslation();
  const info = useAppInfo();
  const { openLink, openFolder } = useAboutActions();
  const say = (words: string) => (done: boolean) => { if (!done) notifications.show({ message: words, color: 'red' }); };
  const follow = (link: LinkName) => { openLink(link).catch(() => false).then(say(t('about.link_not_opened')), () => undefined); };
  const show = () => { openFolder('data').catch(() => false).then(say(t('data.folder_not_opened')), () => undefined); };
  return (
    <div className="hf-stack">
      <Card title={t('about.versions')}>
        {info.data === undefined ? <LoadingState lines={4} /> : (
          <dl className="hf-facts hf-about">
            <div><dt>Holdfast</dt><dd className="hf-text">{info.data.version}</dd></div>
            {RUNTIMES.map((name) => (
              <div key={name}>
                <dt>{NAMES[name]}</dt>
                <dd className="hf-text">{info.data.versions[name]} <button type="button" className="hf-linkish hf-small" aria-label={t('about.site_of', { name: NAMES[name] })} onClick={() => follow(name)}>{t('about.site')}<IconExternalLink size={12} aria-hidden /></button></dd>
              </div>
            ))}
            <div><dt>{t('general.data_dir')}</dt><dd className="hf-text"><span className="hf-mono">{info.data.dataDir}</span> <Button size="compact-xs" onClick={show}>{t('data.open_folder')}</Button></dd></div>
            <div><dt>{t('general.secrets')}</dt><dd className="hf-text">{t(`general.secrets_${info.data.secretBox}`)}</dd></div>
          </dl>
        )}
      </Card>
      <UpdatesCard />
      <DiagnosticsCard />
      <LicencesCard />
    </div>
  );
}
