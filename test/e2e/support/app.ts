import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron as electron, type ElectronApplication, type Page } from 'playwright-core';
import { prepareElectronApp } from '../../../scripts/electron-app.mjs';

/** A started app with its own data folder. */
export interface StartedApp {
  readonly electron: ElectronApplication;
  readonly process: ChildProcess;
  /** Resolves with the exit code when the app ends; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** The window; waits until there is one. */
  page(): Promise<Page>;
  /** What the process has written to stderr since it was attached to. */
  log(): string;
  /** Ends the app, whatever it does, and waits until it has ended. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts Electron with the arguments it gets, in surroundings of its own. */
  readonly through?: (executablePath: string) => string;
}

// Laid out once for each process of tests; the process removes it when it ends.
let runnable: ReturnType<typeof prepareElectronApp> | null = null;

/** The real Electron with the built app. */
export function runnableApp(): ReturnType<typeof prepareElectronApp> {
  runnable ??= prepareElectronApp().then((app) => {
    process.once('exit', app.remove);
    return app;
  });
  return runnable;
}

/** The environment of a user with an English desktop and nothing of Holdfast's. */
export function userEnv(dataDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(HOLDFAST_|ELECTRON_RUN_AS_NODE|NODE_OPTIONS|VITEST)/.test(name)) env[name] = value;
  }
  return { ...env, LANG: 'en_GB.UTF-8', LANGUAGE: 'en', LC_ALL: '', HOLDFAST_DATA_DIR: dataDir, ...more };
}

/** Starts the app and waits until its main process answers. */
export async function startApp({ dataDir, args = [], env = {}, through = (path) => path }: StartOptions): Promise<StartedApp> {
  const { executablePath, args: first } = await runnableApp();
  const started = await electron.launch({ executablePath: through(executablePath), args: [...first, ...args], env: userEnv(dataDir, env), timeout: 60_000 });
  // Asked now: once the app has ended, nobody can be asked any more.
  const child = started.process();
  let log = '';
  child.stderr?.on('data', (bytes: Buffer) => { log += bytes.toString(); });
  return {
    electron: started,
    process: child,
    ended: new Promise((resolve) => { child.once('exit', resolve); }),
    page: () => started.firstWindow(),
    log: () => log,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => { child.once('exit', resolve); });
      // The whole group: Electron may stand behind another program.
      if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A fresh folder below the system's temporary one, and how to remove it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-e2e-'));
  return { path, remove: () => { rmSync(path, { recursive: true, force: true, maxRetries: 5 }); } };
}
