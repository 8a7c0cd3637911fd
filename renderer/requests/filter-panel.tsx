import { Button, Checkbox, Popover, Tabs, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OUTCOMES } from '../../shared/failure.ts';
import type { StatusClass } from '../../shared/log.ts';
import { ErrorState, LoadingState } from '../ui/state.tsx';
import { RangeChoice } from './range-choice.tsx';
import { toggled, withFields, type ListField, type PageFilter } from './filter.ts';
import { useFacets } from './use-log.ts';

const STATUS_CLASSES: readonly StatusClass[] = [2, 4, 5];
const FIELDS = ['range', 'outcomes', 'upstreams', 'models', 'clients', 'keys', 'statusClasses', 'errorCodes'] as const;
type Field = (typeof FIELDS)[number];

/** The button that opens everything the list can be narrowed by. */
export function FilterPanel({ filter, change }: { readonly filter: PageFilter; readonly change: (filter: PageFilter) => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} width={440} position="bottom-start" shadow="md" withinPortal={false} returnFocus>
      <Popover.Target><Button leftSection={<IconFilter size={14} aria-hidden />} onClick={() => setOpen(!open)}>{t('filter.button')}</Button></Popover.Target>
      <Popover.Dropdown className="hf-filter-panel" aria-label={t('filter.title')}>{open && <Fields filter={filter} change={change} />}</Popover.Dropdown>
    </Popover>
  );
}

function Fields({ filter, change }: { readonly filter: PageFilter; readonly change: (filter: PageFilter) => void }) {
  const { t } = useTranslation();
  const [field, setField] = useState<Field>('outcomes');
  const chosen = (one: Field) => (one === 'range' ? Number(filter.range !== undefined) : (filter[one]?.length ?? 0));
  return (
    <>
      <Checkbox size="xs" checked={filter.retriedOnly === true} onChange={(event) => change(withFields(filter, { retriedOnly: event.currentTarget.checked }))} label={t('filter.retried_only')} />
      <Tabs orientation="vertical" value={field} onChange={(value) => { if (value !== null) setField(value as Field); }}>
        <Tabs.List aria-label={t('filter.fields')}>
          {FIELDS.map((one) => <Tabs.Tab key={one} value={one} rightSection={chosen(one) > 0 ? <span className="hf-tag hf-tag-accent">{chosen(one)}</span> : undefined}>{t(`filter.field.${one}`)}</Tabs.Tab>)}
        </Tabs.List>
        <Tabs.Panel value={field} className="hf-filter-values">
          {field === 'range' ? <RangeChoice range={filter.range} change={(range) => change(withFields(filter, { range }))} /> : <Values key={field} field={field} filter={filter} change={change} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Values({ field, filter, change }: { readonly field: ListField; readonly filter: PageFilter; readonly change: (filter: PageFilter) => void }) {
  const { t } = useTranslation();
  const facets = useFacets();
  const [find, setFind] = useState('');
  if (field === 'outcomes') return <Group name={t('filter.field.outcomes')}>{OUTCOMES.map((one) => <Value key={one} label={t(`outcome.${one}`)} checked={filter.outcomes?.includes(one) === true} toggle={() => change(toggled(filter, field, one))} />)}</Group>;
  if (field === 'statusClasses') return <Group name={t('filter.field.statusClasses')}>{STATUS_CLASSES.map((one) => <Value key={one} label={t(`filter.status_class.${one}`)} checked={filter.statusClasses?.includes(one) === true} toggle={() => change(toggled(filter, field, one))} />)}</Group>;
  if (facets.isError) return <ErrorState again={() => void facets.refetch()} />;
  if (facets.data === undefined) return <LoadingState lines={4} />;
  const chosen = filter[field] ?? [];
  // What is chosen stays in the list, also when the log does not hold it any more.
  const all = [...new Set([...chosen, ...facets.data[field]])];
  if (all.length === 0) return <p className="hf-dim">{t('filter.no_values')}</p>;
  const shown = all.filter((value) => value.toLowerCase().includes(find.toLowerCase()));
  return (
    <>
      {all.length > 10 && <TextInput size="xs" value={find} onChange={(event) => setFind(event.currentTarget.value)} placeholder={t('filter.find')} aria-label={t('filter.find')} />}
      <Group name={t(`filter.field.${field}`)}>{shown.map((value) => <Value key={value} label={value} checked={chosen.includes(value)} toggle={() => change(toggled(filter, field, value))} />)}</Group>
    </>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return <div role="group" aria-label={name} className="hf-filter-list">{children}</div>;
}

function Value({ label, checked, toggle }: { readonly label: string; readonly checked: boolean; readonly toggle: () => void }) {
  return <Checkbox size="xs" checked={checked} onChange={toggle} label={label} title={label} />;
}
