// Serves the built window over a fake bridge, under the policy of the real app or a stricter one, and takes its pictures:
//   node test/renderer/support/preview.ts            builds and serves until stopped, prints the address
//   node test/renderer/support/preview.ts FOLDER     takes every page in both languages, themes and sizes into FOLDER and prints what
//   the console and axe complain of; a second argument keeps to the pages whose names begin with it, a third to the pictures whose names hold it
import { createServer } from 'node:http';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { PAGE_NAMES, type PageName } from '../../../shared/ipc.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const outDir = join(tmpdir(), `holdfast-preview-${process.pid}`);
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

async function buildAll(): Promise<void> {
  await build({ configFile: here('../../../renderer/vite.config.ts'), build: { outDir, emptyOutDir: true, sourcemap: false, minify: false } });
  await build({ configFile: false, logLevel: 'warn', publicDir: false, build: { outDir: join(outDir, 'fake'), emptyOutDir: true, minify: false, lib: { entry: here('./scenes.ts'), formats: ['iife'], name: 'scenes', fileName: () => 'scenes.js' } } });
}

async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://preview').pathname);
    const file = join(outDir, path === '/' ? 'index.html' : path);
    readFile(file).then((bytes) => {
      const body = file.endsWith('index.html') ? bytes.toString().replace('<head>', '<head>\n    <link rel="icon" href="data:," />').replace('<script type="module"', '<script src="./fake/scenes.js"></script>\n    <script type="module"') : bytes;
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY }).end(body);
    }, () => response.writeHead(404).end());
  });
  await new Promise<void>((listening) => { server.listen(0, '127.0.0.1', listening); });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

const SIZES = [{ width: 900, height: 600 }, { width: 1440, height: 900 }] as const;

interface Shot { readonly name: string; readonly scene: string; readonly query?: string; readonly act: (page: Page) => Promise<void> }

const nav = (name: PageName) => (page: Page) => page.locator('.hf-nav').nth(PAGE_NAMES.indexOf(name)).click();
const section = (index: number) => async (page: Page) => { await page.locator('.hf-nav').last().click(); await page.locator('.hf-section').nth(index).click(); };
// By its name: sections come and go.
const prices = async (page: Page) => { await page.locator('.hf-nav').last().click(); await page.locator('.hf-section').filter({ hasText: /^(Prices|价格)$/ }).click(); };
const given = (settings: object) => `&settings=${encodeURIComponent(JSON.stringify(settings))}`;
const CUSTOM = given({ 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { backoff: 'exponential', baseMs: 1_000, maxMs: 30_000, jitter: 0.3, maxAttempts: 8, hint: 'follow', hintMinMs: 250, statuses: [425, 500, 502, 503, 504, 529], retryOnTimeout: true, attemptTimeoutMs: 60_000 } });
const RULES = given({ 'gateway.retry_rules': [
  { upstream: null, statuses: [400, 422], text: 'warming up', class: 'transient' },
  { upstream: 'deepseek', statuses: [], pattern: '(?i)try again in \\d+ ?s', class: 'rate_limited' },
  { upstream: 'gone', statuses: [503], class: 'quota' },
] });
const SHOTS: readonly Shot[] = [
  { name: 'overview', scene: 'full', act: async () => undefined },
  { name: 'overview-first', scene: 'first', act: async () => undefined },
  { name: 'overview-demo', scene: 'first', act: async (page) => { await page.locator('.hf-step').nth(2).locator('button').first().click(); await page.waitForTimeout(2_600); } },
  { name: 'overview-taken', scene: 'taken', act: async () => undefined },
  { name: 'overview-quiet', scene: 'quiet', act: async () => undefined },
  { name: 'overview-hours', scene: 'full', act: async (page) => { await page.locator('.hf-span label').first().click(); await page.waitForTimeout(150); await page.locator('.hf-bars').focus(); await page.keyboard.press('ArrowLeft'); await page.locator('.hf-sums').scrollIntoViewIfNeeded(); } },
  { name: 'overview-month', scene: 'full', act: async (page) => { await page.locator('.hf-span label').last().click(); await page.locator('.hf-sums').scrollIntoViewIfNeeded(); await page.locator('.hf-bars').hover({ position: { x: 300, y: 60 } }); } },
  { name: 'overview-table', scene: 'full', act: async (page) => { await page.locator('.hf-card .mantine-SegmentedControl-root label').nth(1).click(); await page.locator('.hf-sums').scrollIntoViewIfNeeded(); } },
  { name: 'prices', scene: 'full', act: prices },
  { name: 'logs', scene: 'full', query: given({ 'logs.bodies': 'errors' }), act: section(6) },
  { name: 'logs-ask', scene: 'full', act: async (page) => { await section(6)(page); await page.locator('.hf-on-disk-buttons button').last().click(); await page.locator('.mantine-Modal-content').waitFor(); await page.waitForTimeout(300); } },
  { name: 'prices-edit', scene: 'full', act: async (page) => { await prices(page); await page.locator('.hf-page section').nth(0).locator('button').first().click(); await page.locator('.mantine-Modal-content').waitFor(); await page.locator('.mantine-Modal-content input').nth(1).fill('-1'); await page.locator('.mantine-Modal-content button[type=submit]').click(); await page.waitForTimeout(300); } },
  { name: 'lately', scene: 'full', act: async (page) => { await page.locator('.hf-lately').scrollIntoViewIfNeeded(); } },
  { name: 'requests', scene: 'full', act: nav('requests') },
  { name: 'requests-drawer', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-tbody .hf-tr').nth(3).click(); await page.waitForTimeout(200); } },
  { name: 'requests-failed', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-tbody .hf-tr').nth(6).click(); await page.waitForTimeout(200); } },
  { name: 'requests-contents', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-tbody .hf-tr').nth(3).click(); for (const at of [2, 1, 0]) await page.locator('.hf-fold > summary').nth(at).click(); await page.locator('.hf-contents').evaluate((element) => { element.scrollIntoView({ block: 'start' }); }); await page.waitForTimeout(200); } },
  { name: 'requests-filter', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-toolbar button').first().click(); await page.locator('[role=tab]').nth(2).click(); await page.locator('.hf-filter-list input').first().click(); await page.locator('.hf-filter-panel input').first().click(); await page.waitForTimeout(200); } },
  { name: 'requests-range', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-toolbar button').first().click(); await page.locator('[role=tab]').nth(0).click(); await page.locator('.hf-filter-list input').last().click(); await page.locator('.hf-between input').first().fill('soon'); await page.locator('.hf-between button').click(); await page.waitForTimeout(200); } },
  { name: 'requests-columns', scene: 'full', act: async (page) => { await nav('requests')(page); await page.locator('.hf-columns-button').click(); await page.waitForTimeout(200); } },
  { name: 'requests-search', scene: 'full', act: async (page) => { await nav('requests')(page); await page.keyboard.press('/'); await page.keyboard.type('deepseek'); await page.waitForTimeout(200); } },
  { name: 'requests-nothing', scene: 'full', act: async (page) => { await nav('requests')(page); await page.keyboard.press('/'); await page.keyboard.type('没有这样的东西'); await page.waitForTimeout(200); } },
  { name: 'requests-tired', scene: 'tired', act: async (page) => { await nav('requests')(page); await page.locator('.hf-tbody .hf-tr').nth(0).click(); await page.waitForTimeout(200); } },
  { name: 'requests-empty', scene: 'quiet', act: nav('requests') },
  { name: 'upstreams', scene: 'full', act: nav('upstreams') },
  { name: 'upstreams-first', scene: 'first', act: nav('upstreams') },
  { name: 'upstreams-new', scene: 'first', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-tile').nth(0).click(); await page.waitForTimeout(300); await page.locator('.hf-editor-foot button[type=submit]').click(); await page.waitForTimeout(100); } },
  { name: 'upstreams-azure', scene: 'first', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-tile').nth(7).click(); await page.waitForTimeout(300); await page.locator('.hf-editor input').nth(3).fill('https://ada.openai.azure.com/openai/deployments/gpt-5/chat/completions?api-version=2024-10-21'); } },
  { name: 'upstreams-edit', scene: 'full', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-name').nth(0).click(); await page.waitForTimeout(300); await page.locator('.hf-test button').click(); await page.waitForTimeout(150); } },
  { name: 'upstreams-bad', scene: 'full', query: '&test=bad', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-name').nth(0).click(); await page.waitForTimeout(300); await page.locator('.hf-test button').click(); await page.waitForTimeout(150); } },
  { name: 'upstreams-more', scene: 'full', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-name').nth(2).click(); await page.waitForTimeout(300); await page.locator('.hf-more-button').click(); await page.locator('.hf-more button').nth(1).click(); await page.locator('.hf-more').scrollIntoViewIfNeeded(); await page.waitForTimeout(150); } },
  { name: 'upstreams-client', scene: 'full', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-name').nth(1).click(); await page.waitForTimeout(300); await page.locator('.hf-editor .mantine-SegmentedControl-label').nth(2).click(); await page.keyboard.press('Escape'); await page.waitForTimeout(150); } },
  { name: 'upstreams-delete', scene: 'full', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-controls button').nth(0).click(); await page.locator('[role=menuitem]').nth(1).click(); await page.waitForTimeout(300); } },
  { name: 'upstreams-undo', scene: 'full', act: async (page) => { await nav('upstreams')(page); await page.locator('.hf-up-controls button').nth(0).click(); await page.locator('[role=menuitem]').nth(1).click(); await page.locator('.hf-danger').click(); await page.locator('.hf-saved').waitFor(); await page.waitForTimeout(300); } },
  { name: 'routes', scene: 'full', act: nav('routes') },
  { name: 'routes-dry', scene: 'full', act: async (page) => { await nav('routes')(page); await page.locator('.hf-decisions').waitFor(); await page.locator('.hf-dry-result').evaluate((element) => { element.scrollIntoView({ block: 'start' }); }); await page.waitForTimeout(150); } },
  { name: 'routes-first', scene: 'first', act: nav('routes') },
  { name: 'routes-new', scene: 'full', act: async (page) => { await nav('routes')(page); await page.locator('.hf-page-top button').click(); await page.waitForTimeout(300); await page.locator('.hf-editor input').nth(0).fill('*5*'); await page.waitForTimeout(150); } },
  { name: 'routes-edit', scene: 'full', act: async (page) => { await nav('routes')(page); await page.locator('.hf-up-name').nth(1).click(); await page.waitForTimeout(300); } },
  { name: 'settings-health', scene: 'full', act: async (page) => { await nav('settings')(page); await page.locator('.hf-section').nth(3).click(); } },
  { name: 'settings-limits', scene: 'full', act: async (page) => { await nav('settings')(page); await page.locator('.hf-section').nth(4).click(); } },
  { name: 'settings-general', scene: 'full', act: section(0) },
  { name: 'server', scene: 'taken', act: section(1) },
  { name: 'routing', scene: 'full', act: section(2) },
  { name: 'routing-600', scene: 'full', query: '&wait=600', act: section(2) },
  { name: 'routing-refused', scene: 'full', query: '&wait=30', act: async (page) => { await section(2)(page); await page.locator('.hf-wait .mantine-TextInput-input').fill('601'); await page.keyboard.press('Enter'); } },
  { name: 'routing-saved', scene: 'full', query: '&wait=30', act: async (page) => { await section(2)(page); await page.locator('.hf-wait .mantine-TextInput-input').fill('20'); await page.keyboard.press('Enter'); await page.locator('.hf-saved').waitFor(); } },
  { name: 'routing-off', scene: 'full', query: '&wait=0', act: section(2) },
  { name: 'routing-hint', scene: 'full', act: async (page) => { await section(2)(page); await page.locator('.hf-hint-example label').first().click(); } },
  { name: 'routing-custom', scene: 'full', query: CUSTOM, act: async (page) => { await section(2)(page); await page.locator('.hf-pace').scrollIntoViewIfNeeded(); } },
  { name: 'routing-custom-refused', scene: 'full', query: CUSTOM, act: async (page) => { await section(2)(page); const field = page.locator('.hf-pace .hf-number input').first(); await field.fill('200'); await field.press('Enter'); await page.locator('.hf-chips input').fill('399'); await page.keyboard.press('Enter'); await page.locator('.hf-pace .hf-cells').evaluate((element) => element.scrollIntoView({ block: 'end' })); } },
  { name: 'routing-around', scene: 'full', act: async (page) => { await section(2)(page); await page.locator('.hf-page section').nth(3).evaluate((element) => element.scrollIntoView()); } },
  { name: 'routing-rules', scene: 'full', query: RULES, act: async (page) => { await section(2)(page); await page.locator('.hf-tester textarea').fill('{"error":{"type":"invalid_request_error","message":"The model is warming up"}}'); await page.locator('.hf-rule-matched').waitFor(); await page.locator('.hf-tester').scrollIntoViewIfNeeded(); } },
  { name: 'routing-rules-none', scene: 'full', act: async (page) => { await section(2)(page); await page.locator('.hf-tester').scrollIntoViewIfNeeded(); } },
  { name: 'routing-rule-editor', scene: 'full', query: RULES, act: async (page) => { await section(2)(page); await page.locator('.hf-rule').nth(1).locator('button').nth(2).click(); await page.locator('.mantine-Modal-content').waitFor(); await page.waitForTimeout(300); await page.locator('.mantine-Modal-content input.hf-mono').fill('(unclosed'); await page.locator('.mantine-Modal-content button[type=submit]').click(); } },
  { name: 'timeouts', scene: 'full', act: section(3) },
  { name: 'timeouts-refused', scene: 'full', query: given({ 'gateway.request_timeout_secs': 60 }), act: async (page) => { await section(3)(page); await page.locator('.hf-number input').first().fill('10'); await page.keyboard.press('Enter'); } },
];

async function shoot(url: string, folder: string, only: string | undefined, which = ''): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => { if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  for (const shot of SHOTS.filter((one) => only === undefined || one.name.startsWith(only))) {
    for (const size of SIZES) for (const lang of ['en', 'zh']) for (const theme of ['light', 'dark']) {
      const name = `${shot.name}-${size.width}-${lang}-${theme}`;
      if (!name.includes(which)) continue;
      await page.setViewportSize(size);
      await page.goto(`${url}/?scene=${shot.scene}&lang=${lang}&theme=${theme}${shot.query ?? ''}`);
      await page.locator('.hf-nav').first().waitFor();
      await shot.act(page);
      await page.waitForTimeout(150);
      // Once per page and theme: languages and sizes change neither names nor contrasts.
      const violations = size.width === 900 && lang === 'en' ? (await new AxeBuilder({ page }).analyze()).violations : [];
      complaints.push(...violations.map((one) => `${shot.name} ${theme} axe ${one.impact} ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`));
      await page.screenshot({ path: join(folder, `${name}.png`) });
    }
  }
  await browser.close();
  console.log([...new Set(complaints)].join('\n') || 'no complaints');
}

await buildAll();
const url = await serve();
const [folder, only, which] = process.argv.slice(2);
if (folder === undefined) console.log(url);
else {
  await shoot(url, folder, only, which);
  process.exit(0);
}
