// Takes the pictures of the README from the real app: `node scripts/screenshots.mjs`. With `--all FOLDER` every page in both languages and themes and two sizes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron as electron } from 'playwright-core';
import { prepareElectronApp } from './electron-app.mjs';
import { startDisplay } from './lib/display.mjs';
import { hasDisplay, root } from './lib/paths.mjs';
import { asScript, Fault, say } from './lib/run.mjs';
import { play, startProviders, TOOLS } from './lib/scene.mjs';
import { setUp } from './setup.mjs';

const KEY = 'hf-only-for-the-pictures-of-the-readme';
const LARGE = { width: 1440, height: 900 };
const SMALL = { width: 900, height: 600 };

/** @typedef {'overview' | 'requests' | 'drawer' | 'upstreams' | 'routes' | 'routing'} View */
/** @typedef {{ view: View, language: 'en' | 'zh', theme: 'light' | 'dark', size: { width: number, height: number }, file: string }} Shot */

/** @type {Shot[]} */
const COMMITTED = [
  { view: 'overview', language: 'en', theme: 'light', size: LARGE, file: 'overview.png' },
  { view: 'drawer', language: 'en', theme: 'light', size: LARGE, file: 'requests.png' },
  { view: 'routing', language: 'en', theme: 'dark', size: LARGE, file: 'routing-dark.png' },
  { view: 'drawer', language: 'zh', theme: 'dark', size: LARGE, file: 'requests-zh-dark.png' },
  { view: 'overview', language: 'zh', theme: 'light', size: SMALL, file: 'overview-zh-small.png' },
];

/** @returns {Shot[]} */
function everyShot() {
  const views = /** @type {View[]} */ (['overview', 'requests', 'drawer', 'upstreams', 'routes', 'routing']);
  return views.flatMap((view) => /** @type {const} */ (['en', 'zh']).flatMap((language) => /** @type {const} */ (['light', 'dark']).flatMap((theme) => [LARGE, SMALL].map((size) => ({ view, language, theme, size, file: `${view}-${language}-${theme}-${size.width}.png` })))));
}

/** @param {string} upstreams address of the providers */
function documentFor(upstreams) {
  const upstream = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ format) => ({ id, name, preset: id, base_url: `${upstreams}/${format}`, formats: [format], credential: { kind: 'stored', value: 'sk-only-for-the-pictures' }, proxy: 'none' });
  return {
    holdfast: 1,
    // Steady pictures: the last model of a row of failures is not put to rest.
    settings: { 'gateway.breaker': { enabled: false } },
    upstreams: [upstream('anthropic', 'Anthropic', 'anthropic'), upstream('openai', 'OpenAI', 'responses'), upstream('gemini', 'Google', 'gemini')],
    keys: [{ name: 'laptop', key: KEY }],
  };
}

/** Rows as a working morning makes them; some of them take their time, for their pauses are real. @param {Parameters<typeof play>[0]} scene */
async function makeRows(scene) {
  const quick = (/** @type {number} */ n) => ({ good: 20 + (n % 7) * 9, afterMs: 40 + (n % 5) * 35, input: 8_000 + (n % 9) * 2_345 });
  const tools = /** @type {(keyof typeof TOOLS)[]} */ (Object.keys(TOOLS));
  const tool = (/** @type {number} */ n) => tools[n % 4 === 3 ? 0 : n % 3] ?? 'claude';
  for (let n = 0; n < 14; n++) await play(scene, tool(n), n % 5 === 2 ? [{ fail: 503, hintMs: 300 }, quick(n)] : [quick(n)]);
  await play(scene, 'gemini', [{ fail: 400 }]);
  await Promise.all([
    play(scene, 'claude', [{ fail: 529 }, { fail: 529, hintMs: 2_500 }, { ...quick(4), afterMs: 900 }]),
    play(scene, 'codex', [{ fail: 503 }, quick(5)]),
  ]);
  for (let n = 14; n < 22; n++) await play(scene, tool(n), n === 17 ? [{ fail: 529, hintMs: 260 }, { fail: 529, hintMs: 400 }, quick(n)] : [quick(n)]);
}

/** Brings a view onto the page. @param {import('playwright-core').Page} page @param {View} view */
async function show(page, view) {
  const pages = page.locator('nav').first().getByRole('button');
  await (view === 'routing' ? page.locator('.hf-nav').last() : pages.nth({ overview: 0, requests: 1, drawer: 1, upstreams: 2, routes: 3 }[view])).click();
  // Behind General and Server.
  if (view === 'routing') await page.locator('nav').nth(1).getByRole('button').nth(2).click();
  if (view !== 'drawer') return;
  // The row that was rescued after two real pauses.
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'Claude Code' });
  await rows.first().waitFor();
  const retries = await rows.evaluateAll((all) => all.map((row) => row.querySelectorAll('[role=gridcell]')[5]?.textContent));
  await rows.nth(retries.lastIndexOf('2')).click();
  await page.getByRole('complementary').locator('svg').first().waitFor();
}

/** @param {Shot[]} shots @param {string} folder */
async function take(shots, folder) {
  const app = await prepareElectronApp();
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-pictures-'));
  /** @type {Map<string, import('./lib/scene.mjs').Step[]>} */
  const plans = new Map();
  const providers = await startProviders(plans);
  const stop = new AbortController();
  const { HOLDFAST_DATA_DIR: _, ...env } = process.env;
  const running = await electron.launch({ executablePath: app.executablePath, args: [...app.args, '--force-device-scale-factor=1'], env: /** @type {Record<string, string>} */ ({ ...env, HOLDFAST_DATA_DIR: dataDir, LANG: 'en_GB.UTF-8', TZ: 'UTC' }) });
  try {
    const page = await running.firstWindow();
    const file = join(dataDir, 'document.json');
    writeFileSync(file, JSON.stringify(documentFor(providers.url)));
    await running.evaluate(({ dialog }, path) => { dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] }); }, file);
    const ask = (/** @type {string} */ channel, /** @type {unknown} */ argument) => page.evaluate(([name, given]) => /** @type {any} */ (window).holdfast.request[/** @type {string} */ (name)](given), [channel, argument]);
    const opened = await ask('document.open', null);
    const imported = opened.kind === 'ready' ? await ask('document.apply', { token: opened.token }) : opened;
    if (imported.kind !== 'applied') throw new Fault(`the document of the pictures was refused: ${JSON.stringify(imported)}`);
    await ask('first_steps.dismiss', null);
    const state = await ask('gateway.state', null);
    if (state.status !== 'running') throw new Fault('port 4653 is in use, and the pictures show it; end what holds it and run this again.');
    const scene = { url: state.url, key: KEY, plans, signal: stop.signal };
    say('making requests ...');
    await makeRows(scene);
    // Left running for the pictures: one waits, one answers.
    for (const left of [play(scene, 'claude', [{ fail: 529 }]), play(scene, 'codex', [{ good: 30, afterMs: 200, input: 21_400, open: true }])]) left.catch(() => undefined);
    await page.getByText(/retry 3 in [1-6]\./).first().waitFor();
    mkdirSync(folder, { recursive: true });
    for (const { view, language, theme, size, file: name } of shots) {
      await ask('settings.set', { key: 'app.language', value: language });
      await ask('settings.set', { key: 'app.theme', value: theme });
      await page.setViewportSize(size);
      await page.waitForFunction(([scheme, tag]) => document.documentElement.dataset['mantineColorScheme'] === scheme && document.documentElement.lang.startsWith(/** @type {string} */ (tag)), [theme, language]);
      await show(page, view);
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(folder, name), animations: 'disabled' });
      say(join(folder, name));
    }
  } finally {
    stop.abort();
    await running.close();
    providers.stop();
    app.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await asScript(async () => {
  await setUp({ build: ['main', 'preload', 'renderer'], electron: 'tests' });
  const display = hasDisplay() ? null : await startDisplay();
  if (display !== null) process.env['DISPLAY'] = display.display;
  const all = process.argv.indexOf('--all');
  try {
    if (all < 0) await take(COMMITTED, join(root, 'docs', 'screenshots'));
    else await take(everyShot(), process.argv[all + 1] ?? join(root, 'out', 'screenshots'));
  } finally {
    display?.stop();
  }
});
