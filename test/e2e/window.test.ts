// UI "Desktop manners", SPEC 17: one instance, closing hides, quitting waits.
import { expect, it, onTestFinished } from 'vitest';
import { startApp } from './support/app.ts';
import { spawnApp } from './support/process.ts';
import { en } from './support/words.ts';
import { answerDialogs, ask, documentFor, overloaded, seenDialogs, startWorld, well, withStore, type World } from './support/world.ts';

const isVisible = ({ app }: World) => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
const close = ({ app }: World) => app.electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.close(); });

it('closing the window says once that the gateway stays, and it stays; a second start brings the window back and ends', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  await world.page();
  await answerDialogs(world, 0);
  await close(world);
  await expect.poll(() => isVisible(world), { timeout: 10_000 }).toBe(false);
  expect((await seenDialogs(world)).map(({ message }) => message)).toEqual([en('native.close.message')]);

  world.upstream.script(overloaded, well);
  expect(await ask(world)).toMatchObject({ status: 200, retries: '1' });

  const second = await spawnApp(world.dataDir);
  expect(await second.ended).toBe(0);
  await expect.poll(() => isVisible(world)).toBe(true);
  // Shown again, the window has what happened while nobody looked.
  const page = await world.page();
  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'm-test' }).waitFor();

  await close(world);
  await expect.poll(() => isVisible(world), { timeout: 10_000 }).toBe(false);
  expect(await seenDialogs(world)).toHaveLength(1);
}, 120_000);

it('starts without a window when asked to, and serves', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50), args: ['--hidden'] });
  world.upstream.script(well);
  await expect.poll(() => ask(world).then(({ status }) => status, () => 0)).toBe(200);
  expect(world.app.electron.windows()).toHaveLength(0);
  expect(await (await spawnApp(world.dataDir)).ended).toBe(0);
  await world.page();
}, 120_000);

it('closing ends the app where the user wants that', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50, { 'app.close_to_tray': false }) });
  await world.page();
  await close(world);
  expect(await world.app.ended).toBe(0);
}, 120_000);

it('quitting tells what still runs, waits for it, and writes every row', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 60_000, { 'gateway.retry_wait_secs': 600 }) });
  const page = await world.page();
  await answerDialogs(world, 0);
  let finish = (): void => undefined;
  world.upstream.script(async (call) => {
    await call.body;
    await new Promise<void>((resolve) => { finish = resolve; });
    await well(call);
  }, overloaded);
  const running = ask(world);
  await world.upstream.call(0);
  const pausing = ask(world, { model: 'm-pausing' });
  await page.getByText(/retry 1 in/).first().waitFor();

  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  // A pause ends at once; what is at its upstream goes on, and nothing new is let in.
  expect((await pausing).status).toBe(503);
  await expect.poll(() => seenDialogs(world).then((dialogs) => dialogs.length)).toBe(1);
  const [dialog] = await seenDialogs(world);
  expect(dialog?.message).toBe(en('native.quit.message', { count: 1 }));
  expect(dialog?.detail).toContain('Claude Code: m-test');
  // On a connection that is still open it is told so, a new one is not taken.
  expect(await ask(world, { model: 'm-late' }).then(({ text }) => text, () => 'gateway.stopping')).toContain('gateway.stopping');
  finish();
  expect((await running).status).toBe(200);
  expect(await world.app.ended).toBe(0);
  const rows = await withStore(world.dataDir, (store) => store.logs.list({ view: 'requests', filter: {}, limit: 10 }));
  expect(rows.rows.filter(({ model_asked }) => model_asked !== 'm-late' && model_asked !== null).map(({ model_asked, outcome, give_up }) => [model_asked, outcome, give_up]).sort()).toEqual([['m-pausing', 'failed', 'stopping'], ['m-test', 'success', null]]);
}, 120_000);

it('quitting now cuts what runs, and the row tells', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  await world.page();
  await answerDialogs(world, 1);
  world.upstream.otherwise(async (call) => { await call.body; });
  const running = ask(world).then(() => 'answered', () => 'cut');
  await world.upstream.call(0);
  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  expect(await world.app.ended).toBe(0);
  await running;
  const { rows } = await withStore(world.dataDir, (store) => store.logs.list({ view: 'requests', filter: {}, limit: 10 }));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.state).toBe('done');
}, 120_000);

it('a signal ends the app without a question', async () => {
  const world = await startWorld();
  await world.page();
  world.app.process.kill('SIGTERM');
  expect(await world.app.ended).toBe(0);
}, 120_000);

it('the window comes back where and as large as it was', async () => {
  const world = await startWorld();
  await world.page();
  const bounds = { x: 60, y: 50, width: 1000, height: 700 };
  await world.app.electron.evaluate(({ BrowserWindow }, at) => { BrowserWindow.getAllWindows()[0]?.setBounds(at); }, bounds);
  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  expect(await world.app.ended).toBe(0);
  const again = await startApp({ dataDir: world.dataDir });
  onTestFinished(() => again.stop());
  await again.page();
  const found = await again.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
  expect(found).toEqual(bounds);
}, 120_000);
