import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { isLinuxRoot } from '../../../scripts/lib/paths.mjs';
import { packForTests, type PackedApp } from '../../../scripts/packed-app.mjs';
import { temporaryFolder, userEnv } from '../../e2e/support/app.ts';

export { FuseV1Options };

/** Packs the app once for the tests of a file, and takes it away behind them. */
export function packedApp(purpose: Parameters<typeof packForTests>[1] = { to: 'run' }): () => PackedApp {
  const folder = temporaryFolder();
  let packed: PackedApp | null = null;
  beforeAll(async () => { packed = await packForTests(folder.path, purpose); }, 120_000);
  afterAll(() => { folder.remove(); });
  return () => {
    if (packed === null) throw new Error('the app has not been packed');
    return packed;
  };
}

/** A packed app of one's own, that may be spoilt; where a fuse is named, that one alone is turned round. Gone with the test. */
export async function copyOf({ folder, resources, executable }: PackedApp, fuse?: FuseV1Options): Promise<{ readonly executable: string; readonly resources: string }> {
  const temporary = temporaryFolder();
  onTestFinished(() => { temporary.remove(); });
  const copy = join(temporary.path, basename(folder));
  const own = dirname(relative(folder, resources));
  // On Linux only the executable and the resources have to be files of its own, for they are what is changed; they are 200 MB of 240.
  if (process.platform === 'linux') shareRest(folder, copy, [basename(executable), join(own, 'resources')]);
  else cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  const ours = { executable: join(copy, relative(folder, executable)), resources: join(copy, relative(folder, resources)) };
  if (fuse !== undefined) {
    const on = (await getCurrentFuseWire(executable))[fuse] === FuseState.ENABLE;
    await flipFuses(ours.executable, { version: FuseVersion.V1, [fuse]: !on, resetAdHocDarwinSignature: process.platform === 'darwin' });
  }
  return ours;
}

function shareRest(from: string, to: string, own: readonly string[]): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (own.includes(entry.name)) cpSync(join(from, entry.name), target, { recursive: true });
    else if (entry.isDirectory()) symlinkSync(join(from, entry.name), target);
    else linkSync(join(from, entry.name), target);
  }
}

/** A packed app that runs. */
export interface RunningPackage {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** All it has written so far, to stdout and stderr. */
  text(): string;
  /** Waits for something to be written; rejects when the app ends before. */
  writes(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its window, over the protocol of Chromium's developer tools: the package lets no other driver in. */
  page(): Promise<Page>;
}

export interface PackedStart {
  /** Put before the options that every test needs, where a plain Node would look for a script. */
  readonly first?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a packed app as a user would, with a port for the protocol of the developer tools. Ends with the test. */
export function startPacked(executable: string, dataDir: string, { first = [], args = [], env = {} }: PackedStart = {}): RunningPackage {
  const child = spawn(executable, [...first, ...(isLinuxRoot() ? ['--no-sandbox'] : []), '--remote-debugging-port=0', ...args], { env: userEnv(dataDir, env), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let look = (): void => undefined;
  const take = (bytes: Buffer): void => { text += bytes.toString(); look(); };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<number | null>((resolve) => { child.once('close', resolve); });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(join(dataDir, 'window'), { recursive: true, force: true, maxRetries: 5 });
  });
  const writes: RunningPackage['writes'] = (pattern) => new Promise((resolve, reject) => {
    look = () => {
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    };
    look();
    void ended.then((code) => { reject(new Error(`ended with ${String(code)} and without ${String(pattern)}:\n${text}`)); });
  });
  return {
    child, ended, writes,
    text: () => text,
    async page() {
      const [, endpoint = ''] = await writes(/DevTools listening on (ws:\S+)/);
      const browser = await chromium.connectOverCDP(endpoint);
      onTestFinished(() => browser.close());
      const [context] = browser.contexts();
      if (context === undefined) throw new Error('the app has no windows to look into');
      const page = context.pages()[0] ?? await context.waitForEvent('page');
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}
