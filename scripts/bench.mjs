// `npm run bench -- ARGS`: measures the built gateway against bare ones, with `app` first the app and its window, with `log-read` or `log-write` the log on disk, with `soak` what it holds after hours; set up first (bench/README.md).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectNode, root } from './lib/paths.mjs';
import { asScript, become } from './lib/run.mjs';
import { setUp } from './setup.mjs';

/**
 * Runs the benchmark to its end.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
async function bench(args) {
  if (args[0] === 'app') {
    await setUp({ build: ['main', 'preload', 'renderer'], electron: 'tests' });
    return become(projectNode, [join(root, 'bench', 'app', 'run.ts'), ...args.slice(1)]);
  }
  if (args[0] === 'log-read' || args[0] === 'log-write') {
    await setUp({ build: [], electron: 'none' });
    return become(projectNode, [join(root, 'bench', `${args[0]}.ts`), ...args.slice(1)]);
  }
  if (args[0] === 'soak') {
    await setUp({ build: args.includes('--program') || args.includes('--help') ? [] : ['main'], electron: 'none' });
    return become(projectNode, [join(root, 'bench', 'soak', 'run.ts'), ...args.slice(1)]);
  }
  const program = args.includes('--program') || args.includes('--help');
  await setUp({ build: program ? [] : ['main', 'preload', 'renderer'], electron: args.includes('electron') || args.some((arg) => arg.split(',').includes('electron')) ? 'tests' : 'none' });
  return become(projectNode, [join(root, 'bench', 'run.ts'), ...args]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await asScript(() => bench(process.argv.slice(2)));
