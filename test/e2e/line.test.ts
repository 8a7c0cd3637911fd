// The thin true line: a request fails at its upstream, the gateway waits and sends again, and the window shows it. The real app, a real client.
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { en, zh } from './support/words.ts';
import { ask, chooseInDialog, documentFor, overloaded, startWorld, well } from './support/world.ts';

async function openRetryWait(page: Page) {
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.routing_strategy'), exact: true }).click();
  return page.getByRole('textbox', { name: en('retry_wait.field') });
}

const settingOf = (page: Page, key: string) => page.evaluate((name) => (window as unknown as { holdfast: { request: { 'settings.all': (argument: null) => Promise<Record<string, unknown>> } } }).holdfast.request['settings.all'](null).then((all) => all[name]), key);

it('an upstream is imported by document, a request is retried as the window says, and the list and drawer tell it', async () => {
  const world = await startWorld();
  const page = await world.page();
  await chooseInDialog(world, documentFor(world.upstream.url, 50));
  await page.getByRole('button', { name: en('first.import') }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('data.import'), exact: true }).click();
  await page.getByText(en('data.imported')).waitFor();
  await page.getByText(en('first.step_done', { n: 1 })).waitFor();

  // SPEC 7.8: no wait, no retry.
  const field = await openRetryWait(page);
  expect(await field.inputValue()).toBe('120');
  await field.fill('0');
  await field.press('Enter');
  await expect.poll(() => settingOf(page, 'gateway.retry_wait_secs')).toBe(0);
  world.upstream.otherwise(overloaded);
  expect(await ask(world)).toMatchObject({ status: 503, text: expect.stringContaining('overloaded_error') as string });
  expect(world.upstream.calls).toHaveLength(1);

  await field.fill('30');
  await field.press('Enter');
  await expect.poll(() => settingOf(page, 'gateway.retry_wait_secs')).toBe(30);
  world.upstream.script(overloaded, overloaded, well);
  expect(await ask(world)).toMatchObject({ status: 200, text: expect.stringContaining('hello to you') as string, retries: '2' });
  expect(world.upstream.calls).toHaveLength(4);
  expect(world.upstream.calls[3]?.header('x-api-key')).toBe('sk-test-of-the-window');

  // SPEC 14: a refused value names the value and the range, and nothing changes.
  await field.fill('601');
  await field.press('Enter');
  const refusal = page.getByRole('alert').filter({ hasText: '601' });
  expect(await refusal.textContent()).toMatch(/0.*600/);
  expect(await settingOf(page, 'gateway.retry_wait_secs')).toBe(30);

  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'm-test' });
  await expect.poll(() => rows.count()).toBe(2);
  const retries = async (row: number) => (await rows.nth(row).getByRole('gridcell').nth(5).textContent())?.trim();
  expect([await retries(0), await retries(1)]).toEqual(['2', '0']);
  expect(await rows.nth(0).textContent()).toContain('Claude Code');

  await rows.nth(0).click();
  const drawer = page.getByRole('complementary', { name: en('drawer.title') });
  const part = drawer.locator('section').filter({ has: page.getByRole('heading', { name: en('drawer.time_line') }) });
  await part.waitFor();
  const answered = en('attempt.outcome.answered');
  expect(await part.textContent()).toMatch(new RegExp(`1\\s*Scripted.*503.*2\\s*Scripted.*503.*3\\s*Scripted.*${answered}`));
  expect(await drawer.getByRole('table').getByRole('row').count()).toBe(4);
}, 120_000);

it('a document with faults is refused with every fault named, and nothing changes', async () => {
  const world = await startWorld();
  const page = await world.page();
  await chooseInDialog(world, { holdfast: 1, settings: { 'gateway.retry_wait_secs': 601 }, upstreams: [{ id: 'x', name: 'X', preset: 'generic', base_url: 'nowhere', formats: ['chat'], credential: { kind: 'none' }, colour: 'red' }] });
  await page.getByRole('button', { name: en('first.import') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const faults = await dialog.textContent();
  for (const named of ['gateway.retry_wait_secs', '601', 'upstreams[0].colour']) expect(faults).toContain(named);
  expect(await settingOf(page, 'gateway.retry_wait_secs')).toBe(120);

  await page.getByRole('button', { name: en('dialog.close') }).last().click();
  await chooseInDialog(world, '{"holdfast":1,');
  await page.getByRole('button', { name: en('first.import') }).click();
  await page.getByText(/not valid JSON/).waitFor();
}, 120_000);

it('an upstream is added in the window; its key goes to the upstream and stays out of the page', async () => {
  const world = await startWorld();
  const page = await world.page();
  await page.getByRole('button', { name: en('first.add') }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: en('editor.name') }).fill('Typed');
  const address = dialog.getByRole('textbox', { name: en('editor.base_url') });
  await address.fill(world.url);
  await dialog.getByLabel(en('editor.key'), { exact: true }).fill('  sk-typed-by-hand  ');
  await dialog.getByRole('button', { name: en('editor.add') }).click();
  // SPEC 2.2: the gateway itself is no upstream.
  await dialog.getByText(/address of this gateway/).waitFor();
  await address.fill(`${world.upstream.url}/v1/`);
  await dialog.getByRole('button', { name: en('editor.add') }).click();
  await dialog.waitFor({ state: 'detached' });

  world.upstream.script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(world.upstream.calls[0]).toMatchObject({ target: '/v1/messages' });
  expect(world.upstream.calls[0]?.header('x-api-key')).toBe('sk-typed-by-hand');
  expect(await page.content()).not.toContain('sk-typed-by-hand');
}, 120_000);

it('the demo button shows a live retry and ticks its step', async () => {
  const world = await startWorld();
  const page = await world.page();
  await page.getByRole('button', { name: en('first.send') }).click();
  const story = page.getByRole('list', { name: en('demo.title') });
  await story.getByText(/retry 1 in/).waitFor();
  await page.getByRole('button', { name: en('in_flight.retry_now_of', { what: 'demo/flaky' }) }).click();
  await story.getByText(/retry 2 in/).waitFor();
  await page.getByText(en('first.step_done', { n: 3 })).waitFor();
  await story.getByRole('button', { name: en('demo.see', { count: 2 }) }).click();
  await page.getByRole('complementary', { name: en('drawer.title') }).waitFor();
}, 120_000);

it('language and theme switch live, in the window and in the menus', async () => {
  const world = await startWorld();
  const page = await world.page();
  const menu = () => world.app.electron.evaluate(({ Menu }) => JSON.stringify(Menu.getApplicationMenu()?.items.map((item) => item.label)));
  expect(await menu()).toContain(en('native.menu.edit'));
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('radiogroup', { name: en('general.language') }).getByText('中文').click();
  await page.getByRole('heading', { level: 1, name: zh('settings.section.general') }).waitFor();
  expect(await page.getByRole('navigation').first().textContent()).toContain(zh('page.requests'));
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^zh/);
  await expect.poll(menu).toContain(zh('native.menu.edit'));

  await page.getByRole('radiogroup', { name: zh('general.theme') }).getByText(zh('general.theme_dark')).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('dark');
  await expect.poll(() => world.app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
}, 120_000);
