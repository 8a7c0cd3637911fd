// The page Upstreams in the real app: set up, tested, put in order, switched, deleted and taken back; what a client gets follows (UI.md; SPEC 2, 9.1, 9.4).
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts';
import { en, zh } from './support/words.ts';
import { ask, overloaded, startWorld, well, type World } from './support/world.ts';

const go = (page: Page, name: 'overview' | 'upstreams' | 'routes') => page.getByRole('button', { name: en(`page.${name}`), exact: true }).click();
/** Sets a setting as the settings page does. */
const set = (page: Page, key: string, value: unknown) => page.evaluate((wanted) => (window as unknown as { holdfast: { request: { 'settings.set': (argument: unknown) => Promise<unknown> } } }).holdfast.request['settings.set'](wanted), { key, value });
const list = (page: Page) => page.getByRole('list', { name: en('upstreams.title') });
const rowOf = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name });
const names = async (page: Page) => (await list(page).getByRole('button', { name: /^Edit / }).allTextContents());

/** Fills the editor of a compatible upstream that speaks Anthropic's format, and adds it. */
async function add(page: Page, editor: Locator, upstream: ScriptedUpstream, name: string): Promise<void> {
  await editor.getByLabel(en('editor.name'), { exact: true }).fill(name);
  await editor.getByLabel(en('editor.base_url'), { exact: true }).fill(`${upstream.url}/v1/`);
  await editor.getByText(en('editor.base_url_read', { url: upstream.url })).waitFor();
  await editor.getByLabel(en('editor.key'), { exact: true }).fill(`  sk-of-${name.toLowerCase()} `);
  await editor.getByRole('button', { name: en('editor.add'), exact: true }).click();
  await editor.waitFor({ state: 'detached' });
  await rowOf(page, name).waitFor();
}

/** A fresh app with three upstreams that were added by hand, first to last. */
async function withThree(): Promise<{ readonly world: World; readonly page: Page; readonly upstreams: readonly [ScriptedUpstream, ScriptedUpstream, ScriptedUpstream] }> {
  const world = await startWorld();
  const others = [await startScriptedUpstream(), await startScriptedUpstream()] as const;
  for (const other of others) onTestFinished(() => other.close());
  const upstreams = [world.upstream, ...others] as const;
  const page = await world.page();
  // The order alone decides, not where the conversation was before.
  await set(page, 'gateway.affinity', 'off');
  await go(page, 'upstreams');
  await page.getByRole('button', { name: 'Anthropic', exact: true }).click();
  await add(page, page.getByRole('dialog'), upstreams[0], 'Ada');
  for (const [upstream, name] of [[upstreams[1], 'Bob'], [upstreams[2], 'Cy']] as const) {
    await page.getByRole('button', { name: en('first.add') }).click();
    await add(page, page.getByRole('dialog'), upstream, name);
  }
  return { world, page, upstreams };
}

it('three providers are set up by hand, from the empty page on; the demo goes, and what a client asks reaches the first of them', async () => {
  const { world, page, upstreams } = await withThree();
  expect(await names(page)).toEqual(['Ada', 'Bob', 'Cy']);
  await page.getByText(en('upstreams.demo_hidden')).waitFor();
  upstreams[0].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams[0].calls[0]?.header('x-api-key')).toBe('sk-of-ada');
  expect(await page.content()).not.toContain('sk-of-');

  await page.getByRole('button', { name: en('upstreams.demo_show') }).click();
  await rowOf(page, en('upstreams.demo_note')).getByRole('button', { name: en('upstreams.demo_hide') }).click();
  await page.getByText(en('upstreams.demo_hidden')).waitFor();
}, 90_000);

it('the order is changed by key and by dragging, and is the order of the attempts', async () => {
  const { world, page, upstreams } = await withThree();
  const grip = (name: string) => rowOf(page, name).getByRole('button', { name: /^Move / });
  await grip('Cy').focus();
  await page.keyboard.press('Home');
  await expect.poll(() => names(page)).toEqual(['Cy', 'Ada', 'Bob']);
  upstreams[2].script(overloaded);
  upstreams[0].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams.map(({ calls }) => calls.length)).toEqual([1, 0, 1]);

  const from = await grip('Bob').boundingBox();
  const to = await rowOf(page, 'Cy').boundingBox();
  if (from === null || to === null) throw new Error('nothing to drag');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 4, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => names(page)).toEqual(['Bob', 'Cy', 'Ada']);
  upstreams[1].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams.map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
}, 90_000);

it('one that is switched off is not asked; one that is deleted is gone until it is taken back, key and all', async () => {
  const { world, page, upstreams } = await withThree();
  // A click, and then the words: the state of the switch is main's, and comes back from there.
  await rowOf(page, 'Ada').getByRole('switch').click({ force: true });
  await rowOf(page, 'Ada').getByText(en('upstreams.off')).waitFor();
  upstreams[1].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams[0].calls).toHaveLength(0);

  await rowOf(page, 'Bob').getByRole('button', { name: en('row.more', { name: 'Bob' }) }).click();
  await page.getByRole('menuitem', { name: en('row.delete') }).click();
  await page.getByRole('dialog', { name: en('upstreams.delete_title', { name: 'Bob' }) }).getByRole('button', { name: en('dialog.delete') }).click();
  await expect.poll(() => names(page)).toEqual(['Ada', 'Cy']);
  upstreams[2].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  await page.getByRole('button', { name: en('setting.undo') }).click();
  await expect.poll(() => names(page)).toEqual(['Ada', 'Bob', 'Cy']);
  upstreams[1].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams[1].calls.at(-1)?.header('x-api-key')).toBe('sk-of-bob');
}, 90_000);

it('a test says step by step what is wrong; a rejected key puts an upstream to rest, and the overview wakes it', async () => {
  const { world, page, upstreams } = await withThree();
  const rejected = (call: Parameters<typeof well>[0]) => call.body.then(() => call.answer(401, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } })));
  upstreams[0].otherwise(rejected);
  await rowOf(page, 'Ada').getByRole('button', { name: en('upstreams.edit_of', { name: 'Ada' }) }).click();
  const editor = page.getByRole('dialog');
  await editor.getByRole('button', { name: en('test.run') }).click();
  await editor.getByText(en('test.failed_at', { step: en('test.step.auth'), reason: en('test.reason.key_rejected') })).waitFor();
  await editor.locator('q').filter({ hasText: 'invalid x-api-key' }).waitFor();
  await page.keyboard.press('Escape');
  await editor.waitFor({ state: 'detached' });

  upstreams[1].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  await rowOf(page, 'Ada').getByText(new RegExp(`^${en('health.rest.auth')}.*m-test$`)).waitFor();
  await go(page, 'overview');
  await page.getByText(en('health.success', { share: '100%' })).waitFor();
  await page.getByRole('button', { name: en('health.reset_of', { name: 'Ada' }) }).click();
  await page.getByRole('button', { name: en('health.reset_of', { name: 'Ada' }) }).waitFor({ state: 'detached' });
  const before = upstreams[0].calls.length;
  upstreams[0].script(well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(upstreams[0].calls).toHaveLength(before + 1);
}, 90_000);

it('speaks Chinese on all of it', async () => {
  const world = await startWorld();
  const page = await world.page();
  await set(page, 'app.language', 'zh');
  await page.getByRole('button', { name: zh('page.upstreams'), exact: true }).click();
  await page.getByRole('button', { name: zh('editor.generic') }).click();
  const editor = page.getByRole('dialog', { name: zh('editor.add_title') });
  await editor.getByRole('button', { name: zh('editor.add'), exact: true }).click();
  await editor.getByText(zh('editor.fault.name_missing')).waitFor();
  expect(await editor.textContent()).not.toMatch(/[a-z]{4,} [a-z]{3,} [a-z]{3,}/);
}, 120_000);

it('a deletion can be taken back in a toast that leaves the buttons of an editor free; a long name and a large cap push nothing away', async () => {
  const long = 'W'.repeat(100);
  const upstream = (id: string, name: string, cap: number) => ({ id, name, preset: 'generic', base_url: 'http://127.0.0.1:9', formats: ['anthropic'], credential: { kind: 'none' }, max_in_flight: cap });
  const world = await startWorld({ document: () => ({ holdfast: 1, upstreams: [upstream('long', long, 10_000), upstream('bob', 'Bob', 0)] }) });
  const page = await world.page();
  await world.app.electron.evaluate(({ BrowserWindow }) => { BrowserWindow.getAllWindows()[0]?.setSize(900, 600); });
  await go(page, 'upstreams');
  const capRight = await rowOf(page, long).getByText('10,000').evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node.lastChild ?? node);
    return range.getBoundingClientRect().right;
  });
  const switchLeft = await rowOf(page, long).locator('.hf-up-controls').evaluate((node) => node.getBoundingClientRect().left);
  expect(capRight).toBeLessThanOrEqual(switchLeft);

  await rowOf(page, 'Bob').getByRole('button', { name: en('row.more', { name: 'Bob' }) }).click();
  await page.getByRole('menuitem', { name: en('row.delete') }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('dialog.delete') }).click();
  await page.getByRole('button', { name: en('setting.undo') }).waitFor();
  await rowOf(page, long).getByRole('button', { name: en('upstreams.edit_of', { name: long }) }).click();
  // Would wait for the toast to go where it lay over the button.
  await page.getByRole('dialog').getByRole('button', { name: en('editor.save'), exact: true }).click({ timeout: 10_000 });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: en('setting.undo') }).count()).toBe(1);

  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.limits'), exact: true }).click();
  const edit = await page.getByRole('button', { name: en('upstreams.edit_of', { name: long }) }).boundingBox();
  expect((edit?.x ?? 901) + (edit?.width ?? 0)).toBeLessThanOrEqual(860);
}, 90_000);
