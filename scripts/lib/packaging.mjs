import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Fault } from './run.mjs';

/** Where updates come from and where the project lives, for a package that is made now: settings of the build, not of the source. */
const FEED = 'HOLDFAST_FEED_URL';
const HOMEPAGE = 'HOLDFAST_HOMEPAGE';

/** An update that a stranger on the way could change is worse than none. @param {URL} url */
const isTrusted = (url) => url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname));

/**
 * What the environment adds to electron-builder.yml, as arguments of electron-builder. With a feed the packages get their update metadata.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function settingsOfBuild({ [FEED]: feed, [HOMEPAGE]: homepage }) {
  if (feed && !(URL.canParse(feed) && isTrusted(new URL(feed)))) throw new Fault(`${FEED} has to be an https address, or one of this machine; it is "${feed}".`);
  return [
    ...(feed ? ['-c.publish.provider=generic', `-c.publish.url=${feed}`] : []),
    ...(homepage ? [`-c.extraMetadata.homepage=${homepage}`] : []),
  ];
}

/**
 * Bytes of a file, or of everything below a folder.
 * @param {string} path
 * @returns {number}
 */
function sizeOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/**
 * How large an unpacked app is, in bytes: the app's own code and data, and all with Electron.
 * @param {string} folder
 * @param {string} resources its folder of resources
 */
export function appSizes(folder, resources) {
  const own = ['app.asar', 'app.asar.unpacked'].map((name) => join(resources, name)).filter(existsSync);
  return { app: own.reduce((sum, path) => sum + sizeOf(path), 0), all: sizeOf(folder) };
}

/**
 * The unpacked apps that a run of electron-builder has left in its output, each with its resources and its executable.
 * @param {string} output
 */
export function unpackedApps(output) {
  return readdirSync(output).flatMap((name) => {
    const folder = join(output, name);
    if (/^linux(-\w+)?-unpacked$/.test(name)) return [{ folder, resources: join(folder, 'resources'), executable: join(folder, 'holdfast') }];
    if (/^win(-\w+)?-unpacked$/.test(name)) return [{ folder, resources: join(folder, 'resources'), executable: join(folder, 'Holdfast.exe') }];
    if (/^mac(-\w+)?$/.test(name)) {
      const inner = join(folder, 'Holdfast.app', 'Contents');
      return [{ folder, resources: join(inner, 'Resources'), executable: join(inner, 'MacOS', 'Holdfast') }];
    }
    return [];
  });
}

/** @param {number} bytes */
const mb = (bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The sizes in words, for people. @param {{ folder: string, resources: string }} app */
export function sizesInWords({ folder, resources }) {
  const { app, all } = appSizes(folder, resources);
  return `${basename(folder)}: ${mb(app)} of the app's own, ${mb(all)} with Electron`;
}

/**
 * Puts another build of SQLite into a packed app: what `modules` holds takes the place of everything in its node_modules.
 * @param {string} resources
 * @param {string} modules
 */
export async function swapModules(resources, modules) {
  const { default: asar } = await import('@electron/asar');
  const archive = join(resources, 'app.asar');
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-asar-'));
  try {
    asar.extractAll(archive, folder);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    cpSync(modules, join(folder, 'node_modules'), { recursive: true });
    rmSync(`${archive}.unpacked`, { recursive: true });
    await asar.createPackageWithOptions(folder, archive, { unpack: '**/*.node' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
