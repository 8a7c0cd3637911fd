// `npm run serve -- ARGS`: the gateway without a window, set up first. Its stdout, signals and exit code are the program's own.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectNode, root } from './lib/paths.mjs';
import { asScript, become } from './lib/run.mjs';
import { setUp } from './setup.mjs';

/**
 * Runs the gateway without a window to its end.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export async function serve(args) {
  await setUp({ build: ['main'], electron: 'none' });
  return become(projectNode, [join(root, 'out', 'main', 'headless.js'), ...args]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await asScript(() => serve(process.argv.slice(2)));
