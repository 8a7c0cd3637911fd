// `npm start`: the app, set up first; where no window can be shown, the gateway without one.
import { hasDisplay } from './lib/paths.mjs';
import { asScript, become, say } from './lib/run.mjs';
import { serve } from './serve.mjs';
import { setUp } from './setup.mjs';

/** @param {string[]} args */
async function startWindow(args) {
  await setUp({ build: ['main', 'preload', 'renderer'], electron: 'window' });
  const { prepareElectronApp } = await import('./electron-app.mjs');
  const app = await prepareElectronApp();
  // Set by editors that are Electron apps themselves; it would make ours a plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return become(app.executablePath, [...app.args, ...args], env).finally(app.remove);
}

await asScript(() => {
  const args = process.argv.slice(2);
  if (hasDisplay()) return startWindow(args);
  say('there is no display here, so the gateway runs without its window; its address and key follow.');
  return serve(args);
});
