import type { FigureCounts } from '../../shared/figures.ts';

/** What becomes of requests, from the bottom of a bar to its top; each with its colour and its texture. Closed: also i18n keys under `figures`. */
export const FIGURE_PARTS = ['firstTry', 'rescuedByRetry', 'rescuedByFailover', 'failed', 'cancelled', 'refused'] as const;
export type FigurePart = (typeof FIGURE_PARTS)[number];

/** The parts that a bar has, in their order. */
export function partsOf(counts: FigureCounts): readonly { readonly part: FigurePart; readonly count: number }[] {
  return FIGURE_PARTS.map((part) => ({ part, count: counts[part] })).filter(({ count }) => count > 0);
}
