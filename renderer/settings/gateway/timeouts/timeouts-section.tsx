import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useFormat } from '../../../data/use-format.ts';
import { NumberLine } from '../../number-line.tsx';
import { useSaveWithUndo } from '../../use-save-with-undo.tsx';

/** How long an upstream may be silent, and how long a whole answer may take. */
export function TimeoutsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const save = useSaveWithUndo();
  const whole = settings['gateway.request_timeout_secs'];
  const wait = settings['gateway.retry_wait_secs'];
  return (
    <section className="hf-card">
      <NumberLine setting="gateway.idle_timeout_secs" settings={settings} save={save} unit="s" title={t('timeouts.idle')} help={t('timeouts.idle_help')} />
      <NumberLine setting="gateway.request_timeout_secs" settings={settings} save={save} unit="s" title={t('timeouts.request')} help={t('timeouts.request_help')} />
      {whole < wait && <p className="hf-note-amber" role="status">{t('timeouts.shorter_than_wait', { whole: t('unit.s', { n: format.number(whole) }), wait: t('unit.s', { n: format.number(wait) }) })}</p>}
    </section>
  );
}
