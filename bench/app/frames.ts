import type { CDPSession, Page } from 'playwright-core';
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
  /** CPU time of the longest task on the page's thread, which is the same whatever else the machine does; NaN when it was not told. */
  readonly longestTask: number;
  /** CPU time of that thread, share of one core. */
  readonly cores: number;
}

/** One task as the browser's tracing tells it: times in microseconds, `tdur` is CPU time. */
interface Traced { readonly name: string; readonly ph: string; readonly pid: number; readonly tid: number; readonly tdur?: number; readonly args?: { readonly name?: string } }

interface Meter { on: boolean; gaps: number[] }
declare global { var benchFrames: Meter | undefined }

// Of the one page that is watched; `framesSeen` clears it.
let tracing: { readonly session: CDPSession; readonly events: Traced[] } | null = null;

/** Begins to note the time between the frames of a page, and its tasks. */
export async function watchFrames(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const events: Traced[] = [];
  session.on('Tracing.dataCollected', ({ value }) => { for (const event of value as unknown as Traced[]) events.push(event); });
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', '__metadata'], excludedCategories: ['*'] } });
  tracing = { session, events };
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
  const tasksMs = await tasksSeen();
  const gaps = await page.evaluate(() => {
    const meter = globalThis.benchFrames;
    if (meter === undefined) return [];
    meter.on = false;
    return meter.gaps;
  });
  const totalMs = gaps.reduce((sum, gap) => sum + gap, 0);
  const sorted = [...gaps].sort((a, b) => a - b);
  return { count: gaps.length, perSec: gaps.length / (totalMs / 1_000), p50: at(sorted, 0.5), p99: at(sorted, 0.99), longest: sorted.at(-1) ?? NaN, late: gaps.filter((gap) => gap > 50).length, longestTask: Math.max(...tasksMs), cores: tasksMs.reduce((sum, task) => sum + task, 0) / totalMs };
}

/** CPU time in ms of each task of the page's thread. */
async function tasksSeen(): Promise<readonly number[]> {
  if (tracing === null) return [];
  const { session, events } = tracing;
  tracing = null;
  const complete = new Promise((resolve) => { session.once('Tracing.tracingComplete', resolve); });
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  return events.filter(({ ph, pid, tid, tdur }) => ph === 'X' && tdur !== undefined && threads.has(`${pid} ${tid}`)).map(({ tdur }) => (tdur ?? 0) / 1_000);
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
