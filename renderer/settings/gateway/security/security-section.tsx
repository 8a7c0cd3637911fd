import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { useAppInfo } from '../../../data/use-main.ts';
import { Card } from '../../../ui/card.tsx';
import { AccessCard } from './access-card.tsx';
import { InClearNote } from './in-clear-note.tsx';
import { KeysCard } from './keys-card.tsx';

/** Keys of the gateway, who may use it, and where secrets are kept. */
export function SecuritySection({ settings }: { readonly settings: Settings }) {
  return (
    <div className="hf-stack">
      <KeysCard />
      <AccessCard settings={settings} />
      <SecretsCard />
    </div>
  );
}

function SecretsCard() {
  const { t } = useTranslation();
  const { data: info } = useAppInfo();
  return (
    <Card title={t('security.secrets')}>
      {info !== undefined && (info.secretBox === 'keychain' ? (
        <>
          <p>{t(info.secretsInClear === 0 ? 'security.in_keychain' : 'security.in_keychain_partly')}</p>
          {info.secretsInClear > 0 && <InClearNote count={info.secretsInClear} />}
        </>
      ) : (
        <>
          <p>{t('security.in_file')} <span className="hf-mono hf-text">{info.dataDir}{info.platform === 'win32' ? '\\' : '/'}secrets.json</span></p>
          <p className="hf-note-amber">{t('security.in_file_note')}{info.platform === 'linux' ? ` ${t('security.in_file_linux')}` : ''}</p>
        </>
      ))}
      <p className="hf-dim hf-small">{t('security.never_shown')}</p>
    </Card>
  );
}
