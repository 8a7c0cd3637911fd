// SPEC 1.1, 15: a taken port is told with its owner, and one button moves the endpoint.
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { en } from './support/words.ts';
import { ask, documentFor, freePort, startWorld, well, withStore } from './support/world.ts';

it('a taken port is told with the program that holds it, and one button moves to a free one', async () => {
  const port = await freePort();
  const holder = createServer();
  await new Promise<void>((resolve) => { holder.listen(port, '127.0.0.1', resolve); });
  onTestFinished(() => { holder.close(); });
  const world = await startWorld({ port, document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();

  const alert = page.getByRole('alert').filter({ hasText: String(port) });
  await alert.waitFor();
  if (process.platform === 'linux') expect(await alert.textContent()).toMatch(/in use by .*node/i);
  await alert.getByRole('button').click();
  await page.getByText(en('gateway.status.running')).first().waitFor();
  await alert.waitFor({ state: 'detached' });

  const state = await page.evaluate(() => (window as unknown as { holdfast: { request: { 'gateway.state': (argument: null) => Promise<{ status: string; url: string; port: number }> } } }).holdfast.request['gateway.state'](null));
  expect(state.status).toBe('running');
  expect(state.port).not.toBe(port);
  world.upstream.script(well);
  expect(await ask({ ...world, url: state.url })).toMatchObject({ status: 200 });

  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  expect(await world.app.ended).toBe(0);
  expect(await withStore(world.dataDir, (store) => Promise.resolve(store.config.settings()['gateway.port']))).toBe(state.port);
}, 120_000);

it('a port set while the app runs is taken at once, and the old one is let go', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  const port = await freePort();
  const saved = await page.evaluate((value) => (window as unknown as { holdfast: { request: { 'settings.set': (argument: unknown) => Promise<{ ok: boolean }> } } }).holdfast.request['settings.set']({ key: 'gateway.port', value }), port);
  expect(saved.ok).toBe(true);
  await page.getByText(`127.0.0.1:${port}`).first().waitFor();
  world.upstream.script(well);
  expect(await ask({ ...world, url: `http://127.0.0.1:${port}` })).toMatchObject({ status: 200 });
  await expect.poll(() => ask(world).then(() => 'answered', () => 'gone')).toBe('gone');
}, 120_000);

it('a port typed in the settings is taken at once, and Undo goes back to the old one', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const page = await world.page();
  const port = await freePort();
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.server'), exact: true }).click();
  const field = page.getByRole('textbox', { name: en('server.port'), exact: true });
  await field.fill(String(port));
  await field.press('Enter');
  world.upstream.script(well, well);
  await expect.poll(() => ask({ ...world, url: `http://127.0.0.1:${port}` }).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
  await page.getByRole('button', { name: en('setting.undo') }).click();
  await expect.poll(() => ask(world).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
}, 120_000);
