import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { projectNode, root } from './paths.mjs';
import { Fault, say } from './run.mjs';

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, peer?: boolean, link?: boolean }} LockedPackage
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

/**
 * Whether node_modules is what package-lock.json says. npm writes its list of what it installed at the very end.
 * @param {string} [folder] of the project
 */
export function packagesMatch(folder = root) {
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = packagesOf(list);
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(([path, locked]) => {
    const here = installed[path];
    if (path === '') return true;
    // A package that is not for this machine is locked and not installed.
    if (here === undefined) return locked.optional === true;
    return here.version === locked.version && here.integrity === locked.integrity;
  });
}

/** Installs what the lock file says, where it is not there yet, and the Node that the project runs on. */
export async function installPackages() {
  if (!packagesMatch()) {
    say('installing packages (about a minute) ...');
    // Windows cannot replace the program that is running, so there only what differs is touched.
    const how = process.platform === 'win32' && existsSync(projectNode) ? 'install' : 'ci';
    const { code } = await npm([how, '--loglevel=error'], { cwd: root, show: true });
    if (code !== 0) throw new Fault('the packages could not be installed; check that the npm registry can be reached, and run this again.');
  }
  if (!existsSync(projectNode)) {
    say('installing the Node of the project ...');
    const { code } = await npm(['rebuild', 'node', '--loglevel=error'], { cwd: root, show: true });
    if (code !== 0 || !existsSync(projectNode)) throw new Fault('the Node of the project could not be installed; run "npm rebuild node" and see why.');
  }
}
