import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useNow } from '../data/use-now.ts';
import type { Formatter } from '../format.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { useWidth } from '../ui/use-width.ts';
import { lanesOf, layOut, type Lane, type SegmentKind } from './time-line-geometry.ts';
import { shortReason } from './sentence.ts';
import type { TFunction } from 'i18next';

const LEGEND: readonly SegmentKind[] = ['failed', 'pause', 'held', 'answer', 'queue', 'cancelled', 'running'];

/** One bar per attempt, pauses between, drawn to scale; the same in words for those who listen. */
export function TimeLine({ row, live }: { readonly row: ExchangeRow; readonly live: LiveExchange | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const hatch = useId();
  const [box, width] = useWidth(360);
  const now = useNow(250, live !== undefined);
  const lanes = lanesOf(row, live, now);
  if (lanes.length === 0) return <p className="hf-dim">{t('time_line.none')}</p>;
  const layout = layOut(lanes, width);
  const kinds = new Set(lanes.flatMap((lane) => lane.segments.map((segment) => segment.kind)));
  return (
    <div ref={box} className="hf-time-line">
      <svg width={width} height={layout.height} role="img" aria-label={lanes.map((lane) => laneWords(lane, t, format)).join('. ')}>
        <defs>
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" className="hf-hatch-back" />
            <rect width="2.5" height="6" className="hf-hatch-line" />
          </pattern>
        </defs>
        {layout.ticks.map((tick) => <line key={tick.ms} className="hf-grid" x1={tick.x} x2={tick.x} y1={0} y2={layout.axisY} />)}
        {layout.lanes.map(({ lane, bars }) => (
          <g key={lane.n}>
            {bars.map((bar, index) => (
              <rect key={index} className={`hf-bar hf-bar-${bar.kind}`} x={bar.x} y={bar.y} width={bar.width} height={bar.height} rx={Math.min(2, bar.width / 2)}
                {...(bar.kind === 'pause' && { fill: `url(#${hatch})` })} />
            ))}
          </g>
        ))}
        <line className="hf-axis" x1={0} x2={width} y1={layout.axisY} y2={layout.axisY} />
        {layout.ticks.map((tick) => (
          <text key={tick.ms} className="hf-tick" x={tick.x} y={layout.axisY + 15} textAnchor={tick.x < 20 ? 'start' : tick.x > width - 24 ? 'end' : 'middle'}>{format.tick(tick.ms)}</text>
        ))}
      </svg>
      <div aria-hidden="true">
        {layout.lanes.map(({ lane, label }) => (
          <div key={lane.n} className="hf-lane hf-cut" style={{ left: label.x, top: label.y, maxWidth: label.width, height: label.height }} title={laneWords(lane, t, format)}>
            <b>{lane.n}</b><b>{lane.upstream}</b>{detailWords(lane, t, format)}
          </div>
        ))}
      </div>
      <ul className="hf-legend" aria-hidden="true">
        {LEGEND.filter((kind) => kinds.has(kind)).map((kind) => <li key={kind}><i className={`hf-key hf-key-${kind}`} />{t(`time_line.kind.${kind}`)}</li>)}
      </ul>
    </div>
  );
}

function detailWords(lane: Lane, t: TFunction, format: Formatter): string {
  const result = lane.attempt === null ? t('time_line.running')
    : lane.attempt.outcome === 'failed' && lane.pause !== null ? shortReason(lane.attempt, t)
    : lane.attempt.outcome === 'failed' ? format.commas([shortReason(lane.attempt, t), format.duration(lane.attempt.duration_ms)])
    : format.commas([t(`attempt.outcome.${lane.attempt.outcome}`), format.duration(lane.attempt.duration_ms)]);
  if (lane.pause === null) return result;
  return `${result} · ${t('time_line.pause', { ms: format.duration(lane.pause.ms), reason: t(`pause.reason.${lane.pause.reason}`) })}`;
}

function laneWords(lane: Lane, t: TFunction, format: Formatter): string {
  return t('time_line.spoken', { n: lane.n, upstream: lane.upstream, what: detailWords(lane, t, format) });
}
