import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EXPORT_FORMATS } from '../../shared/export.ts';
import type { LogFilter } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useExport } from './use-export.ts';

/** Writes what the filter shows to a file; while it does, how far it is, and a way to stop it. */
export function ExportButton({ filter }: { readonly filter: LogFilter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { running, progress, start, cancel } = useExport();
  if (running) {
    const written = format.number(progress?.written ?? 0);
    const total = progress?.total ?? null;
    return (
      <span className="hf-export">
        <span role="status" className="hf-small hf-dim">{total === null ? t('export.running', { written }) : t('export.running_of', { written, total: format.number(Math.max(total, progress?.written ?? 0)) })}</span>
        <ActionIcon aria-label={t('export.cancel')} title={t('export.cancel')} onClick={cancel}><IconX size={15} aria-hidden /></ActionIcon>
      </span>
    );
  }
  return (
    <Menu width={330} position="bottom-end">
      <Menu.Target><Button leftSection={<IconDownload size={14} aria-hidden />} title={t('export.menu')}>{t('export.button')}</Button></Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((as) => <Menu.Item key={as} onClick={() => start(filter, as)}>{t(`export.as.${as}`)}</Menu.Item>)}
      </Menu.Dropdown>
    </Menu>
  );
}
