// UI.md "Desktop manners": `holdfast://` links of other programs. They open the window on something; whatever else they say, nothing changes.
import { expect, it } from 'vitest';
import { spawnApp } from './support/process.ts';
import { en } from './support/words.ts';
import { ask, documentFor, overloaded, startWorld, well, type World } from './support/world.ts';

const heading = async (world: World) => (await world.page()).getByRole('heading', { level: 1 }).textContent();

/** All that could be changed: settings, upstreams, routes and keys. */
async function everything(world: World): Promise<string> {
  const page = await world.page();
  return page.evaluate(async () => {
    const { request } = (window as unknown as { holdfast: { request: Record<string, (argument: unknown) => Promise<unknown>> } }).holdfast;
    return JSON.stringify(await Promise.all(['settings.all', 'upstreams.list', 'routes.list', 'keys.list', 'gateway.state'].map((channel) => Promise.resolve(request[channel]?.(null)))));
  });
}

it('a link to a request opens its story in the running app, also one that is hidden, and the second start ends', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50), args: ['--hidden'] });
  world.upstream.script(overloaded, well);
  await expect.poll(() => ask(world).then(({ status }) => status, () => 0), { timeout: 30_000 }).toBe(200);
  expect(world.app.electron.windows()).toHaveLength(0);
  const first = await spawnApp(world.dataDir, ['holdfast://requests']);
  expect(await first.ended).toBe(0);
  const page = await world.page();
  await page.getByRole('heading', { level: 1, name: en('page.requests') }).waitFor();
  const id = await page.evaluate(async () => {
    const { request } = (window as unknown as { holdfast: { request: Record<string, (argument: unknown) => Promise<{ rows: { id: string }[] }>> } }).holdfast;
    return (await request['requests.list']?.({ view: 'requests', filter: {}, limit: 1 }))?.rows[0]?.id ?? '';
  });
  const second = await spawnApp(world.dataDir, [`holdfast://requests/${id}`]);
  expect(await second.ended).toBe(0);
  await page.getByRole('complementary', { name: en('drawer.title') }).getByText(/Sent again once/).waitFor();
}, 120_000);

it('an app that is started by a link opens on what it names', async () => {
  const world = await startWorld({ args: ['holdfast://settings/routing-strategy/'] });
  const page = await world.page();
  await page.getByRole('heading', { level: 1, name: en('settings.section.routing_strategy') }).waitFor();
}, 120_000);

it('nasty links and whatever stands beside them change nothing and lead nowhere', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 50) });
  const before = await everything(world);
  const page = await world.page();
  const starts: readonly (readonly string[])[] = [
    ['holdfast://import?file=/etc/passwd'],
    ['holdfast://upstreams/add?base_url=http://127.0.0.1:1&key=sk-stolen'],
    ['holdfast://requests/../../../../etc/passwd'],
    ['holdfast://requests/%3Cscript%3Edocument.title=1%3C%2Fscript%3E'],
    ['holdfast://settings/limits" --inspect=0 "'],
    ['holdfast://settings/limits', 'holdfast://upstreams'],
  ];
  for (const args of starts) expect(await (await spawnApp(world.dataDir, args)).ended).toBe(0);
  // Longer than what a running app can be told: it would crash, so it is not told.
  for (const length of [20_000, 100_000]) expect(await (await spawnApp(world.dataDir, [`holdfast://settings/${'a'.repeat(length)}`])).ended).toBe(1);
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200);
  expect(await heading(world)).toBe(en('page.overview'));

  // Options beside a good link are those of a process that ends; the running app never sees them.
  const beside = await spawnApp(world.dataDir, ['holdfast://settings/server', '--hidden', '--inspect=127.0.0.1:0', '--load-extension=/tmp', '--user-data-dir=/tmp/elsewhere']);
  expect(await beside.ended).toBe(0);
  await page.getByRole('heading', { level: 1, name: en('settings.section.server') }).waitFor();
  expect(page.url()).toBe('app://holdfast/');
  expect(await page.title()).not.toBe('1');
  expect(await everything(world)).toBe(before);
  expect(world.upstream.calls).toHaveLength(0);
}, 120_000);
