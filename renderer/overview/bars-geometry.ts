import type { FigureBucket } from '../../shared/figures.ts';
import { partsOf, type FigurePart } from './figure-parts.ts';

/** One colour of a bar. Px from the left and the top. */
export interface BarPart { readonly part: FigurePart; readonly y: number; readonly height: number }
/** One bucket: the strip that answers to the mouse, the bar in it, and its parts from the bottom up. */
export interface Bar { readonly x: number; readonly width: number; readonly stripX: number; readonly stripWidth: number; readonly top: number; readonly parts: readonly BarPart[] }
export interface BarsLayout {
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly bars: readonly Bar[];
  /** Whole numbers of requests at round places, 0 included. */
  readonly lines: readonly { readonly count: number; readonly y: number }[];
  /** Which buckets get a word under them: index and middle of the tick. */
  readonly labels: readonly { readonly index: number; readonly x: number }[];
}

const MARGIN = { left: 40, right: 4, top: 8, bottom: 22 } as const;
/** However many answers stand beside it, one failure stays in sight. */
const LEAST_PX = 2;
const LABEL_PX = 84;
// 1, 2 or 5 times a power of ten.
const STEPS = [1, 2, 5, 10] as const;

/** Lays out stacked bars in a box. */
export function layOutBars(buckets: readonly FigureBucket[], width: number, height: number): BarsLayout {
  const plot = { left: MARGIN.left, right: Math.max(MARGIN.left + 1, width - MARGIN.right), top: MARGIN.top, bottom: height - MARGIN.bottom };
  const most = Math.max(1, ...buckets.map(({ requests }) => requests));
  const step = stepFor(most);
  const end = Math.ceil(most / step) * step;
  const yOf = (count: number) => plot.bottom - count / end * (plot.bottom - plot.top);
  const stripWidth = (plot.right - plot.left) / Math.max(1, buckets.length);
  const gap = Math.min(6, stripWidth * 0.28);
  const bars = buckets.map((bucket, index): Bar => {
    const stripX = plot.left + index * stripWidth;
    const parts = stack(bucket, plot.bottom, plot.bottom - yOf(bucket.requests), bucket.requests);
    return { stripX, stripWidth, x: stripX + gap / 2, width: stripWidth - gap, top: parts.at(-1)?.y ?? plot.bottom, parts };
  });
  const every = Math.max(1, Math.ceil(buckets.length / Math.max(1, Math.floor((plot.right - plot.left) / LABEL_PX))));
  return {
    plot, bars,
    lines: Array.from({ length: Math.round(end / step) + 1 }, (_, n) => ({ count: n * step, y: yOf(n * step) })),
    labels: bars.flatMap((bar, index) => (index % every === 0 && index + every / 2 < bars.length ? [{ index, x: bar.stripX }] : [])),
  };
}

/** A round step that makes two to four lines; counts have no halves. */
function stepFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 3 || 1));
  const factor = STEPS.find((one) => most / (one * power) <= 4) ?? 10;
  return Math.max(1, factor * power);
}

/** The parts of a bar from the bottom up; small ones are made visible at the cost of the largest. */
function stack(bucket: FigureBucket, bottom: number, height: number, all: number): readonly BarPart[] {
  const heights = partsOf(bucket).map(({ part, count }) => ({ part, height: Math.max(LEAST_PX, count / all * height) }));
  const excess = heights.reduce((sum, one) => sum + one.height, 0) - height;
  const largest = heights.reduce((best, one) => (one.height > best.height ? one : best), { part: null as FigurePart | null, height: 0 });
  let y = bottom;
  return heights.map(({ part, height: own }) => {
    const fitted = part === largest.part ? Math.max(LEAST_PX, own - excess) : own;
    y -= fitted;
    return { part, y, height: fitted };
  });
}
