import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder for what is worth keeping between clones: Electron runtimes, real clients, locks. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'holdfast');

/** The Node that everything of the project runs on; it is there once the packages are installed. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The path of a file inside an installed package.
 * @param {string} name
 * @param {...string} inside
 */
export const inPackage = (name, ...inside) => join(root, 'node_modules', name, ...inside);

/** Whether windows can be shown here: everywhere but on a Linux without X11 and Wayland. */
export const hasDisplay = () => process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);

/** Whether this is Linux and run by root, where Chromium refuses to start with its sandbox. */
export const isLinuxRoot = () => process.platform === 'linux' && process.getuid?.() === 0;

/** Whether the machine installs Debian packages without asking: Debian or its kin, and root. */
export const mayInstallDebianPackages = () => isLinuxRoot() && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
