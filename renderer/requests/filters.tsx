import { Button, Menu } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { OUTCOMES } from '../../shared/failure.ts';
import { NO_FILTER, type ListFilter } from './list.ts';

/** What the list is narrowed to, as chips that can be taken away, and the menu that adds them. */
export function Filters({ filter, change }: { readonly filter: ListFilter; readonly change: (filter: ListFilter) => void }) {
  const { t } = useTranslation();
  const toggle = (outcome: (typeof OUTCOMES)[number]) => change({ ...filter, outcomes: filter.outcomes.includes(outcome) ? filter.outcomes.filter((one) => one !== outcome) : [...filter.outcomes, outcome] });
  const narrowed = filter.retriedOnly || filter.outcomes.length > 0;
  return (
    <div className="hf-filters" role="group" aria-label={t('filter.title')}>
      <Menu closeOnItemClick={false} width={210}>
        <Menu.Target><Button leftSection={<IconFilter size={14} aria-hidden />}>{t('filter.button')}</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.CheckboxItem checked={filter.retriedOnly} onChange={() => change({ ...filter, retriedOnly: !filter.retriedOnly })}>{t('filter.retried_only')}</Menu.CheckboxItem>
          <Menu.Divider />
          <Menu.Label>{t('filter.outcome')}</Menu.Label>
          {OUTCOMES.map((outcome) => <Menu.CheckboxItem key={outcome} checked={filter.outcomes.includes(outcome)} onChange={() => toggle(outcome)}>{t(`outcome.${outcome}`)}</Menu.CheckboxItem>)}
        </Menu.Dropdown>
      </Menu>
      {filter.retriedOnly && <Chip label={t('filter.retried_only')} remove={() => change({ ...filter, retriedOnly: false })} />}
      {filter.outcomes.map((outcome) => <Chip key={outcome} label={t(`outcome.${outcome}`)} remove={() => toggle(outcome)} />)}
      {narrowed && <button type="button" className="hf-linkish hf-small" onClick={() => change(NO_FILTER)}>{t('filter.clear')}</button>}
    </div>
  );
}

function Chip({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="hf-chip">
      {label}
      <button type="button" aria-label={t('filter.remove', { name: label })} onClick={remove}><IconX size={12} stroke={2.4} aria-hidden /></button>
    </span>
  );
}
