import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../main/headless.ts', import.meta.url));

/** The gateway without a window as a process, run from source; killed when the test has ended. */
export interface HeadlessProcess {
  /** The line that says it listens; rejects when it ends before. */
  readonly listening: Promise<{ readonly event: string; readonly url: string; readonly key: string }>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** Resolves when stderr has these words. */
  says(words: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  stdout(): string;
  stderr(): string;
}

/** Starts it with nothing of this process's environment but the path. */
export function startHeadless(args: readonly string[], environment: Readonly<Record<string, string>> = {}): HeadlessProcess {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '', ...environment } });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString();
    for (const watcher of [...watchers]) watcher();
  });
  child.stdout.on('data', (bytes: Buffer) => { stdout += bytes.toString(); });
  const ended = new Promise<number | string | null>((resolve) => { child.on('close', (code, signal) => { resolve(code ?? signal); }); });
  const listening = new Promise<{ event: string; url: string; key: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => { resolve(JSON.parse(line)); });
    void ended.then((code) => { reject(new Error(`ended with ${code} before it listened: ${stderr}`)); });
  });
  // A test that expects the end does not ask for it.
  listening.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    listening, ended,
    says: (words) => new Promise((resolve, reject) => {
      const look = (): void => { if (stderr.includes(words)) { watchers.delete(look); resolve(); } };
      watchers.add(look);
      look();
      void ended.then(() => { reject(new Error(`ended without saying ${words}: ${stderr}`)); });
    }),
    signal: (name) => { child.kill(name); },
    stdout: () => stdout,
    stderr: () => stderr,
  };
}
