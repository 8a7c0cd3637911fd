import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { prepareElectronApp } from '../../scripts/electron-app.mjs';
import { startDisplay } from '../../scripts/lib/display.mjs';
import { freePort } from '../free-port.ts';
import { wait } from '../measure.ts';
import { pinned, start, stopperOf } from '../process.ts';
import { KEY, type Target } from './target.ts';

const START_LIMIT_MS = 60_000;

/** The product without its window: one upstream, every setting as a user finds it. */
export async function startHeadless(name: string, program: string, upstreamUrl: string): Promise<Target> {
  const folder = dataFolder(upstreamUrl, 0);
  const started = await start('gateway', process.execPath, [program, '--data-dir', folder.path, '--import', folder.document], plainEnv());
  const stop = async (): Promise<void> => {
    await started.stop();
    folder.remove();
  };
  return { name, url: String(started.line['url']), pid: started.pid, stop };
}

/** The product in the real Electron with its window open, on a screen that nobody sees. `program` prepares the data folder. */
export async function startElectron(program: string, upstreamUrl: string): Promise<Target> {
  const port = await freePort();
  const folder = dataFolder(upstreamUrl, port);
  await (await start('gateway', process.execPath, [program, '--data-dir', folder.path, '--import', folder.document], plainEnv())).stop();
  const [display, app] = await Promise.all([startDisplay(), prepareElectronApp()]);
  const { command, args } = pinned('gateway', app.executablePath, app.args);
  const child = spawn(command, args, { env: { ...plainEnv(), DISPLAY: display.display, HOLDFAST_DATA_DIR: folder.path }, stdio: 'ignore' });
  const end = stopperOf(child);
  const stop = async (): Promise<void> => {
    await end();
    display.stop();
    app.remove();
    folder.remove();
  };
  const url = `http://127.0.0.1:${port}`;
  if (await answers(url)) return { name: 'electron', url, pid: child.pid ?? 0, stop };
  await stop();
  throw new Error('the app did not begin to listen');
}

function dataFolder(upstreamUrl: string, port: number): { readonly path: string; readonly document: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const document = join(path, 'document.json');
  writeFileSync(document, JSON.stringify({
    holdfast: 1,
    settings: { 'gateway.port': port },
    upstreams: [{ id: 'mock', name: 'Mock', preset: 'generic', base_url: upstreamUrl, formats: ['anthropic', 'chat'], credential: { kind: 'stored', value: 'sk-bench' }, proxy: 'none' }],
    keys: [{ name: 'bench', key: KEY }],
  }));
  return { path, document, remove: () => { rmSync(path, { recursive: true, force: true, maxRetries: 5 }); } };
}

function plainEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HOLDFAST_|ELECTRON_RUN_AS_NODE|NODE_OPTIONS)/.test(name)));
}

async function answers(url: string): Promise<boolean> {
  const endMs = performance.now() + START_LIMIT_MS;
  while (performance.now() < endMs) {
    if (await fetch(`${url}/healthz`).then((response) => response.ok, () => false)) return true;
    await wait(200);
  }
  return false;
}
