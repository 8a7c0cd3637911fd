import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../shared/settings.ts';
import { useAppInfo } from '../../data/use-main.ts';
import { Card } from '../../ui/card.tsx';
import { useSaveWithUndo } from '../use-save-with-undo.tsx';
import { SettingLine } from '../setting-line.tsx';

const LANGUAGE_CHOICES = ['system', 'en', 'zh'] as const;
const THEME_CHOICES = ['system', 'light', 'dark'] as const;

/** Language and theme of the window, and which version this is. */
export function GeneralSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const save = useSaveWithUndo();
  const info = useAppInfo();
  return (
    <div className="hf-stack">
      <section className="hf-card">
        <SettingLine setting="app.language" title={t('general.language')} help={t('general.language_help')}>
          <SegmentedControl aria-label={t('general.language')} value={settings['app.language']} data={LANGUAGE_CHOICES.map((value) => ({ value, label: t(`general.language_${value}`) }))}
            onChange={(value) => void save('app.language', value, t('general.language'), (one) => t(`general.language_${one}`))} />
        </SettingLine>
        <SettingLine setting="app.theme" title={t('general.theme')} help={t('general.theme_help')}>
          <SegmentedControl aria-label={t('general.theme')} value={settings['app.theme']} data={THEME_CHOICES.map((value) => ({ value, label: t(`general.theme_${value}`) }))}
            onChange={(value) => void save('app.theme', value, t('general.theme'), (one) => t(`general.theme_${one}`))} />
        </SettingLine>
      </section>
      {info.data && (
        <Card title={t('general.about')}>
          <dl className="hf-facts hf-about">
            <div><dt>{t('general.version')}</dt><dd className="hf-text">{info.data.version}</dd></div>
            <div><dt>{t('general.runtime')}</dt><dd className="hf-text">Electron {info.data.versions.electron} · Chromium {info.data.versions.chromium} · Node {info.data.versions.node}</dd></div>
            <div><dt>{t('general.data_dir')}</dt><dd className="hf-mono hf-text">{info.data.dataDir}</dd></div>
            <div><dt>{t('general.secrets')}</dt><dd className="hf-text">{t(`general.secrets_${info.data.secretBox}`)}</dd></div>
          </dl>
        </Card>
      )}
    </div>
  );
}
