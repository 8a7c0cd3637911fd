import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { schedule } from '../../../../shared/backoff.ts';
import type { ExchangePolicy } from '../../../../shared/policy.ts';
import { useFormat } from '../../../data/use-format.ts';
import { useWidth } from '../../../ui/use-width.ts';
import { layOutSchedule } from './schedule-geometry.ts';
import { MOST_RETRIES, scheduleWords } from './schedule-words.ts';

/** When each retry would start if every attempt failed at once, drawn and in words, from the functions the gateway decides with. */
export function ScheduleChart({ policy, hintMs }: { readonly policy: ExchangePolicy; /** The time that every failure names, for example; null when none does. */ readonly hintMs: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [box, width] = useWidth(560);
  const words = scheduleWords(policy, t, format, hintMs);
  const retries = schedule(policy, { limit: MOST_RETRIES, ...(hintMs !== null && { hintMs }) });
  const layout = layOutSchedule(retries, policy.deadlineMs, width);
  const { plot } = layout;
  return (
    <div className="hf-schedule">
      <p className="hf-schedule-when" aria-live="polite">{words.when}</p>
      <div ref={box} className="hf-schedule-box">
        {retries.length === 0 ? <div className="hf-schedule-none" aria-hidden="true"><IconX size={16} stroke={2.6} />{t('schedule.goes_back')}</div> : (
          <svg width={width} height={layout.height} role="img" aria-label={[words.when, ...words.more].join(' ')}>
            {layout.ticks.map((tick) => <line key={tick.ms} className="hf-grid" x1={tick.x} x2={tick.x} y1={plot.top} y2={plot.bottom} />)}
            <line className="hf-axis" x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} />
            {layout.rows.map((row) => (
              <g key={row.retry}>
                <rect className={hintMs === null ? 'hf-spread' : 'hf-spread hf-spread-hinted'} x={row.from} y={row.y - row.height / 2} width={Math.max(1, row.to - row.from)} height={row.height} rx={row.height / 2} />
                <circle className={hintMs === null ? 'hf-retry-dot' : 'hf-retry-dot hf-retry-hinted'} cx={row.x} cy={row.y} r={Math.max(2, Math.min(4, row.height / 2))} />
                {row.numbered && <text className="hf-tick" x={plot.left - 14} y={row.y + 4} textAnchor="end">{row.retry}</text>}
              </g>
            ))}
            <path className="hf-fails" d={`M${layout.zeroX - 4} ${layout.zeroY - 4}l8 8m0 -8l-8 8`} />
            <text className="hf-tick" x={layout.zeroX + 10} y={layout.zeroY + 4}>{t('schedule.fails')}</text>
            <text className="hf-tick" x={plot.left - 14} y={plot.top - 5} textAnchor="end">{t('schedule.retry')}</text>
            {layout.deadlineX !== null && <line className="hf-deadline" x1={layout.deadlineX} x2={layout.deadlineX} y1={plot.top} y2={plot.bottom} />}
            <text className="hf-deadline-word" x={layout.deadlineX ?? plot.right} y={plot.top - 5} textAnchor="end">{layout.deadlineX === null ? t('schedule.gives_up_later', { deadline: format.duration(policy.deadlineMs) }) : t('schedule.gives_up')}</text>
            {layout.ticks.map((tick) => <text key={tick.ms} className="hf-tick" x={tick.x} y={plot.bottom + 16} textAnchor="middle">{format.tick(tick.ms)}</text>)}
          </svg>
        )}
      </div>
      <ul className="hf-schedule-more">{words.more.map((line) => <li key={line}>{line}</li>)}</ul>
    </div>
  );
}
