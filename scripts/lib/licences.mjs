import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {{ name: string, version: string, licence: string, text: string }} Licence */

/**
 * The folder of the package that a module belongs to; null for our own.
 * @param {string} id path of a module as the bundler has it, with `\0` before it and `?...` behind it where it has those
 */
export function packageFolder(id) {
  const path = id.replace(/^\0+/, '').replace(/\?.*$/s, '').replaceAll('\\', '/');
  const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@]+)(?:\/|$)/.exec(path);
  const folder = match?.[1];
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : null;
}

/**
 * What a package says of its licence, and the texts it ships.
 * @param {string} folder
 * @returns {Licence}
 */
export function licenceOf(folder) {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = [license ?? licenses].flat().map((one) => (typeof one === 'string' ? one : one?.type)).filter((one) => typeof one === 'string').join(' OR ');
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file)).sort();
  return { name, version, licence: named, text: texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') };
}

/**
 * Writes `licences.json` beside what is built: every package of which a module was looked at, and those that the build leaves outside.
 * @param {{ besides?: string[], root: string }} options names of packages that go along without being bundled
 * @returns {import('vite').Plugin}
 */
export function licences({ besides = [], root }) {
  return {
    name: 'licences',
    apply: 'build',
    writeBundle(options, bundle) {
      // Also those that nothing was left of: better one too many than one too few.
      const folders = new Set([...this.getModuleIds()].map(packageFolder).filter((folder) => folder !== null));
      for (const name of besides) folders.add(join(root, 'node_modules', name));
      const list = [...folders].map((folder) => licenceOf(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
      const to = options.dir ?? dirname(Object.keys(bundle)[0] ?? '.');
      writeFileSync(join(to, 'licences.json'), `${JSON.stringify(list, null, 1)}\n`);
    },
  };
}
