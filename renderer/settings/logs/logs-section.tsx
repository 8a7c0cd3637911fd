import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../shared/settings.ts';
import { ChoiceLine } from '../choice-line.tsx';
import { NumberLine } from '../number-line.tsx';
import { useSaveWithUndo } from '../use-save-with-undo.tsx';
import { OnDiskCard } from './on-disk-card.tsx';

const BODIES = ['off', 'errors', 'all'] as const;

/** What the log keeps, for how long, and what of it lies on the disk now. */
export function LogsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const save = useSaveWithUndo();
  const bodies = settings['logs.bodies'];
  return (
    <div className="hf-stack">
      <section className="hf-card">
        <ChoiceLine setting="logs.bodies" settings={settings} save={save} choices={BODIES} title={t('logs.bodies')} help={t('logs.bodies_help')} say={(choice) => t(`logs.bodies_${choice}`)} />
        {bodies !== 'off' && <p className="hf-note-amber hf-note-between">{t(`logs.bodies_${bodies}_note`)}</p>}
        <NumberLine setting="logs.body_retention_days" settings={settings} save={save} unit="d" title={t('logs.body_days')} help={t('logs.body_days_help')} />
        <NumberLine setting="logs.retention_days" settings={settings} save={save} unit="d" title={t('logs.days')} help={t('logs.days_help')} />
        <NumberLine setting="logs.max_mb" settings={settings} save={save} unit="mib" title={t('logs.size')} help={t('logs.size_help')} />
      </section>
      <OnDiskCard />
    </div>
  );
}
