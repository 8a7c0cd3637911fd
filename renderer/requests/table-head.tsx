import { memo, useRef, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../data/use-format.ts';
import { useNow } from '../data/use-now.ts';
import { sized, type ColumnChoice, type ColumnFit, type ColumnName } from './column-fit.ts';
import { COLUMNS } from './columns.tsx';

interface HeadParts {
  readonly fit: ColumnFit;
  readonly choice: ColumnChoice;
  readonly choose: (choice: ColumnChoice) => void;
  /** Midnight of the day of the rows below it, ms since 1970; null without rows. */
  readonly day: number | null;
}

/** The names of the columns; each has an edge that can be dragged (the menu of columns does the same by keyboard). Over rows of another day it says which. */
export const TableHead = memo(function TableHead({ fit, choice, choose, day }: HeadParts) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(60_000, true);
  const otherDay = day !== null && new Date(now).setHours(0, 0, 0, 0) !== day;
  return (
    <div className="hf-tr hf-th" role="row" aria-rowindex={1}>
      {fit.names.map((name) => {
        const label = t(`column.${name}`);
        const shown = name === 'time' && otherDay ? format.day(day) : fit.compact ? t(`column_short.${name}`) : label;
        return (
          <span key={name} role="columnheader" className={COLUMNS[name].numeric ? 'hf-num' : 'hf-cut'} title={label}>
            {shown === label ? label : <><span className="hf-hidden">{label}</span><span aria-hidden="true">{shown}</span></>}
            <Edge name={name} choice={choice} choose={choose} />
          </span>
        );
      })}
    </div>
  );
}, (a, b) => a.choice === b.choice && a.day === b.day && a.fit.template === b.fit.template);

function Edge({ name, choice, choose }: { readonly name: ColumnName; readonly choice: ColumnChoice; readonly choose: (choice: ColumnChoice) => void }) {
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    drag.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (drag.current !== null) choose(sized(choice, name, drag.current.width + event.clientX - drag.current.x));
  };
  const reset = () => {
    const { [name]: _, ...widths } = choice.widths;
    choose({ ...choice, widths });
  };
  return <i className="hf-edge" aria-hidden="true" onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={() => { drag.current = null; }} onPointerCancel={() => { drag.current = null; }} onDoubleClick={reset} />;
}
