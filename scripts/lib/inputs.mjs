import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

/**
 * The parts of the build: the source whose presence makes the part, the folder it is written to, and what it is made from.
 * @type {Record<string, { entry: string, folder: string, from: string[] }>}
 */
export const parts = {
  main: { entry: 'main/headless.ts', folder: 'out/main', from: ['main', 'shared', 'locales', 'package.json', 'package-lock.json'] },
  preload: { entry: 'main/preload/index.ts', folder: 'out/preload', from: ['main/preload', 'main/vite.config.ts', 'shared', 'package-lock.json'] },
  renderer: { entry: 'renderer/main.tsx', folder: 'out/renderer', from: ['renderer', 'shared', 'locales', 'package-lock.json'] },
};

/**
 * Every file below a path, the path itself when it is a file, none when there is nothing.
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(inner) : [inner];
  });
}

/**
 * One short text that changes when any input of a part is added, removed or written: from names, sizes and times, not contents.
 * @param {string} part
 */
export function fingerprint(part) {
  const hash = createHash('sha256');
  for (const path of (parts[part]?.from ?? []).flatMap((from) => filesBelow(join(root, from))).sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Where the fingerprint of what was built last is kept: beside the output, so that both go together.
 * @param {string} part
 */
export const stampOf = (part) => join(root, parts[part]?.folder ?? '', '.inputs');

/**
 * Whether a part has sources and must be built because they are not those of the last build.
 * @param {string} part
 */
export function isStale(part) {
  if (!existsSync(join(root, parts[part]?.entry ?? ''))) return false;
  return !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== fingerprint(part);
}
