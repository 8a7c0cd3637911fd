import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core';
import { IconColumns3, IconMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AS_DESIGNED, chosen, COLUMN_NAMES, isWanted, sized, type ColumnChoice, type ColumnFit, type ColumnName } from './column-fit.ts';

const STEP = 16;

/** Which columns stand in the list, and how wide; what the edges of the table do with the mouse, by keyboard. */
export function ColumnMenu({ choice, choose, fit }: { readonly choice: ColumnChoice; readonly choose: (choice: ColumnChoice) => void; readonly fit: ColumnFit }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" shadow="md" withinPortal={false} returnFocus>
      <Popover.Target><ActionIcon className="hf-columns-button" variant="default" size={30} aria-label={t('columns.title')} title={t('columns.title')} onClick={() => setOpen(!open)}><IconColumns3 size={15} aria-hidden /></ActionIcon></Popover.Target>
      <Popover.Dropdown className="hf-columns" aria-label={t('columns.title')}>
        {open && COLUMN_NAMES.map((name) => <Line key={name} name={name} choice={choice} choose={choose} fit={fit} />)}
        {open && <Button onClick={() => choose(AS_DESIGNED)}>{t('columns.reset')}</Button>}
      </Popover.Dropdown>
    </Popover>
  );
}

function Line({ name, choice, choose, fit }: { readonly name: ColumnName; readonly choice: ColumnChoice; readonly choose: (choice: ColumnChoice) => void; readonly fit: ColumnFit }) {
  const { t } = useTranslation();
  const label = t(`column.${name}`);
  const noRoom = fit.noRoom.includes(name);
  // One that found no room is asked for by a click, and the table scrolls sideways then.
  const width = choice.widths[name] ?? fit.widths[name];
  return (
    <div className="hf-row">
      <Checkbox size="xs" className="hf-spring" checked={isWanted(choice, name)} indeterminate={noRoom} onChange={(event) => choose(chosen(choice, name, noRoom || event.currentTarget.checked))} label={noRoom ? t('columns.no_room', { name: label }) : label} />
      <ActionIcon size="sm" aria-label={t('columns.narrower', { name: label })} onClick={() => choose(sized(choice, name, width - STEP))}><IconMinus size={13} aria-hidden /></ActionIcon>
      <ActionIcon size="sm" aria-label={t('columns.wider', { name: label })} onClick={() => choose(sized(choice, name, width + STEP))}><IconPlus size={13} aria-hidden /></ActionIcon>
    </div>
  );
}
