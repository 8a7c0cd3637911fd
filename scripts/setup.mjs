// Makes a fresh clone ready, and finds out fast that it is: packages, system libraries, Electron, build. Runs on the built-ins of Node 20 alone,
// for it runs before anything is installed. All it tells goes to stderr.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isStale, parts } from './lib/inputs.mjs';
import { inThisProject, withLock } from './lib/lock.mjs';
import { installPackages, packagesMatch } from './lib/packages.mjs';
import { projectNode, root } from './lib/paths.mjs';
import { asScript, Fault, run } from './lib/run.mjs';

const OLDEST_NODE = 20;

/**
 * Does what is missing of: the packages, the parts of the build that are named, and what a window or the tests of the real app need.
 * Several may run at once; one works, the others wait and find it done.
 * @param {{ build: string[], electron: 'none' | 'window' | 'tests' }} wish
 */
export async function setUp(wish) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) throw new Fault(`this needs Node ${OLDEST_NODE} or newer, here is ${process.version}; get a newer one from https://nodejs.org.`);
  if (!existsSync(projectNode) || !packagesMatch()) await withLock(inThisProject('packages'), installPackages);
  const stale = wish.build.filter(isStale);
  if (stale.length > 0) {
    const { code } = await run(projectNode, [join(root, 'scripts', 'build.mjs'), ...stale], { cwd: root, show: true });
    if (code !== 0) throw new Fault('the build failed; the lines above say where.');
  }
  if (wish.electron === 'none') return;
  const [{ ensureSystem }, { ensureElectron }] = await Promise.all([import('./lib/system.mjs'), import('./electron-runtime.mjs')]);
  const purpose = wish.electron;
  await withLock('system', () => ensureSystem(purpose));
  await withLock(inThisProject('electron'), ensureElectron);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await asScript(() => setUp({ build: Object.keys(parts), electron: 'tests' }));
}
