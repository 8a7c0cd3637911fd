// Builds the parts named (all when none is), each only when one of its inputs has changed: `node scripts/build.mjs [main] [preload] [renderer]`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, isStale, parts, stampOf } from './lib/inputs.mjs';
import { inThisProject, withLock } from './lib/lock.mjs';
import { root } from './lib/paths.mjs';
import { asScript, Fault, say } from './lib/run.mjs';

/** @param {string} part */
async function build(part) {
  // Loaded late: most runs find everything built, and the bundler is the slowest thing to load.
  const vite = await import('vite');
  const started = Date.now();
  // Taken before the build: an input written meanwhile makes the next run build again.
  const inputs = fingerprint(part);
  const configFile = join(root, part === 'renderer' ? 'renderer' : 'main', 'vite.config.ts');
  await vite.build({ configFile, mode: part === 'preload' ? 'preload' : 'production' }).catch((/** @type {Error} */ error) => {
    throw new Fault(`${part} could not be built: ${error.message}`);
  });
  writeFileSync(stampOf(part), inputs);
  say(`built ${part} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

await asScript(async () => {
  const named = process.argv.slice(2);
  const unknown = named.find((part) => !(part in parts));
  if (unknown !== undefined) throw new Fault(`there is no part "${unknown}" to build; the parts are ${Object.keys(parts).join(', ')}.`);
  const wanted = named.length > 0 ? named : Object.keys(parts);
  if (!wanted.some(isStale)) return;
  await withLock(inThisProject('build'), async () => {
    for (const part of wanted) if (isStale(part)) await build(part);
  });
});
