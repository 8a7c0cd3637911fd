// Lays out the built app so that the Electron of this machine can run it; used by `npm start` and by the tests of the real app.
import { copyFileSync, constants, cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron-runtime.mjs';
import { cacheFolder, isLinuxRoot, root } from './lib/paths.mjs';
import { registryElectron } from './lib/registry-electron.mjs';

/** What the app reads at run time; the same list is packed by electron-builder.yml. */
const APP_FILES = ['package.json', 'out', join('assets', 'generated')];

/**
 * @typedef {object} RunnableApp
 * @property {string} executablePath the Electron to start
 * @property {string[]} args what to give it first; the app's own arguments follow
 * @property {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @property {() => void} remove takes the laid out copy away again; call it when the app has ended
 */

/** Copies of processes that died before they could remove them. */
function sweep(/** @type {string} */ folder) {
  for (const name of readdirSync(folder)) {
    try {
      process.kill(Number(name.split('-')[0]), 0);
    } catch {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

/**
 * The registry's Electron loads `resources/app` beside its real executable, so each run gets a folder of its own: the executable as a hard link
 * (links would lead back to the shared folder), the rest as links, and the app as a copy, for modules resolve by their real path.
 * @param {string} executable
 */
function layOut(executable) {
  const apps = join(cacheFolder, 'apps');
  mkdirSync(apps, { recursive: true });
  sweep(apps);
  const folder = mkdtempSync(join(apps, `${process.pid}-`));
  for (const name of readdirSync(registryElectron.folder)) {
    if (name !== 'electron' && name !== 'kept_modules') symlinkSync(join(registryElectron.folder, name), join(folder, name));
  }
  try {
    linkSync(executable, join(folder, 'electron'));
  } catch {
    copyFileSync(executable, join(folder, 'electron'), constants.COPYFILE_FICLONE);
  }
  const app = join(folder, 'resources', 'app');
  mkdirSync(app, { recursive: true });
  for (const name of APP_FILES) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(app, name), { recursive: true });
  }
  cpSync(registryElectron.modules, join(app, 'node_modules'), { recursive: true });
  return folder;
}

/**
 * Makes the built app runnable: the official Electron runs the project folder itself, the registry's gets a copy. Build first.
 * @returns {Promise<RunnableApp>}
 */
export async function prepareElectronApp() {
  const electron = await ensureElectron();
  const sandbox = isLinuxRoot() ? ['--no-sandbox'] : [];
  if (electron.kind === 'official') return { executablePath: electron.executablePath, args: [...sandbox, root], electron, remove: () => {} };
  const folder = layOut(electron.executablePath);
  return { executablePath: join(folder, 'electron'), args: sandbox, electron, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
