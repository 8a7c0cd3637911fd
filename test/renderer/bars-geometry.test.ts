// The bars of the overview: what is drawn is what was counted, and nothing that happened is too small to be seen.
import { describe, expect, it } from 'vitest';
import { layOutBars } from '../../renderer/overview/bars-geometry.ts';
import type { FIGURE_PARTS } from '../../renderer/overview/figure-parts.ts';
import type { FigureBucket } from '../../shared/figures.ts';
import { noFigures } from './support/fake-bridge.ts';

function bucket(part: Partial<Record<(typeof FIGURE_PARTS)[number], number>>): FigureBucket {
  return { ...noFigures('24h').totals, from: 0, to: 1, ...part, requests: Object.values(part).reduce((sum, one) => sum + one, 0) };
}

describe('stacked bars', () => {
  it('stand on the axis, part upon part, in proportion to their counts', () => {
    const { bars, plot, lines } = layOutBars([bucket({ firstTry: 60, rescuedByRetry: 30, failed: 10 }), bucket({ firstTry: 50 })], 800, 176);
    const [tall, half] = bars;
    expect(tall?.parts.map(({ part }) => part)).toEqual(['firstTry', 'rescuedByRetry', 'failed']);
    let below = plot.bottom;
    for (const { y, height } of tall?.parts ?? []) {
      expect(y + height).toBeCloseTo(below);
      below = y;
    }
    expect(plot.bottom - (tall?.top ?? 0)).toBeCloseTo(2 * (plot.bottom - (half?.top ?? 0)));
    expect(lines.find(({ count }) => count === 100)?.y).toBeCloseTo(tall?.top ?? 0);
  });

  it('show one failure among thousands, without growing for it', () => {
    const { bars } = layOutBars([bucket({ firstTry: 5_000, failed: 1, refused: 1 }), bucket({ firstTry: 5_002 })], 800, 176);
    expect(bars[0]?.parts.every(({ height }) => height >= 2)).toBe(true);
    expect(bars[0]?.top).toBeCloseTo(bars[1]?.top ?? 0);
  });

  it.each([1, 2, 3, 7, 10, 99, 101, 4_321, 1_000_000])('have whole, round lines up to at least %i', (most) => {
    const { lines, plot } = layOutBars([bucket({ firstTry: most })], 400, 176);
    expect(lines[0]).toEqual({ count: 0, y: plot.bottom });
    expect(lines.at(-1)?.count).toBeGreaterThanOrEqual(most);
    expect(lines.length).toBeLessThanOrEqual(6);
    for (const { count } of lines) expect(Number.isInteger(count)).toBe(true);
  });

  it('have no parts where nothing happened, and stay inside the box at any width', () => {
    for (const width of [60, 300, 735, 1_400]) {
      const { bars, labels, plot } = layOutBars(Array.from({ length: 84 }, (_, n) => bucket(n % 3 === 0 ? {} : { cancelled: n })), width, 176);
      expect(bars[0]?.parts).toEqual([]);
      for (const bar of bars) expect(bar.x >= plot.left && bar.x + bar.width <= plot.right + 0.01 && bar.width > 0 && bar.top >= plot.top - 0.01).toBe(true);
      for (const [n, label] of labels.slice(1).entries()) expect(label.x - (labels[n]?.x ?? 0)).toBeGreaterThan(50);
    }
  });
});
