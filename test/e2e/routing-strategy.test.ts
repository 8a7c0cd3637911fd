// Settings > Gateway > Routing strategy and Timeouts in the real app (UI.md; SPEC 4.7, 8.2, 14): what is set there governs the next request.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { en } from './support/words.ts';
import { ask, documentFor, startWorld, well, type World } from './support/world.ts';
import type { Script } from '../support/scripted-upstream.ts';

async function openSection(page: Page, name: 'routing_strategy' | 'timeouts'): Promise<void> {
  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en(`settings.section.${name}`), exact: true }).click();
  await page.getByRole('heading', { level: 1, name: en(`settings.section.${name}`) }).waitFor();
}

const settingOf = (page: Page, key: string) => page.evaluate(async (name) => {
  const { request } = (window as unknown as { holdfast: { request: { 'settings.all': (argument: null) => Promise<Record<string, unknown>> } } }).holdfast;
  return (await request['settings.all'](null))[name];
}, key);

const saved = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();

const warming: Script = async (call) => {
  await call.body;
  await call.answer(400, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'The model is warming up' } }));
};

async function addWarmingRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: en('rules.add'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  // A pattern that the engine of main refuses is told at its field, and nothing is saved.
  await dialog.getByText(en('rules.match.pattern'), { exact: true }).click();
  await dialog.getByRole('textbox', { name: en('rules.match.pattern') }).fill('warming(?= up)');
  await dialog.getByRole('button', { name: en('rules.add') }).click();
  await dialog.getByText(en('rules.bad_pattern')).waitFor();
  expect(await settingOf(page, 'gateway.retry_rules')).toEqual([]);
  await dialog.getByRole('textbox', { name: en('rules.match.pattern') }).fill('(?i)WARMING +up');
  await dialog.getByRole('button', { name: en('rules.add') }).click();
  await dialog.waitFor({ state: 'detached' });
}

const trial = async (page: Page) => {
  await page.getByRole('textbox', { name: en('tester.body') }).fill('{"type":"error","error":{"type":"invalid_request_error","message":"The model is warming up"}}');
  await page.getByText(en('tester.rule', { n: 1, class: en('failure.class.transient'), status: 400 })).waitFor();
};

async function retriedTwice(world: World): Promise<void> {
  world.upstream.script(warming, warming, well);
  expect(await ask(world)).toMatchObject({ status: 200, retries: '2' });
}

it('a rule added in the window makes the next failure of its kind be retried, as its tester says', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await world.page();
  world.upstream.script(warming);
  expect(await ask(world)).toMatchObject({ status: 400 });
  await openSection(page, 'routing_strategy');
  await addWarmingRule(page);
  await trial(page);
  await retriedTwice(world);
}, 120_000);

it('fields of a pace of one’s own are saved at once, refused out of range, and taken back with Undo', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await world.page();
  await openSection(page, 'routing_strategy');
  const pause = page.getByRole('textbox', { name: en('policy.pause'), exact: true });
  await pause.fill('61');
  await pause.press('Enter');
  await page.getByRole('alert').getByText('61 is too large. Allowed is 0 to 60.').waitFor();
  expect(await settingOf(page, 'gateway.retry_policy')).toMatchObject({ baseMs: 20 });
  await pause.fill('0.05');
  await pause.press('Enter');
  await saved(page, en('setting.saved', { name: en('policy.pause'), from: '0.02 s', to: '0.05 s' }));
  expect(await settingOf(page, 'gateway.retry_policy')).toMatchObject({ baseMs: 50, maxMs: 50 });
  await page.getByRole('button', { name: en('setting.undo') }).click();
  await expect.poll(() => pause.inputValue(), { timeout: 20_000 }).toBe('0.02');

  await openSection(page, 'timeouts');
  const idle = page.getByRole('textbox', { name: en('timeouts.idle'), exact: true });
  await idle.fill('45');
  await idle.press('Enter');
  await expect.poll(() => settingOf(page, 'gateway.idle_timeout_secs'), { timeout: 20_000 }).toBe(45);
}, 120_000);
