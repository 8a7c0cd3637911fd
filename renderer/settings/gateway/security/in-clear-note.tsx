import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSealSecrets } from '../../../data/use-seal-secrets.ts';

/** Says that secrets lie in clear although there is a keychain, what sealing them means, and does it. */
export function InClearNote({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const sealSecrets = useSealSecrets();
  const [busy, setBusy] = useState(false);
  const seal = async () => {
    setBusy(true);
    try {
      await sealSecrets();
      notifications.show({ message: t('security.sealed') });
    } catch {
      notifications.show({ message: t('security.not_sealed'), color: 'red' });
    }
    setBusy(false);
  };
  return (
    <div className="hf-stack">
      <p className="hf-note-amber">{t('security.in_clear', { count })}</p>
      <div><Button onClick={() => void seal()} loading={busy}>{t('security.seal')}</Button></div>
    </div>
  );
}
