import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bridge } from '../../shared/ipc.ts';
import type { Findings } from '../load/job.ts';
import { mainThreadSecs, median, residentMib, wait } from '../measure.ts';
import { runLoad } from '../suite.ts';
import type { Work } from '../works.ts';
import type { AppData } from './data.ts';
import { dragThrough, framesSeen, watchFrames, type Frames } from './frames.ts';
import { chooseFile, startQueries, stopQueries } from './queries.ts';
import { sendMany, sendSteadily } from './traffic.ts';
import type { AppWindow } from './window.ts';

/** One line of the report; `met` null: there is no goal. */
export interface Finding {
  readonly what: string;
  readonly found: string;
  readonly goal: string;
  readonly met: boolean | null;
}

/** What every work gets. */
export interface Scene {
  readonly window: AppWindow;
  readonly data: AppData;
  readonly mock: { readonly url: string; readonly pid: number };
  readonly repetitions: number;
  say(text: string): void;
}

const LATE_MS = 50;
const QUIET_SECS = 4;
const DRAGGED_ROWS = 10_000;
const DRAG_ROWS_PER_SEC = 1_000;
const BUSY_SECS = 8;

/** Dragging the list through 10,000 rows: no frame over 50 ms. */
export async function scroll({ window: { page, go } }: Scene): Promise<readonly Finding[]> {
  await go(1);
  await watchFrames(page);
  await wait(QUIET_SECS * 1_000);
  const quiet = await framesSeen(page);
  await watchFrames(page);
  const rows = await dragThrough(page, DRAGGED_ROWS, DRAG_ROWS_PER_SEC, 60_000);
  const dragged = await framesSeen(page);
  return [framesFinding('frames, nothing moves', quiet, false), framesFinding(`frames, dragged through ${rows} rows`, dragged, rows >= DRAGGED_ROWS)];
}

/** Events at two rates while each of the two busiest pages is shown; and none for a hidden window. */
export async function events({ window, say }: Scene): Promise<readonly Finding[]> {
  const { page, url, go, electron } = window;
  const findings: Finding[] = [];
  for (const perSec of [500, 5_000]) {
    for (const [name, place] of [['overview', 0], ['requests', 1]] as const) {
      await go(place);
      const over = new AbortController();
      const traffic = sendSteadily(url, perSec / 4, over.signal);
      await wait(1_500);
      await watchFrames(page);
      await wait(BUSY_SECS * 1_000);
      const frames = await framesSeen(page);
      over.abort();
      const { exchanges, failed, secs } = await traffic;
      findings.push(framesFinding(`frames, ${name}, ${Math.round((exchanges * 4) / secs)} events/s${failed > 0 ? ` (${failed} FAILED)` : ''}`, frames, perSec === 500));
      say(`${name} ${perSec} done`);
      await wait(1_000);
    }
  }
  await page.evaluate(() => {
    const seen = { messages: 0 };
    Object.assign(globalThis, { benchSeen: seen });
    const { on } = (window as unknown as { holdfast: Bridge }).holdfast;
    on['exchanges.events'](() => { seen.messages += 1; });
    on['exchanges.snapshot'](() => { seen.messages += 1; });
  });
  await electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.hide(); });
  await wait(500);
  const messages = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { benchSeen: { messages: number } }).benchSeen.messages);
  const before = await messages();
  const failed = await sendMany(url, 500, 16);
  await wait(500);
  const hidden = await messages() - before;
  await electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.show(); });
  findings.push({ what: `messages to a hidden window while 500 exchanges pass${failed > 0 ? ` (${failed} FAILED)` : ''}`, found: String(hidden), goal: '0', met: hidden === 0 });
  return findings;
}

const STREAMS: Work = { kind: 'streams', streams: 200, eventsPerSec: 20, bodyBytes: 2_048, secs: 4 };

/** 200 streams while the log is asked in a loop, and while all of it is exported: what is added to the delay of an event. */
export async function queries(scene: Scene): Promise<readonly Finding[]> {
  const { window: { page, electron, url, pid, go }, mock, data, repetitions, say } = scene;
  await go(1);
  const load = async (to: string): Promise<Passed> => {
    const fromSecs = mainThreadSecs(pid);
    const findings = await runLoad({ work: STREAMS, url: to, format: 'chat', pid: to === url ? pid : null, mockPid: mock.pid, idleMib: null });
    return { findings, mainSecs: mainThreadSecs(pid) - fromSecs };
  };
  const seen: Record<'direct' | 'without' | 'asked' | 'exporting', Passed[]> = { direct: [], without: [], asked: [], exporting: [] };
  const asked: { asked: number; slowestMs: number }[] = [];
  const file = join(data.path, 'bench-export.ndjson');
  await chooseFile(electron, file);
  await load(url);
  for (let n = 0; n < repetitions; n += 1) {
    seen.direct.push(await load(mock.url));
    seen.without.push(await load(url));
    await startQueries(page);
    seen.asked.push(await load(url));
    asked.push(await stopQueries(page));
    await wait(500);
    const exported = page.evaluate(() => (window as unknown as { holdfast: Bridge }).holdfast.request['requests.export']({ filter: {}, as: 'ndjson' }));
    seen.exporting.push(await load(url));
    await page.evaluate(() => (window as unknown as { holdfast: Bridge }).holdfast.request['requests.export_cancel'](null));
    await exported;
    say(`round ${n + 1}: ${Object.entries(seen).map(([name, found]) => `${name} ${delay(found.at(-1), 'p50').toFixed(0)}/${delay(found.at(-1), 'p99').toFixed(0)} us`).join(', ')}; ${asked.at(-1)?.asked ?? 0} answers, slowest ${(asked.at(-1)?.slowestMs ?? NaN).toFixed(0)} ms`);
  }
  const added = (name: keyof typeof seen, part: 'p50' | 'p90' | 'p99'): number => median(seen[name].map((found, n) => delay(found, part) - delay(seen.direct[n], part)));
  const cpu = (name: keyof typeof seen): number => median(seen[name].map(({ mainSecs }) => mainSecs));
  const threads: readonly Finding[] = (['asked', 'exporting'] as const).map((name) => ({
    what: `CPU of the gateway's thread, ${name === 'asked' ? 'log asked' : 'log exported'}`, found: `${cpu(name).toFixed(2)} s in a run, without ${cpu('without').toFixed(2)} s: ${(cpu(name) / cpu('without')).toFixed(2)} x`, goal: '', met: null,
  }));
  return [...threads, ...(['asked', 'exporting'] as const).flatMap((name) => (['p50', 'p90', 'p99'] as const).map((part) => {
    const ratio = added(name, part) / added('without', part);
    return { what: `added delay per event, ${part}, ${name === 'asked' ? `log asked ${median(asked.map((one) => one.asked)).toFixed(0)} times in a run` : 'log exported'}`, found: `${added(name, part).toFixed(0)} us, without ${added('without', part).toFixed(0)} us: ${ratio.toFixed(2)} x`, goal: part === 'p50' ? '1.2 x' : '', met: part === 'p50' ? ratio <= 1.2 : null };
  }))];
}

/** The whole log into a file, with nothing else to do: time, size, memory. */
export async function exporting({ window: { page, electron, pid }, data }: Scene): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const as of ['csv', 'ndjson'] as const) {
    const file = join(data.path, `bench-export.${as}`);
    await chooseFile(electron, file);
    const beforeMib = residentMib(pid);
    let mostMib = beforeMib;
    const look = setInterval(() => { mostMib = Math.max(mostMib, residentMib(pid)); }, 100);
    const startMs = performance.now();
    const outcome = await page.evaluate((wanted) => (window as unknown as { holdfast: Bridge }).holdfast.request['requests.export']({ filter: {}, as: wanted }), as);
    const secs = (performance.now() - startMs) / 1_000;
    clearInterval(look);
    const rows = outcome.kind === 'written' ? outcome.rows : NaN;
    const mib = outcome.kind === 'written' ? statSync(file).size / 1_048_576 : NaN;
    rmSync(file, { force: true });
    findings.push({ what: `export as ${as}`, found: `${outcome.kind}, ${rows} rows, ${mib.toFixed(0)} MiB in ${secs.toFixed(1)} s; main process ${beforeMib.toFixed(0)} MiB, at most ${mostMib.toFixed(0)}`, goal: 'written; 64 MiB more at most', met: outcome.kind === 'written' && mostMib - beforeMib <= 64 });
  }
  return findings;
}

const FEW = 10_000;
const MANY = 100_000;

/** Memory of the main process after many exchanges: within a tenth of that after few. */
export async function memory({ window: { url, pid }, say }: Scene): Promise<readonly Finding[]> {
  let failed = await sendMany(url, FEW, 32);
  const few = await settledMib(pid);
  say(`${FEW} exchanges: ${few.toFixed(1)} MiB`);
  failed += await sendMany(url, MANY - FEW, 32);
  const many = await settledMib(pid);
  return [{ what: `main process after ${MANY} exchanges${failed > 0 ? ` (${failed} FAILED)` : ''}`, found: `${many.toFixed(1)} MiB, after ${FEW}: ${few.toFixed(1)} MiB (${((many / few - 1) * 100).toFixed(1)} %)`, goal: '10 % more at most', met: many <= few * 1.1 }];
}

async function settledMib(pid: number): Promise<number> {
  const seen: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    await wait(250);
    seen.push(residentMib(pid));
  }
  return Math.min(...seen);
}

/** One run of the streams. */
interface Passed { readonly findings: Findings | null; /** CPU of the gateway's thread meanwhile. */ readonly mainSecs: number }

const delay = (passed: Passed | undefined, part: 'p50' | 'p90' | 'p99'): number => passed?.findings?.timeUs[part] ?? NaN;

function framesFinding(what: string, frames: Frames, judged: boolean): Finding {
  return { what, found: `${frames.perSec.toFixed(0)}/s, p50 ${frames.p50.toFixed(1)}, p99 ${frames.p99.toFixed(1)}, longest ${frames.longest.toFixed(1)} ms, ${frames.late} over ${LATE_MS} ms; longest task ${frames.longestTask.toFixed(1)} ms of CPU, ${frames.cores.toFixed(2)} cores`, goal: judged ? `none over ${LATE_MS} ms` : '', met: judged ? frames.late === 0 : null };
}
