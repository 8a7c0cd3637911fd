import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bridge } from '../../../bridge.ts';
import { keyOf } from '../../../data/query.ts';

/** Says that secrets lie in clear although there is a keychain, what sealing them means, and does it. */
export function InClearNote({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const seal = async () => {
    setBusy(true);
    try {
      await bridge().request['app.seal_secrets'](null);
      notifications.show({ message: t('security.sealed') });
    } catch {
      notifications.show({ message: t('security.not_sealed'), color: 'red' });
    }
    setBusy(false);
    await cache.invalidateQueries({ queryKey: keyOf('app.info') });
  };
  return (
    <div className="hf-stack">
      <p className="hf-note-amber">{t('security.in_clear', { count })}</p>
      <div><Button onClick={() => void seal()} loading={busy}>{t('security.seal')}</Button></div>
    </div>
  );
}
