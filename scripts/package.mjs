// `npm run dist`: builds the app and packages it for this system into dist/. Arguments go to electron-builder, as in `npm run dist -- --linux deb --x64`.
// HOLDFAST_FEED_URL is where the packages will look for updates (without it they look for none), HOLDFAST_HOMEPAGE what a .deb names as its home.
import { join } from 'node:path';
import { sizesInWords, settingsOfBuild, unpackedApps } from './lib/packaging.mjs';
import { inPackage, projectNode, root } from './lib/paths.mjs';
import { asScript, become, Fault, run, say } from './lib/run.mjs';

await asScript(async () => {
  const settings = settingsOfBuild(process.env);
  const built = await run(projectNode, [join(root, 'scripts', 'build.mjs')], { cwd: root, show: true });
  if (built.code !== 0) throw new Fault('the build failed; the lines above say where.');
  // Uploading is the release workflow's work: nothing is published from a desk by accident.
  const code = await become(projectNode, [inPackage('electron-builder', 'cli.js'), ...process.argv.slice(2), ...settings, '--publish', 'never']);
  if (code === 0) for (const app of unpackedApps(join(root, 'dist'))) say(sizesInWords(app));
  return code;
});
