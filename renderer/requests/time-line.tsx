import type { TFunction } from 'i18next';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeRow } from '../../shared/log.ts';
import { useFormat } from '../data/use-format.ts';
import { useNow } from '../data/use-now.ts';
import type { Formatter } from '../format.ts';
import type { LiveExchange } from '../live/in-flight.ts';
import { useWidth } from '../ui/use-width.ts';
import { foldAttempts, lanesOf, layOut, type Lane, type SegmentKind, type TimeLineLayout } from './time-line-geometry.ts';
import { shortReason } from './sentence.ts';

const LEGEND: readonly SegmentKind[] = ['failed', 'pause', 'held', 'answer', 'queue', 'cancelled', 'running', 'missing'];
/** One bar per attempt, pauses between, drawn to scale; the same in words for those who listen. */
export function TimeLine({ row, live }: { readonly row: ExchangeRow; readonly live: LiveExchange | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [box, width] = useWidth(360);
  const now = useNow(250, live !== undefined);
  const lanes = lanesOf(foldAttempts(row), live, now);
  if (lanes.length === 0) return <p className="hf-dim">{t('time_line.none')}</p>;
  const layout = layOut(lanes, width);
  const kinds = new Set(lanes.flatMap((lane) => lane.segments.map((segment) => segment.kind)));
  return (
    <div className="hf-time-line">
      <div ref={box} className="hf-lanes">
        <Bars layout={layout} width={width} label={lanes.map((lane) => laneWords(lane, t, format)).join('. ')} />
        <div aria-hidden="true">
          {layout.lanes.map(({ lane, label }) => (
            <div key={lane.n} className="hf-lane hf-cut" style={{ left: label.x, top: label.y, maxWidth: label.width, height: label.height }} title={laneWords(lane, t, format)}>
              {lane.missing === 0 && <><b>{lane.n}</b><b>{lane.upstream}</b></>}{detailWords(lane, t, format)}
            </div>
          ))}
        </div>
      </div>
      <Axis layout={layout} width={width} format={format} />
      <ul className="hf-legend" aria-hidden="true">
        {LEGEND.filter((kind) => kinds.has(kind)).map((kind) => <li key={kind}><i className={`hf-key hf-key-${kind}`} />{t(`time_line.kind.${kind}`)}</li>)}
      </ul>
    </div>
  );
}

function Bars({ layout, width, label }: { readonly layout: TimeLineLayout; readonly width: number; readonly label: string }) {
  const hatch = useId();
  return (
    <svg width={width} height={layout.axisY} role="img" aria-label={label}>
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
    </svg>
  );
}

function Axis({ layout, width, format }: { readonly layout: TimeLineLayout; readonly width: number; readonly format: Formatter }) {
  return (
    <svg width={width} height={20} aria-hidden="true">
      <line className="hf-axis" x1={0} x2={width} y1={0.5} y2={0.5} />
      {layout.ticks.map((tick) => (
        <text key={tick.ms} className="hf-tick" x={tick.x} y={15} textAnchor={tick.x < 20 ? 'start' : tick.x > width - 24 ? 'end' : 'middle'}>{format.tick(tick.ms)}</text>
      ))}
    </svg>
  );
}

function detailWords(lane: Lane, t: TFunction, format: Formatter): string {
  if (lane.missing > 0) return t('time_line.between', { count: lane.missing, n: format.number(lane.missing) });
  const parts = [resultWords(lane, t, format)];
  if (lane.attempt !== null && lane.attempt.queued_ms > 0) parts.unshift(t('time_line.queued', { ms: format.duration(lane.attempt.queued_ms) }));
  if (lane.pause !== null) parts.push(lane.pause.reason === null ? t('time_line.pause_last', { ms: format.duration(lane.pause.ms) }) : t('time_line.pause', { ms: format.duration(lane.pause.ms), reason: t(`pause.reason.${lane.pause.reason}`) }));
  return parts.join(' · ');
}

function resultWords({ attempt, pause }: Lane, t: TFunction, format: Formatter): string {
  if (attempt === null) return t('time_line.running');
  if (attempt.outcome === 'failed') return pause === null ? format.commas([shortReason(attempt, t), format.duration(attempt.duration_ms)]) : shortReason(attempt, t);
  const content = attempt.first_content_ms === null ? '' : t('time_line.first_content', { ms: format.duration(attempt.first_content_ms) });
  return format.commas([t(`attempt.outcome.${attempt.outcome}`), content, format.duration(attempt.duration_ms)]);
}

function laneWords(lane: Lane, t: TFunction, format: Formatter): string {
  const what = detailWords(lane, t, format);
  return lane.missing > 0 ? what : t('time_line.spoken', { n: lane.n, upstream: lane.upstream, what });
}
