// `npm run dist`: builds the app and packages it for this system into dist/. Arguments go to electron-builder, as in `npm run dist -- --linux deb --x64`.
// HOLDFAST_FEED_URL is where the packages will look for updates (without it they look for none), HOLDFAST_HOMEPAGE what a .deb names as its home.
import { join } from 'node:path';
import { sizesInWords, settingsOfBuild, unpackedApps } from './lib/packaging.mjs';
import { inPackage, projectNode, root } from './lib/paths.mjs';
import { asScript, become, say } from './lib/run.mjs';
import { setUp } from './setup.mjs';

await asScript(async () => {
  const settings = settingsOfBuild(process.env);
  await setUp({ build: ['main', 'preload', 'renderer'], electron: 'none' });
  // Uploading is the release workflow's work: nothing is published from a desk by accident.
  const code = await become(projectNode, [inPackage('electron-builder', 'cli.js'), ...process.argv.slice(2), ...settings, '--publish', 'never']);
  if (code === 0) for (const app of unpackedApps(join(root, 'dist'))) say(sizesInWords(app));
  return code;
});
