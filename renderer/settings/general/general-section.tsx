import { useTranslation } from 'react-i18next';
import type { LoginStart } from '../../../shared/desktop.ts';
import type { Settings } from '../../../shared/settings.ts';
import { useUpdates } from '../../data/use-updates.ts';
import { ChoiceLine } from '../choice-line.tsx';
import { SwitchLine } from '../switch-line.tsx';
import { useSaveWithUndo } from '../use-save-with-undo.tsx';
import { useLoginStart } from './use-login-start.ts';

const LANGUAGES = ['system', 'en', 'zh'] as const;
const THEMES = ['system', 'light', 'dark'] as const;
const NOTIFICATIONS = ['off', 'in_app', 'system'] as const;

/** How the app looks, and how it behaves on the desktop. */
export function GeneralSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const save = useSaveWithUndo();
  const login = useLoginStart(settings['app.start_at_login']);
  const { state: updates } = useUpdates();
  return (
    <div className="hf-stack">
      <section className="hf-card">
        <ChoiceLine setting="app.language" settings={settings} save={save} choices={LANGUAGES} title={t('general.language')} help={t('general.language_help')} say={(one) => t(`general.language_${one}`)} />
        <ChoiceLine setting="app.theme" settings={settings} save={save} choices={THEMES} title={t('general.theme')} help={t('general.theme_help')} say={(one) => t(`general.theme_${one}`)} />
      </section>
      <section className="hf-card">
        <SwitchLine setting="app.start_at_login" settings={settings} save={save} title={t('general.start_at_login')} help={<>{t('general.start_at_login_help')}<LoginNote login={login} wanted={settings['app.start_at_login']} /></>} />
        <SwitchLine setting="app.start_hidden" settings={settings} save={save} title={t('general.start_hidden')} help={t('general.start_hidden_help')} />
        <SwitchLine setting="app.close_to_tray" settings={settings} save={save} title={t('general.close_to_tray')} help={t('general.close_to_tray_help')} />
      </section>
      <section className="hf-card">
        <ChoiceLine setting="app.notifications" settings={settings} save={save} choices={NOTIFICATIONS} title={t('general.notifications')} help={t('general.notifications_help')} say={(one) => t(`general.notifications_${one}`)} />
        <SwitchLine setting="app.check_updates" settings={settings} save={save} title={t('general.check_updates')} help={updates?.status === 'unavailable' ? t(`updates.unavailable.${updates.reason}`) : t('general.check_updates_help')} />
      </section>
    </div>
  );
}

// The switch says what the user wants, this what the system makes of it.
function LoginNote({ login, wanted }: { readonly login: LoginStart | undefined; readonly wanted: boolean }) {
  const { t } = useTranslation();
  if (!wanted || login === undefined || login.kind === 'on' || login.kind === 'off') return null;
  const words = login.kind === 'blocked' ? t('general.login_blocked') : login.why === 'failed' ? t('general.login_failed', { reason: login.reason }) : t('general.login_not_packaged');
  return <strong className="hf-note" role="status"> {words}</strong>;
}
