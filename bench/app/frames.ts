import type { Page } from 'playwright-core';
import { at } from '../measure.ts';

/** How even the frames of the window were. Times in ms. */
export interface Frames {
  readonly count: number;
  readonly perSec: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Frames that took more than 50 ms. */
  readonly late: number;
}

interface Meter { on: boolean; gaps: number[] }
declare global { var benchFrames: Meter | undefined }

/** Begins to note the time between the frames of a page. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const meter: Meter = { on: true, gaps: [] };
    globalThis.benchFrames = meter;
    let last: number | null = null;
    const frame = (nowMs: number): void => {
      if (last !== null) meter.gaps.push(nowMs - last);
      last = nowMs;
      if (meter.on) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Ends it and gives what was found. */
export async function framesSeen(page: Page): Promise<Frames> {
  const gaps = await page.evaluate(() => {
    const meter = globalThis.benchFrames;
    if (meter === undefined) return [];
    meter.on = false;
    return meter.gaps;
  });
  const totalMs = gaps.reduce((sum, gap) => sum + gap, 0);
  const sorted = [...gaps].sort((a, b) => a - b);
  return { count: gaps.length, perSec: gaps.length / (totalMs / 1_000), p50: at(sorted, 0.5), p99: at(sorted, 0.99), longest: sorted.at(-1) ?? NaN, late: gaps.filter((gap) => gap > 50).length };
}

/** Drags the list of requests down through so many rows, `rowsPerSec` at most; answers how many rows it came past. */
export function dragThrough(page: Page, rows: number, rowsPerSec: number, limitMs: number): Promise<number> {
  return page.evaluate(({ rows: wanted, rowsPerSec: pace, limitMs: limit }) => new Promise<number>((resolve) => {
    const grid = document.querySelector<HTMLElement>('[role=grid]');
    const found = [...document.querySelectorAll<HTMLElement>('[role=grid], [role=grid] *')].find((one) => one.scrollHeight > one.clientHeight + 100 && /auto|scroll/.test(getComputedStyle(one).overflowY));
    const row = grid?.querySelectorAll<HTMLElement>('[role=row]')[1];
    if (found === undefined || row === undefined) throw new Error('there is no list to scroll');
    const heightPx = row.getBoundingClientRect().height;
    const startMs = performance.now();
    let lastMs = startMs;
    let donePx = 0;
    const step = (nowMs: number): void => {
      const before = found.scrollTop;
      const stepPx = Math.min(100, nowMs - lastMs) * pace * heightPx / 1_000;
      found.scrollTop = before + stepPx;
      // At the end of what is loaded nothing moves until more has come.
      donePx += Math.max(0, found.scrollTop - before);
      lastMs = nowMs;
      if (donePx >= wanted * heightPx || nowMs - startMs > limit) resolve(Math.round(donePx / heightPx));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }), { rows, rowsPerSec, limitMs });
}
