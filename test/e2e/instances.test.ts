// R52, R53: what happens to the window, or is started beside the app, does nothing to what runs (SPEC 15, 17).
import { expect, it } from 'vitest';
import { wordsOf } from '../support/answers/index.ts';
import { spawnApp } from './support/process.ts';
import { en } from './support/words.ts';
import { documentFor, startWorld, withStore, type World } from './support/world.ts';

/** A stream whose end the test decides about. */
async function running(world: World) {
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => { finish = resolve; });
  const [first, ...rest] = wordsOf.anthropic.answer('m-test', 'Hello there');
  world.upstream.script(async (call) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write([...wordsOf.anthropic.opening('m-test'), first].join(''));
    await gate;
    await call.write(rest.join(''));
    await call.end();
  });
  const response = await fetch(`${world.url}/v1/messages`, {
    method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': world.key }, body: JSON.stringify({ model: 'm-test', stream: true, max_tokens: 16, messages: [] }),
  });
  expect(response.status).toBe(200);
  return { finish, text: response.text().catch(String) };
}

const WELL = /message_stop/;

it('R53: further starts, of any kind and several at once, end by themselves and leave the stream, the port and the database alone', async () => {
  const world = await startWorld({ document: (url) => documentFor(url, 50) });
  await world.page();
  const stream = await running(world);
  const many = Array.from({ length: 12 }, (_, n) => `--argument-${n}=${'x'.repeat(20)}`);
  for (const starts of [[[]], [many], [[], ['--hidden']]]) {
    const startedMs = performance.now();
    const others = await Promise.all(starts.map((args) => spawnApp(world.dataDir, args)));
    for (const other of others) expect(await other.ended).toBe(0);
    // 3 s on a machine with nothing else to do.
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
  }
  stream.finish();
  expect(await stream.text).toMatch(WELL);
  expect(world.app.electron.windows()).toHaveLength(1);
  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  expect(await world.app.ended).toBe(0);
  expect(await withStore(world.dataDir, async (store) => (await store.logs.list({ view: 'requests', filter: {}, limit: 10 })).rows.map(({ outcome }) => outcome))).toEqual(['success']);
}, 120_000);

it('R52: a page that crashes takes nothing along, and the window comes back with what runs', async () => {
  const world = await startWorld({ document: (url) => documentFor(url, 50) });
  await world.page();
  const stream = await running(world);
  await world.app.electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(); });
  await expect.poll(() => world.app.log()).toContain('the window\'s process ended');
  // Asked in main: the page that the driver knew is gone.
  await expect.poll(() => world.app.electron.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined || contents.isCrashed() || contents.isLoading()) return '';
    // What is asked of a page that goes away is never answered.
    const late = new Promise<string>((resolve) => { setTimeout(() => { resolve(''); }, 1_000); });
    return Promise.race([contents.executeJavaScript('document.body.innerText') as Promise<string>, late]);
  }), { timeout: 20_000 }).toContain(en('page.overview'));
  stream.finish();
  expect(await stream.text).toMatch(WELL);
}, 120_000);
