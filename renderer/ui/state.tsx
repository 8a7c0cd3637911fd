import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What a place shows while it has nothing: a picture, what it will hold, and what to do. */
export function EmptyState({ icon, title, children, action, small = false }: { readonly icon?: ReactNode; readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode; /** In one line, for a card among others. */ readonly small?: boolean }) {
  return (
    <div className={small ? 'hf-state hf-state-small' : 'hf-state'}>
      {icon}
      <p className="hf-state-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** What a place shows when main did not answer. */
export function ErrorState({ again }: { readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="hf-state" role="alert">
      <IconPlugConnectedX size={26} stroke={1.5} aria-hidden />
      <p className="hf-state-title">{t('state.error_title')}</p>
      <p>{t('state.error_text')}</p>
      <Button onClick={again}>{t('state.again')}</Button>
    </div>
  );
}

/** Still bars in the place of text that is on its way. */
export function LoadingState({ lines }: { readonly lines: number }) {
  const { t } = useTranslation();
  return (
    <div className="hf-stack" role="status" aria-label={t('state.loading')}>
      {Array.from({ length: lines }, (_, index) => <div key={index} className="hf-bone" style={{ width: `${[62, 88, 74, 80][index % 4]}%` }} />)}
    </div>
  );
}
