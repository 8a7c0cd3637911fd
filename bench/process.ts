import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { availableParallelism } from 'node:os';

/** The core of the gateway under test, and the one that mock upstream and client share. */
export type Core = 'gateway' | 'others';

const CORES: Readonly<Record<Core, string>> = { gateway: '0', others: '1' };
const START_LIMIT_MS = 60_000;

/** Whether processes can be kept on cores of their own here; without, the numbers say little. */
export const canPin: boolean = process.platform === 'linux' && availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0;

/** A command line that keeps a program on one core. */
export function pinned(core: Core, command: string, args: readonly string[]): { readonly command: string; readonly args: readonly string[] } {
  return canPin ? { command: 'taskset', args: ['-c', CORES[core], command, ...args] } : { command, args };
}

/** A started process. */
export interface Started {
  /** Of the program itself. */
  readonly pid: number;
  /** The first JSON line it wrote on stdout. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Ends it, at once if it does not end by itself; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts a program on a core and waits for the JSON line with which it says that it is ready. Rejects when it ends before, with what it told. */
export function start(core: Core, command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Started> {
  const line = pinned(core, command, args);
  const child = spawn(line.command, line.args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.on('data', (bytes: Buffer) => { told = (told + bytes.toString()).slice(-2_000); });
  const stop = stopperOf(child);
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => { void stop(); }, START_LIMIT_MS);
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (!text.startsWith('{')) return;
      clearTimeout(limit);
      // taskset becomes the program it starts, so this is the program's own number.
      resolve({ pid: child.pid ?? 0, line: JSON.parse(text) as Record<string, unknown>, stop });
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      reject(new Error(`${command} ${args.join(' ')} ended with ${code} before it was ready:\n${told}`));
    });
  });
}

// Those that run; each goes with its end. None outlives a benchmark that is interrupted.
const running = new Set<ChildProcess>();
process.on('exit', () => { for (const child of running) child.kill('SIGKILL'); });

/** How to end a child: politely first. A child that still runs when this process ends is ended with it. */
export function stopperOf(child: ChildProcess): () => Promise<void> {
  running.add(child);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      running.delete(child);
      resolve();
    });
  });
  return async () => {
    const limit = setTimeout(() => child.kill('SIGKILL'), 5_000);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(limit);
  };
}
