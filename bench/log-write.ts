// Writing the log: what an exchange costs the gateway's thread and the writer's, and what is lost (README.md). `npm run bench -- log-write`.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { openStore, type Store } from '../main/store/store.ts';
import { systemClock } from '../main/system/clock.ts';
import { createSecretFile } from '../main/system/secret-file.ts';
import type { ExchangeEvent } from '../shared/events.ts';
import type { ExchangeRow } from '../shared/log.ts';
import { logRow } from './log-rows.ts';

/** One way of filling the log: so many exchanges a second (0: all at once), each ending so many ms after it began, with or without headers kept. */
interface Work { readonly name: string; readonly count: number; readonly perSec: number; readonly lastMs: number; readonly headers: boolean }

const WORKS: readonly Work[] = [
  { name: '500/s, ends at once', count: 5_000, perSec: 500, lastMs: 0, headers: false },
  { name: '5,000/s for 10 s, ends at once', count: 50_000, perSec: 5_000, lastMs: 0, headers: false },
  { name: '5,000/s for 10 s, ends after 200 ms', count: 50_000, perSec: 5_000, lastMs: 200, headers: false },
  { name: '2,000/s for 10 s, ends after 200 ms, headers', count: 20_000, perSec: 2_000, lastMs: 200, headers: true },
  { name: '20,000 in one burst', count: 20_000, perSec: 0, lastMs: 0, headers: false },
  { name: '100,000 in one burst', count: 100_000, perSec: 0, lastMs: 0, headers: false },
];
const TICK_MS = 10;
const HEADERS = Array.from({ length: 24 }, (_, n) => `x-header-${n}\nvalue of some length ${n}\n`).join('');

const quiet = () => undefined;
const say = (line: string): void => { process.stdout.write(`${line}\n`); };
const sleep = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Sends the exchanges of a work in its rhythm; `note` takes their events. */
async function play(work: Work, rows: readonly ExchangeRow[], note: (event: ExchangeEvent) => void, keep: (id: string) => void): Promise<void> {
  const begun = rows.map((row): ExchangeRow => ({ ...row, state: 'in_flight', outcome: null, ended_at: null, status: null, detail: { attempts: [] } }));
  const perTick = work.perSec === 0 ? rows.length : Math.round(work.perSec * TICK_MS / 1_000);
  const ticksToEnd = Math.round(work.lastMs / TICK_MS);
  const startedMs = performance.now();
  for (let tick = 0, ended = 0; ended < rows.length; tick++) {
    for (const row of begun.slice(tick * perTick, (tick + 1) * perTick)) note({ kind: 'started', id: row.id, row });
    for (const row of rows.slice(ended, Math.max(0, tick - ticksToEnd + 1) * perTick)) {
      note({ kind: 'finished', id: row.id, row });
      if (work.headers) keep(row.id);
      ended++;
    }
    const waitMs = startedMs + (tick + 1) * TICK_MS - performance.now();
    if (work.perSec > 0) await sleep(Math.max(0, waitMs));
  }
}

const micros = ({ user, system }: { readonly user: number; readonly system: number }): number => user + system;

/** Runs one work on a new data folder, and says its line of the table. */
async function run(work: Work): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const opening = await openStore({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), log: { info: quiet, warn: quiet, error: quiet }, clock: systemClock });
  if (opening.kind !== 'open') throw new Error(opening.kind);
  const { store } = opening;
  const rows = Array.from({ length: work.count }, (_, n) => logRow(n, Date.now() - work.count * 2_500));
  const ids: string[] = [];
  const playIdle = (of: readonly ExchangeRow[]) => play(work, of, (event) => { ids[0] = event.id; }, (id) => { ids[0] = id; });
  // Compiled first, so that the rhythm alone is what is subtracted.
  await playIdle(rows.slice(0, 2_000));
  const idle = await measured(() => playIdle(rows));
  const busy = await measured(async () => {
    await play(work, rows, (event) => { store.journal.note(event); }, (id) => { store.journal.keep(id, { method: 'POST', requestHeaders: HEADERS, answerHeaders: HEADERS, request: null, answer: null }, HEADERS.length * 2); });
    await store.flush();
  });
  const { rows: lost, bodies, refused } = store.journal.losses();
  say(lineOf(work, idle, busy, { lost, bodies, refused, ...await onDisk(store, dataDir) }));
  rmSync(dataDir, { recursive: true });
}

interface Measured { readonly tookMs: number; readonly mainUs: number; readonly othersUs: number; readonly longestMs: number }

async function measured(action: () => Promise<void>): Promise<Measured> {
  const startedMs = performance.now();
  const main = process.threadCpuUsage();
  const all = process.cpuUsage();
  let longestMs = 0;
  let lastMs = startedMs;
  // How long the thread was not to be had.
  const watch = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs - 1);
    lastMs = performance.now();
  }, 1);
  await action();
  clearInterval(watch);
  const mainUs = micros(process.threadCpuUsage(main));
  return { tookMs: performance.now() - startedMs, mainUs, othersUs: micros(process.cpuUsage(all)) - mainUs, longestMs };
}

async function onDisk(store: Store, dataDir: string): Promise<{ readonly rows: number; readonly mib: number }> {
  await store.close();
  const file = join(dataDir, 'holdfast.db');
  const db = new Database(file, { readonly: true });
  const rows = Number(db.prepare('SELECT count(*) FROM gateway_logs').pluck().get());
  db.close();
  return { rows, mib: statSync(file).size / 1_048_576 };
}

function lineOf({ name, count }: Work, idle: Measured, busy: Measured, disk: { readonly rows: number; readonly mib: number; readonly lost: number; readonly bodies: number; readonly refused: number }): string {
  const each = (us: number): string => (us / count).toFixed(1);
  const cells = [name, each(busy.mainUs - idle.mainUs), each(busy.othersUs - idle.othersUs), (busy.longestMs - idle.longestMs).toFixed(0), (busy.tookMs / 1_000).toFixed(1), disk.rows, disk.lost, disk.refused, disk.bodies, count - disk.rows - disk.lost - disk.refused, disk.mib.toFixed(1)];
  return `| ${cells.join(' | ')} |`;
}

say(`Node ${process.versions.node}, load before the start ${loadavg().map((load) => load.toFixed(1)).join(' ')}\n`);
say('| exchanges | us each on the gateway\'s thread | us each on others | longest hold-up more, ms | took s | rows on disk | rows lost | refused, counted only | contents lost | missing | MiB |');
say(`|${' --- |'.repeat(11)}`);
const named = process.argv.slice(2);
for (const work of WORKS) if (named.length === 0 || named.some((name) => work.name.includes(name))) await run(work);
