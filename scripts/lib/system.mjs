import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mayInstallDebianPackages, root } from './paths.mjs';
import { Fault, run, say } from './run.mjs';

/**
 * What Electron and its tests need from a Linux: how it is recognised, and the Debian packages that bring it (newer name first).
 * @typedef {{ library?: string, command?: string, font?: true, packages: string[] }} Need
 */

/** @type {Need[]} */
const WINDOW = [
  { library: 'libgtk-3.so.0', packages: ['libgtk-3-0t64', 'libgtk-3-0'] },
  { library: 'libnss3.so', packages: ['libnss3'] },
  { library: 'libasound.so.2', packages: ['libasound2t64', 'libasound2'] },
  { library: 'libgbm.so.1', packages: ['libgbm1'] },
  { library: 'libXss.so.1', packages: ['libxss1'] },
  { library: 'libatk-bridge-2.0.so.0', packages: ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'] },
  { library: 'libdrm.so.2', packages: ['libdrm2'] },
];

/** @type {Need[]} */
const TESTS = [
  ...WINDOW,
  { command: 'Xvfb', packages: ['xvfb'] },
  { command: 'xauth', packages: ['xauth'] },
  { font: true, packages: ['fonts-noto-cjk'] },
  { library: 'libsecret-1.so.0', packages: ['libsecret-1-0'] },
  { command: 'gnome-keyring-daemon', packages: ['gnome-keyring'] },
  { command: 'dbus-run-session', packages: ['dbus'] },
  { command: 'dbus-launch', packages: ['dbus-x11'] },
];

const stamp = join(root, 'node_modules', '.cache', 'holdfast', 'system-complete');

/** @param {string} name */
const isCommand = (name) => (process.env['PATH'] ?? '').split(':').concat('/usr/bin', '/usr/sbin').some((folder) => existsSync(join(folder, name)));

/** @param {Need[]} needs */
async function missingOf(needs) {
  const libraries = (await run('/sbin/ldconfig', ['-p'])).output;
  const fonts = (await run('fc-list', [':lang=zh', 'family'])).output;
  return needs.filter((need) => {
    if (need.library !== undefined) return !libraries.includes(`\t${need.library} `);
    if (need.command !== undefined) return !isCommand(need.command);
    return fonts.trim() === '' || fonts.includes('ENOENT');
  });
}

/** @param {Need[]} missing */
async function install(missing) {
  say(`installing system packages: ${missing.map((need) => need.packages.at(-1)).join(' ')} (Debian) ...`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  const names = [];
  for (const need of missing) {
    for (const name of need.packages) {
      // A name that is only a virtual package has no candidate.
      if (/Candidate: \d/.test((await run('apt-cache', ['policy', name])).output)) {
        names.push(name);
        break;
      }
    }
  }
  const { code, output } = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], { env });
  if (code !== 0) throw new Fault(`the system packages could not be installed; run "apt-get install ${names.join(' ')}" and see why (${output.trim().split('\n').at(-1)}).`);
}

/**
 * Makes sure that the system libraries are there: installs them on a Debian as root, else tells in one sentence what to install.
 * @param {'window' | 'tests'} purpose
 */
export async function ensureSystem(purpose) {
  const done = `${stamp}-${purpose}`;
  if (process.platform !== 'linux' || existsSync(done)) return;
  const needs = purpose === 'tests' ? TESTS : WINDOW;
  let missing = await missingOf(needs);
  if (missing.length > 0 && mayInstallDebianPackages()) {
    await install(missing);
    missing = await missingOf(needs);
  }
  if (missing.length > 0) {
    const names = missing.map((need) => need.library ?? need.command ?? 'a Chinese font').join(', ');
    say(`this machine lacks ${names}; on Debian or Ubuntu install them with "sudo apt-get install ${missing.map((need) => need.packages.at(-1)).join(' ')}".`);
    return;
  }
  mkdirSync(dirname(done), { recursive: true });
  writeFileSync(done, '');
}
