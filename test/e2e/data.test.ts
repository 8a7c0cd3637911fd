// UI Settings > Data and About, SPEC 15, 18.2: the configuration out and in again, what was wrong with the data, the bundle and the licences, in the real app.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { startApp } from './support/app.ts';
import { en, zh } from './support/words.ts';
import { documentFor, prepareGround, startWorld, type World } from './support/world.ts';

const SECRET = 'sk-test-of-the-window';

/** The next file dialogs answer with this file. */
const chooseFile = ({ app }: Pick<World, 'app'>, file: string) => app.electron.evaluate(({ dialog }, path) => {
  dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
  dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
}, file);

async function openSection(page: Page, name: 'data' | 'about', t = en): Promise<void> {
  await page.getByRole('button', { name: t('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: t(`settings.section.${name}`), exact: true }).click();
}

type Request = (channel: string, argument: unknown) => Promise<unknown>;
const request = (page: Page): Request => (channel, argument) => page.evaluate(([name, given]) => (window as unknown as { holdfast: { request: Record<string, (argument: unknown) => Promise<unknown>> } }).holdfast.request[name]!(given), [channel, argument] as const);

it('exports the configuration under a password and takes it over again, with a look before and a way back', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  const file = join(world.dataDir, 'out.json');
  await chooseFile(world, file);
  await openSection(page, 'data');
  await page.getByRole('button', { name: en('data.export_open') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel(en('data.password'), { exact: true }).fill('correct horse');
  await dialog.getByLabel(en('data.password_again')).fill('correct horse');
  await dialog.getByRole('button', { name: en('data.export'), exact: true }).click();
  await page.getByText(en('data.exported'), { exact: true }).waitFor();
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(world.key);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  await request(page)('upstreams.remove', { id: 'scripted' });
  await page.getByRole('button', { name: en('data.import_open') }).click();
  await dialog.getByLabel(en('data.password'), { exact: true }).fill('wrong horse');
  await dialog.getByRole('button', { name: en('data.unlock') }).click();
  await dialog.getByText(en('data.wrong_password')).waitFor();
  await dialog.getByLabel(en('data.password'), { exact: true }).fill('correct horse');
  await dialog.getByRole('button', { name: en('data.unlock') }).click();
  await dialog.getByRole('button', { name: en('data.import'), exact: true }).click();
  await page.getByText(en('data.imported')).waitFor();
  expect(await request(page)('upstreams.list', null)).toMatchObject([{ id: 'scripted', credential: { kind: 'stored' } }]);
  await page.getByRole('button', { name: en('setting.undo') }).click();
  await page.getByText(en('data.undone')).waitFor();
  expect(await request(page)('upstreams.list', null)).not.toMatchObject([{ id: 'scripted' }]);
}, 120_000);

it('makes a backup, brings it back, and refuses a document with every fault in the language of the window', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50, { 'app.language': 'zh' }) });
  const page = await world.page();
  await openSection(page, 'data', zh);
  await page.getByRole('button', { name: zh('data.back_up') }).click();
  await page.getByText(zh('data.kind.manual')).waitFor();
  await request(page)('settings.set', { key: 'gateway.retry_wait_secs', value: 7 });
  await page.getByRole('button', { name: /^恢复 .* 的备份$/ }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: zh('data.restore'), exact: true }).click();
  await page.getByText(zh('data.restored')).waitFor();
  expect(await request(page)('settings.all', null)).toMatchObject({ 'gateway.retry_wait_secs': 120 });

  const bad = join(world.dataDir, 'bad.json');
  writeFileSync(bad, JSON.stringify({ holdfast: 1, colour: 'red', upstreams: [{ id: 'x', name: '', preset: 'generic', base_url: 'ftp://x', formats: ['chat'], credential: { kind: 'none' } }] }));
  await chooseFile(world, bad);
  await page.getByRole('button', { name: zh('data.import_open') }).click();
  const dialog = page.getByRole('dialog', { name: zh('import.refused') });
  await dialog.getByText('upstreams[0].base_url').waitFor();
  for (const words of [zh('fault.unknown_field'), zh('fault.text_short', { min: 1 }), zh('editor.fault.url_scheme')]) expect(await dialog.textContent()).toContain(words);
}, 120_000);

// SPEC 15: corrupt database.
it.each(['en', 'zh'] as const)('a database that could not be read is told in the window with the place of the old file, and the bundle tells it, too: %s', async (language) => {
  const ground = await prepareGround({ document: (upstream) => documentFor(upstream, 50) });
  writeFileSync(join(ground.dataDir, 'holdfast.db'), 'this is no database at all, but long enough to be taken for one'.repeat(100));
  const app = await startApp({ dataDir: ground.dataDir, env: { LANG: language === 'en' ? 'en_GB.UTF-8' : 'zh_CN.UTF-8', LANGUAGE: language } });
  onTestFinished(() => app.stop());
  const page = await app.page();
  const t = language === 'en' ? en : zh;
  await page.getByRole('alert').filter({ hasText: 'corrupt-' }).waitFor();
  const shown = await page.getByRole('alert').filter({ hasText: 'corrupt-' }).textContent() ?? '';
  const file = readdirSync(ground.dataDir).find((name) => name.includes('.corrupt-') && !/-(wal|shm)$/.test(name));
  expect(readFileSync(join(ground.dataDir, file!), 'utf8')).toContain('this is no database');
  expect(shown).toContain(join(ground.dataDir, file!));
  if (await page.evaluate(() => document.documentElement.lang).then((lang) => lang.startsWith(language))) expect(shown).toContain(t('native.notice.message'));
}, 120_000);

it('About shows the bundle before it saves it, without a secret, and the licences of everything that was bundled', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50, { 'gateway.retry_wait_secs': 0 }) });
  const page = await world.page();
  await world.app.electron.evaluate(({ shell }) => { Object.assign(globalThis, { opened: [] }); shell.openExternal = (url) => { (globalThis as unknown as { opened: string[] }).opened.push(url); return Promise.resolve(); }; });
  // An upstream that says the key back, in an error that the log keeps.
  world.upstream.script(async (call) => {
    await call.body;
    await call.answer(400, { 'content-type': 'application/json' }, JSON.stringify({ error: { message: `no such key ${SECRET}` } }));
  });
  await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' }, body: '{"model":"m-test","messages":[]}' });
  await openSection(page, 'about');
  await page.getByRole('button', { name: en('about.site_of', { name: 'Electron' }) }).click();
  await expect.poll(() => world.app.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual(['https://www.electronjs.org/']);
  await expect(request(page)('about.open_link', { link: 'https://evil.example' })).rejects.toThrow(/refused/);
  await expect(request(page)('data.open_folder', { folder: '/etc' })).rejects.toThrow(/refused/);

  const file = join(world.dataDir, 'bundle.json');
  await chooseFile(world, file);
  await page.getByRole('button', { name: en('about.collect') }).click();
  const shown = await page.getByRole('dialog').locator('pre').textContent() ?? '';
  await page.getByRole('dialog').getByRole('button', { name: en('about.save') }).click();
  await page.getByText(en('about.saved')).waitFor();
  expect(readFileSync(file, 'utf8')).toBe(shown);
  expect(JSON.parse(shown)).toMatchObject({ holdfast_diagnostics: 1, failed_requests: [{ model_asked: 'm-test' }] });
  for (const secret of [SECRET, world.key]) expect(shown).not.toContain(secret);
  expect(existsSync(join(world.dataDir, 'log', 'holdfast.log'))).toBe(true);
  for (const name of readdirSync(join(world.dataDir, 'log'))) expect(readFileSync(join(world.dataDir, 'log', name), 'utf8')).not.toContain(SECRET);

  const listed = new Set((await request(page)('about.licences', null) as { name: string; licence: string }[]).map(({ name, licence }) => { expect(licence, name).not.toBe(''); return name; }));
  expect([...bundledPackages()].filter((name) => !listed.has(name))).toEqual([]);
  for (const name of ['electron', 'better-sqlite3', 'fastify', 'react', 'jose']) expect(listed).toContain(name);
}, 120_000);

/** Names of the packages whose code is in what was built, as its source maps tell. */
function bundledPackages(): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) look(join(folder, entry.name));
      else if (entry.name.endsWith('.map')) {
        const { sources } = JSON.parse(readFileSync(join(folder, entry.name), 'utf8')) as { sources: string[] };
        for (const source of sources) {
          const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
          if (name !== undefined) found.add(name);
        }
      }
    }
  };
  look(join(root, 'out'));
  expect(found.size).toBeGreaterThan(20);
  return found;
}
