// UI.md "Desktop manners" in the real app: the switch for new requests, notices, keys, languages of menus, signals. What the tray shows is in
// test/unit/app/native-words.test.ts: a virtual display has no tray, so here the app shows that it does without.
import { expect, it } from 'vitest';
import { en, zh } from './support/words.ts';
import { answerDialogs, ask, documentFor, seenDialogs, startWorld, well, type World } from './support/world.ts';

/** Clicks the item of the application's menu that has this label; false when there is none. */
const clickMenu = ({ app }: World, label: string) => app.electron.evaluate(({ Menu }, wanted) => {
  const find = (items: Electron.MenuItem[]): Electron.MenuItem | undefined => items.flatMap((item) => [item, ...(item.submenu?.items ?? [])]).find((item) => item.label === wanted);
  const item = find(Menu.getApplicationMenu()?.items ?? []);
  item?.click();
  return item !== undefined;
}, label);

it('new requests are refused and let in again by the menu, and the window tells', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  world.upstream.otherwise(well);
  expect((await ask(world)).status).toBe(200);
  expect(await clickMenu(world, en('native.pause_accepting'))).toBe(true);
  await page.getByRole('heading', { name: en('shell.closed') }).waitFor();
  const refused = await ask(world);
  expect([refused.status, refused.text.includes('lets no new requests in')]).toEqual([503, true]);
  await page.getByRole('button', { name: en('shell.resume') }).click();
  await page.getByRole('heading', { name: en('shell.closed') }).waitFor({ state: 'detached' });
  expect((await ask(world)).status).toBe(200);
}, 120_000);

it('a rejected key is told once, in the window', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  world.upstream.otherwise(async (call) => {
    await call.body;
    await call.answer(401, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }));
  });
  for (let n = 0; n < 3; n++) expect((await ask(world)).status).toBe(401);
  await page.getByText(en('notice.key_rejected_body')).waitFor();
  expect(await page.getByText(en('notice.key_rejected_body')).count()).toBe(1);
  await page.getByRole('button', { name: en('notice.show'), exact: true }).click();
  await page.getByRole('heading', { level: 1, name: en('page.upstreams') }).waitFor();
}, 120_000);

it('keys go to pages and to the search, and menus change their language with the setting', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  expect(await clickMenu(world, en('native.menu.find'))).toBe(true);
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'searchbox');
  expect(await clickMenu(world, en('native.menu.settings'))).toBe(true);
  await page.getByRole('radiogroup', { name: en('general.language') }).getByText('中文').click();
  await expect.poll(() => clickMenu(world, zh('native.menu.routes'))).toBe(true);
  await page.getByRole('heading', { level: 1, name: zh('page.routes') }).waitFor();
}, 120_000);

it('closing the window without a tray says where it goes, and a copy that was not installed says that it cannot start at login', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  await clickMenu(world, en('native.menu.settings'));
  await page.getByRole('switch', { name: en('general.start_at_login') }).press('Space');
  await page.getByText(en('general.login_not_packaged')).waitFor();
  await page.getByText(en('updates.unavailable.no_feed')).waitFor();
  await answerDialogs(world, 0);
  await world.app.electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close(); });
  await expect.poll(() => seenDialogs(world).then((dialogs) => dialogs.length)).toBe(1);
  const [dialog] = await seenDialogs(world);
  expect([en('native.close.detail'), en('native.close.detail_no_tray')]).toContain(dialog?.detail);
}, 120_000);

it('a second signal ends the app at once, whatever runs', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  await world.page();
  world.upstream.otherwise(async (call) => { await call.body; });
  const running = ask(world).then(() => 'answered', () => 'cut');
  await world.upstream.call(0);
  world.app.process.kill('SIGTERM');
  // The first one waits for what runs: the endpoint is closed, the process is there.
  await expect.poll(() => fetch(`${world.url}/healthz`).then(() => 'open', () => 'closed')).toBe('closed');
  expect(world.app.process.exitCode).toBeNull();
  world.app.process.kill('SIGINT');
  expect(await world.app.ended).toBe(0);
  await running;
}, 120_000);
