import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Findings, Job } from './load/job.ts';
import type { BenchFormat } from './options.ts';
import { residentMib } from './measure.ts';
import { pinned } from './process.ts';
import type { Target } from './targets/target.ts';
import { WORKS, type Work, type WorkName } from './works.ts';

/** One run: a work on a target. `findings` null: the run failed. */
export interface Run {
  readonly target: string;
  readonly work: WorkName;
  readonly repetition: number;
  readonly findings: Findings | null;
}

export interface SuiteParts {
  readonly targets: readonly Target[];
  readonly works: readonly WorkName[];
  readonly repetitions: number;
  readonly format: BenchFormat;
  readonly mockPid: number;
  /** Monotonic ms after which nothing begins. */
  readonly endMs: number;
  /** Told of each run when it is over. */
  readonly done: (run: Run) => void;
}

const RUN_LIMIT_MS = 60_000;
const WARM_UP: readonly Work[] = [
  { kind: 'whole', atOnce: 64, bodyBytes: 2_048, secs: 3 },
  { kind: 'first_event', count: 200, bodyBytes: 2_048 },
  { kind: 'streams', streams: 200, eventsPerSec: 20, bodyBytes: 2_048, secs: 2 },
];

/** Runs every work on every target, targets innermost, so that what else the machine does touches all of them alike. */
export async function runSuite(parts: SuiteParts): Promise<void> {
  const { targets, works, repetitions, endMs, done } = parts;
  const idle = new Map(targets.map((target) => [target, target.pid === null ? null : residentMib(target.pid)]));
  const jobFor = (target: Target, work: Work): Job => ({ work, url: target.url, format: parts.format, pid: target.pid, mockPid: parts.mockPid, idleMib: idle.get(target) ?? null });
  // Unmeasured: the code is compiled, connections are made.
  for (const work of WARM_UP) for (const target of targets) if (performance.now() < endMs) await runLoad(jobFor(target, work));
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const work of works) {
      for (const target of targets) {
        if (performance.now() >= endMs) return;
        done({ target: target.name, work, repetition, findings: await runLoad(jobFor(target, WORKS[work])) });
      }
    }
  }
}

/** One run of the load client; null when it failed. */
export function runLoad(job: Job): Promise<Findings | null> {
  const { command, args } = pinned('others', process.execPath, [fileURLToPath(new URL('./load/main.ts', import.meta.url)), JSON.stringify(job)]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (bytes: Buffer) => { text += bytes.toString(); });
  const limit = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT_MS);
  return new Promise((resolve) => {
    child.on('error', () => { resolve(null); });
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve(code === 0 ? (JSON.parse(text) as Findings) : null);
    });
  });
}
