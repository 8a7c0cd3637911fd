// UI "Requests" in the real app with real traffic: live rows, filters, search, the drawer with headers and bodies, session, columns over a restart.
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startApp } from './support/app.ts';
import { en } from './support/words.ts';
import { ask, documentFor, overloaded, startWorld, well, type World } from './support/world.ts';

const SESSION = 'sess-0f1e2d3c4b5a';

async function requestsPage(world: World): Promise<Page> {
  const page = await world.page();
  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  return page;
}

const rows = (page: Page) => page.getByRole('grid').getByRole('row');
const send = (world: World, model: string, session = SESSION) => fetch(`${world.url}/v1/messages`, {
  method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': world.key, 'anthropic-version': '2023-06-01', 'user-agent': 'claude-cli/2.1.328 (external, cli)', 'x-claude-code-session-id': session },
  body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'a question for the log' }] }),
}).then((response) => response.text());

it('shows requests as they come, finds them, narrows to them, and tells each one whole', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20, { 'logs.bodies': 'all' }) });
  const page = await requestsPage(world);
  await page.getByText(en('requests.empty_title')).waitFor();
  world.upstream.script(overloaded, overloaded, well, well, well);
  await send(world, 'm-rescued');
  await send(world, 'm-plain');
  await send(world, 'm-other', 'another-session');
  await expect.poll(() => rows(page).count()).toBe(4);

  // A search with each key, and one that finds nothing.
  await page.getByRole('grid').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('RESCUED');
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.keyboard.type(' not');
  await page.getByText(en('search.nothing', { text: 'RESCUED not' })).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => rows(page).count()).toBe(4);

  // Retried only leaves one, and says so.
  await page.getByRole('button', { name: en('filter.button'), exact: true }).click();
  await page.getByRole('checkbox', { name: en('filter.retried_only') }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('status').filter({ hasText: en('requests.rows', { count: 1, n: '1' }) }).waitFor();
  await rows(page).nth(1).click();
  const drawer = page.getByRole('complementary', { name: en('drawer.title') });
  await drawer.getByText(/Scripted failed 2 times .* Sent again 2 times/).waitFor();
  await drawer.getByText(en('contents.request_headers')).click();
  await expect.poll(() => drawer.locator('.hf-headers').innerText()).toContain('[masked]');
  expect(await drawer.innerText()).not.toContain(world.key);
  await drawer.getByText(en('contents.request_body')).click();
  await expect.poll(() => drawer.getByRole('region', { name: en('contents.request_body') }).innerText()).toContain('"content": "a question for the log"');
  await drawer.getByRole('button', { name: en('drawer.copy_curl_long') }).click();
  await expect.poll(() => world.app.electron.evaluate(({ clipboard }) => clipboard.readText())).toContain('--data-raw');
  const curl = await world.app.electron.evaluate(({ clipboard }) => clipboard.readText());
  expect(curl).toContain(`curl '${world.url}/v1/messages'`);
  expect(curl).toContain('x-api-key: $HOLDFAST_KEY');
  expect(curl).not.toContain(world.key);

  // The session has two, the list is narrowed to it, and Esc brings the keyboard back to the list.
  await drawer.getByRole('button', { name: en('drawer.session') }).click();
  await expect.poll(() => rows(page).count()).toBe(3);
  await drawer.getByRole('button', { name: en('drawer.copy_id') }).focus();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
  await page.getByRole('button', { name: en('filter.clear') }).click();
  await expect.poll(() => rows(page).count()).toBe(4);
}, 120_000);

it('keeps its place while rows come in above, and goes to them with one click', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await requestsPage(world);
  world.upstream.otherwise(well);
  for (let n = 0; n < 60; n++) await ask(world, { model: `m-${n}` });
  await rows(page).filter({ hasText: 'm-59' }).waitFor();
  const grid = page.getByRole('grid');
  await grid.evaluate((element) => { element.scrollTop = 34 * 20; });
  await rows(page).filter({ hasText: 'm-30' }).waitFor();
  const placeOf = () => rows(page).filter({ hasText: 'm-35' }).first().evaluate((row) => row.getBoundingClientRect().top);
  const before = await placeOf();
  await ask(world, { model: 'm-new-1' });
  await ask(world, { model: 'm-new-2' });
  const chip = page.getByRole('button', { name: en('requests.fresh', { count: 2, n: '2' }) });
  await chip.waitFor();
  expect(await placeOf()).toBe(before);
  await chip.click();
  await rows(page).filter({ hasText: 'm-new-2' }).waitFor();
  expect(await grid.evaluate((element) => element.scrollTop)).toBe(0);
}, 120_000);

it('remembers its columns over a restart', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await requestsPage(world);
  world.upstream.script(well);
  await ask(world);
  await rows(page).nth(1).waitFor();
  await page.getByRole('button', { name: en('columns.title') }).click();
  await page.getByRole('checkbox', { name: en('column.key') }).check();
  const edge = page.getByRole('columnheader', { name: en('column.model') }).locator('.hf-edge');
  await page.keyboard.press('Escape');
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 43, (box?.y ?? 0) + 10, { steps: 4 });
  await page.mouse.up();
  const widthOf = (on: Page) => on.getByRole('columnheader', { name: en('column.model') }).evaluate((head) => head.clientWidth);
  const wide = await widthOf(page);
  await world.app.electron.evaluate(({ app }) => { app.quit(); });
  expect(await world.app.ended).toBe(0);
  const again = await startApp({ dataDir: world.dataDir });
  onTestFinished(() => again.stop());
  const later = await again.page();
  await later.getByRole('button', { name: en('page.requests'), exact: true }).click();
  await later.getByRole('columnheader', { name: en('column.key') }).waitFor();
  expect(await widthOf(later)).toBe(wide);
}, 120_000);
