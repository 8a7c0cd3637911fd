import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../shared/settings.ts';
import { useSaveWithUndo } from '../use-save-with-undo.tsx';
import { SettingLine } from '../setting-line.tsx';

const LANGUAGE_CHOICES = ['system', 'en', 'zh'] as const;
const THEME_CHOICES = ['system', 'light', 'dark'] as const;

/** Language and theme of the window. */
export function GeneralSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const save = useSaveWithUndo();
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
    </div>
  );
}
