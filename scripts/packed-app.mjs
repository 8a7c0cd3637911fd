// Packs the built app for the tests of the package: as electron-builder.yml says, for this system, unpacked, around the Electron that is here, so that
// nothing is downloaded.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureElectron } from './electron-runtime.mjs';
import { swapModules, unpackedApps } from './lib/packaging.mjs';
import { root } from './lib/paths.mjs';
import { registryElectron } from './lib/registry-electron.mjs';

/**
 * @typedef {object} PackedApp
 * @property {string} folder
 * @property {string} resources
 * @property {string} executable
 * @property {import('./electron-runtime.mjs').ElectronRuntime} electron
 */

/**
 * Packs into a folder; build first. `run` makes an app that starts on the Electron that is here; `look` packs for an architecture exactly what
 * would be shipped, which the older Electron cannot start.
 * @param {string} output
 * @param {{ to: 'run' } | { to: 'look', arch: 'x64' | 'arm64' }} purpose
 * @returns {Promise<PackedApp>}
 */
export async function packForTests(output, purpose) {
  const electron = await ensureElectron();
  const { Arch, build, Platform } = await import('electron-builder');
  await build({
    projectDir: root,
    targets: Platform.current().createTarget('dir', Arch[purpose.to === 'look' ? purpose.arch : process.arch === 'arm64' ? 'arm64' : 'x64']),
    publish: 'never',
    config: {
      electronDist: electron.folder,
      electronVersion: electron.version,
      directories: { output },
      // The older Electron cannot load the binding that is shipped; it brings the one that was built for it.
      ...(electron.kind === 'registry' && purpose.to === 'run' && {
        afterPack: async ({ appOutDir }) => {
          rmSync(join(appOutDir, 'kept_modules'), { recursive: true });
          await swapModules(join(appOutDir, 'resources'), registryElectron.modules);
        },
      }),
    },
  });
  const [app] = unpackedApps(output);
  if (app === undefined) throw new Error(`electron-builder has left no unpacked app in ${output}`);
  return { ...app, electron };
}
