import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { FigureBucket, Figures } from '../../shared/figures.ts';
import { useFormat } from '../data/use-format.ts';
import { useWidth } from '../ui/use-width.ts';
import { layOutBars, type Bar } from './bars-geometry.ts';
import { FIGURE_PARTS, partsOf } from './figure-parts.ts';
import { bucketWords, timeOf, whenOf } from './figure-words.ts';
import { fillOf, Swatch, Textures } from './textures.tsx';

const HEIGHT = 176;
const TIP_PX = 210;

/** The figures as stacked bars. Mouse and arrow keys tell what each is made of; a click or Enter shows its requests. */
export function Bars({ figures, show }: { readonly figures: Figures; readonly show: (bucket: FigureBucket) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [box, width] = useWidth(720);
  const [told, tell] = useState<number | null>(null);
  const { buckets, span } = figures;
  const layout = layOutBars(buckets, width, HEIGHT);
  const last = buckets.length - 1;
  // A shorter span may have fewer bars than the one before.
  const at = told === null || told > last ? null : told;
  const current = buckets[at ?? last];
  const under = (event: PointerEvent<HTMLElement>): number | null => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const index = layout.bars.findIndex((bar) => x >= bar.stripX && x < bar.stripX + bar.stripWidth);
    return index < 0 ? null : index;
  };
  const press = (event: KeyboardEvent) => {
    const now = at ?? last;
    if (event.key === 'Enter' && current !== undefined && current.requests > 0) show(current);
    const next = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    tell(Math.min(last, Math.max(0, next)));
  };
  return (
    <div ref={box} className="hf-bars" role="slider" tabIndex={0} aria-label={t('figures.chart')} aria-roledescription={t('figures.as_chart')} aria-describedby={`${id}-hint`} aria-valuemin={0} aria-valuemax={last} aria-valuenow={at ?? last}
      aria-valuetext={current === undefined ? '' : bucketWords(current, span, t, format)} onKeyDown={press} onFocus={() => { if (at === null) tell(last); }} onBlur={() => tell(null)}
      onPointerMove={(event) => tell(under(event))} onPointerLeave={() => tell(null)} onClick={() => { if (at !== null && current !== undefined && current.requests > 0) show(current); }}>
      <span id={`${id}-hint`} className="hf-hidden">{t('figures.bar_hint')}</span>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <Textures id={id} />
        {layout.lines.map((line) => (
          <g key={line.count}>
            <line className={line.count === 0 ? 'hf-axis' : 'hf-grid'} x1={layout.plot.left} x2={layout.plot.right} y1={line.y} y2={line.y} />
            <text className="hf-tick" x={layout.plot.left - 8} y={line.y + 4} textAnchor="end">{format.compact(line.count)}</text>
          </g>
        ))}
        {at !== null && layout.bars[at] !== undefined && <rect className="hf-bar-told" x={layout.bars[at].stripX} width={layout.bars[at].stripWidth} y={layout.plot.top} height={layout.plot.bottom - layout.plot.top} />}
        {layout.bars.map((bar, index) => <BarShape key={buckets[index]?.from} bar={bar} id={id} />)}
        {layout.labels.map(({ index, x }) => <text key={index} className="hf-tick" x={x} y={HEIGHT - 5}>{whenOf(buckets[index]?.from ?? 0, span, format)}</text>)}
      </svg>
      {at !== null && current !== undefined && <Tip bucket={current} figures={figures} id={id} left={placeOf(layout.bars[at], width)} />}
      <ul className="hf-bars-legend" aria-hidden="true">{FIGURE_PARTS.filter((part) => figures.totals[part] > 0).map((part) => <li key={part}><Swatch id={id} part={part} />{t(`figures.${part}`)}</li>)}</ul>
    </div>
  );
}

function BarShape({ bar, id }: { readonly bar: Bar; readonly id: string }) {
  // A hair of the panel keeps neighbours apart.
  return <>{bar.parts.map(({ part, y, height }) => <rect key={part} className={part === 'cancelled' ? 'hf-swatch-edge' : undefined} x={bar.x} width={bar.width} y={y} height={Math.max(1, height - (height > 3 ? 1 : 0))} fill={fillOf(id, part)} />)}</>;
}

/** What one bar is made of; for the eye only, since the bar says it itself. */
function Tip({ bucket, figures: { span }, id, left }: { readonly bucket: FigureBucket; readonly figures: Figures; readonly id: string; readonly left: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = timeOf(bucket, span, format);
  return (
    <div className="hf-bars-tip" aria-hidden="true" style={{ left, width: TIP_PX }}>
      <p>{time.from} – {time.to}</p>
      {bucket.requests === 0 ? <p className="hf-dim">{t('figures.bar_none')}</p> : (
        <ul>{partsOf(bucket).toReversed().map(({ part, count }) => <li key={part}><Swatch id={id} part={part} /><span>{t(`figures.${part}`)}</span><span className="hf-num">{format.number(count)}</span></li>)}</ul>
      )}
    </div>
  );
}

// Beside the bar, on the side that has room, so that it never covers what it tells of.
function placeOf(bar: Bar | undefined, width: number): number {
  if (bar === undefined) return 0;
  const right = bar.stripX + bar.stripWidth + 8;
  return right + TIP_PX <= width ? right : Math.max(0, bar.stripX - TIP_PX - 8);
}
