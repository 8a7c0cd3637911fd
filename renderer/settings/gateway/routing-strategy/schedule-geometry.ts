import type { ScheduledRetry } from '../../../../shared/backoff.ts';
import { ticksOf } from '../../../requests/time-line-geometry.ts';

/** Where the pieces of the schedule chart are drawn, in pixels. */
export interface ScheduleLayout {
  readonly height: number;
  readonly plot: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
  /** One row per retry, downwards: its spread can grow as it likes and never meets another's. */
  readonly rows: readonly { readonly retry: number; readonly y: number; readonly height: number; readonly x: number; readonly from: number; readonly to: number; readonly numbered: boolean }[];
  readonly ticks: readonly { readonly ms: number; readonly x: number }[];
  /** The deadline; null when it lies far right of everything and the axis ends before it. */
  readonly deadlineX: number | null;
  readonly zeroX: number;
  /** Where the first attempt fails: the row above the first retry. */
  readonly zeroY: number;
}

const TOP = 26;
const PLOT_HEIGHT = 168;
const FIRST_STEP = 17;
const LEFT = 44;

/** Lays the schedule out in `width` pixels (at least 160). */
export function layOutSchedule(retries: readonly ScheduledRetry[], deadlineMs: number, width: number): ScheduleLayout {
  const last = retries.at(-1);
  const lastMs = last?.latestMs ?? 0;
  // Few quick retries under a long deadline would all be one dot at the left.
  const far = lastMs > 0 && lastMs < deadlineMs * 0.4;
  const endMs = Math.max(1, far ? lastMs * 1.25 : deadlineMs);
  const right = width - 34;
  const scale = (right - LEFT) / endMs;
  const at = (ms: number) => LEFT + ms * scale;
  const step = Math.min(34, PLOT_HEIGHT / Math.max(1, retries.length + 1));
  // The word beside the first failure stands above every retry, however close they are.
  const firstStep = Math.max(step, FIRST_STEP);
  // Numbers stand at the left edge, never among the bands, and only as many as can be read.
  const everyNth = Math.max(1, Math.ceil(13 / step));
  const rows = retries.map((one, index) => ({
    retry: one.retry, y: TOP + firstStep + index * step, height: Math.max(1, Math.min(12, step * 0.7)), x: at(one.atMs), from: at(one.earliestMs), to: Math.max(at(one.earliestMs), at(one.latestMs)),
    numbered: index % everyNth === 0,
  }));
  const bottom = TOP + Math.max(60, firstStep + step * retries.length);
  return {
    height: bottom + 24, plot: { top: TOP - 8, bottom, left: LEFT, right }, rows, zeroX: LEFT, zeroY: TOP, deadlineX: far ? null : at(deadlineMs),
    ticks: ticksOf(endMs, right - LEFT).map((ms) => ({ ms, x: at(ms) })),
  };
}
