import { ActionIcon, Switch } from '@mantine/core';
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ListedKey } from '../../../../shared/key.ts';
import { useFormat } from '../../../data/use-format.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';

const MINUTE_MS = 60_000;

/** One key: its name, its last characters, when it was last used, and what can be done with it. */
export function KeyRow({ shown: { name, hint, disabled, lastUsedAt }, now, copy, rename, rotate, remove, setDisabled }: {
  readonly shown: ListedKey;
  /** Ms since 1970. */
  readonly now: number;
  readonly copy: () => Promise<boolean>;
  readonly rename: () => void;
  readonly rotate: () => void;
  readonly remove: () => void;
  readonly setDisabled: (disabled: boolean) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const sinceMs = lastUsedAt === null ? null : Math.max(0, now - lastUsedAt);
  const used = sinceMs === null ? t('keys.never') : sinceMs < MINUTE_MS ? t('keys.just_now') : t('keys.ago', { time: format.total(Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS) });
  return (
    <tr>
      <th scope="row">{name}{disabled && <span className="hf-dim hf-price-long">{t('keys.is_disabled')}</span>}</th>
      <td className="hf-mono hf-text">{hint}</td>
      <td title={lastUsedAt === null ? undefined : format.second(lastUsedAt)}>{used}</td>
      <td><Switch size="xs" withThumbIndicator={false} aria-label={t('keys.enabled_of', { name })} checked={!disabled} onChange={(event) => setDisabled(!event.currentTarget.checked)} /></td>
      <td className="hf-price-actions">
        <CopyButton name={t('keys.copy_of', { name })} copy={copy} />
        <ActionIcon aria-label={t('keys.rename_of', { name })} onClick={rename}><IconPencil size={15} aria-hidden /></ActionIcon>
        <ActionIcon aria-label={t('keys.rotate_of', { name })} onClick={rotate}><IconRefresh size={15} aria-hidden /></ActionIcon>
        <ActionIcon aria-label={t('keys.delete_of', { name })} onClick={remove}><IconTrash size={15} aria-hidden /></ActionIcon>
      </td>
    </tr>
  );
}
