import { _electron as electron, type ElectronApplication, type Page } from 'playwright-core';
import { prepareElectronApp } from '../../scripts/electron-app.mjs';
import { startDisplay } from '../../scripts/lib/display.mjs';
import type { AppData } from './data.ts';

/** The real app with its window in sight, on a screen that nobody sees. */
export interface AppWindow {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly url: string;
  /** Of the main process. */
  readonly pid: number;
  /** Shows a page of the sidebar: 0 is the overview, 1 the requests. */
  go(place: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the built app on a data folder. */
export async function startWindow(data: AppData): Promise<AppWindow> {
  const [display, app] = await Promise.all([startDisplay(), prepareElectronApp()]);
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !/^(HOLDFAST_|ELECTRON_RUN_AS_NODE|NODE_OPTIONS)/.test(entry[0])));
  const started = await electron.launch({ executablePath: app.executablePath, args: app.args, env: { ...env, DISPLAY: display.display, HOLDFAST_DATA_DIR: data.path, LANG: 'en_GB.UTF-8' }, timeout: 60_000 });
  const child = started.process();
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => { child.once('exit', resolve); });
    if (child.exitCode === null && child.signalCode === null) {
      // It writes its rows and ends; nothing is asked.
      child.kill('SIGTERM');
      const late = setTimeout(() => { child.kill('SIGKILL'); }, 40_000);
      await ended;
      clearTimeout(late);
    }
    display.stop();
    app.remove();
  };
  try {
    const page = await started.firstWindow();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await started.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.setBounds({ x: 0, y: 0, width: 1_440, height: 900 }); });
    return {
      electron: started, page, stop,
      url: `http://127.0.0.1:${data.port}`,
      pid: child.pid ?? 0,
      go: async (place) => {
        await page.locator('nav').first().getByRole('button').nth(place).click();
        if (place === 1) await page.getByRole('grid').getByRole('row').nth(1).waitFor();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
