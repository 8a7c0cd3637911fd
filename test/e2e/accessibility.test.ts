// UI "Look": axe finds nothing serious on any page, in both themes and languages.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { en, zh } from './support/words.ts';
import { ask, documentFor, overloaded, startWorld, well, type World } from './support/world.ts';

/** Waits until what appears or goes has done so: half faded, everything has too little contrast. */
const settled = (page: Page) => page.evaluate(async () => {
  for (let frame = 0; frame < 5; frame++) await new Promise((drawn) => { requestAnimationFrame(drawn); });
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
});

async function seriousOn(page: Page): Promise<string[]> {
  await settled(page);
  // The other mode opens a second page, which an app of one window has not.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`);
}

/** Sets a setting as the settings page does. */
const set = (page: Page, key: string, value: unknown) => page.evaluate(([name, wanted]) => (window as unknown as { holdfast: { request: { 'settings.set': (argument: unknown) => Promise<unknown> } } }).holdfast.request['settings.set']({ key: name, value: wanted }), [key, value] as const);

async function rowsToLookAt(world: World): Promise<void> {
  world.upstream.script(overloaded, overloaded, well, well);
  await ask(world);
  await ask(world);
}

it.each([['en', 'light'], ['en', 'dark'], ['zh', 'light'], ['zh', 'dark']] as const)('nothing serious in %s, %s', async (language, theme) => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await world.page();
  const t = language === 'en' ? en : zh;
  await rowsToLookAt(world);
  await set(page, 'app.language', language);
  await set(page, 'app.theme', theme);
  await page.getByRole('heading', { level: 1, name: t('page.overview') }).waitFor();
  await page.getByRole('slider', { name: t('figures.chart') }).waitFor();
  expect(await seriousOn(page)).toEqual([]);

  await page.getByRole('button', { name: t('first.add') }).first().click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('page.requests'), exact: true }).click();
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'm-test' }).first().click();
  await page.getByRole('complementary', { name: t('drawer.title') }).getByRole('heading', { name: t('drawer.time_line') }).waitFor();
  expect(await seriousOn(page)).toEqual([]);

  await page.getByRole('button', { name: t('page.upstreams'), exact: true }).click();
  await page.getByRole('button', { name: t('upstreams.edit_of', { name: 'Scripted' }) }).click();
  await page.getByRole('dialog').getByRole('button', { name: t('editor.more') }).click();
  await page.getByRole('dialog').getByLabel(t('editor.models')).first().waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await seriousOn(page)).toEqual([]);

  await page.getByRole('button', { name: t('page.routes'), exact: true }).click();
  await page.getByRole('list', { name: t('dry_run.decisions') }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('routes.add') }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: t('page.settings'), exact: true }).click();
  await page.getByRole('heading', { level: 1, name: t('settings.section.general') }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('settings.section.routing_strategy'), exact: true }).click();
  await page.getByRole('textbox', { name: t('retry_wait.field') }).waitFor();
  // With everything open: a pace of one's own, the example, a refusal, a rule, and what its tester says.
  await set(page, 'gateway.retry_rules', [{ statuses: [400], text: 'warming up', class: 'transient' }]);
  await page.getByRole('switch', { name: t('schedule.example') }).check({ force: true });
  await page.getByRole('textbox', { name: t('policy.max_attempts'), exact: true }).fill('101');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: t('tester.body') }).fill('{"error":{"message":"warming up"}}');
  await page.locator('.hf-rule-matched').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('rules.add'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('settings.section.health'), exact: true }).click();
  await page.getByRole('textbox', { name: t('breaker.failures'), exact: true }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('settings.section.limits'), exact: true }).click();
  await page.getByRole('heading', { name: t('limits.caps') }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('settings.section.security'), exact: true }).click();
  await page.getByRole('switch', { name: t('security.require_key'), exact: true }).click({ force: true });
  await page.getByText(t('security.no_key_note'), { exact: true }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('switch', { name: t('security.require_key'), exact: true }).click({ force: true });
  await page.getByText(t('security.no_key_note'), { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('keys.add'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('settings.section.server'), exact: true }).click();
  await page.getByText(t('server.bind_lan'), { exact: true }).click();
  await page.getByText(t('server.lan_note'), { exact: true }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByText(t('server.bind_loopback'), { exact: true }).click();
  await page.getByText(t('server.lan_note'), { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('settings.section.logs'), exact: true }).click();
  await page.getByText(t('logs.bodies_all'), { exact: true }).click();
  await page.getByText(t('logs.bodies_all_note'), { exact: true }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('logs.clear_all'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('settings.section.prices'), exact: true }).click();
  await page.getByRole('button', { name: t('prices.add'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('settings.section.data'), exact: true }).click();
  await page.getByText(t('data.kind.before')).first().waitFor();
  // A toast that goes while it is looked at has too little contrast.
  await expect.poll(() => page.locator('.hf-saved').count(), { timeout: 20_000 }).toBe(0);
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('data.reset.everything'), exact: true }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('data.export_open'), exact: true }).click();
  await page.getByRole('dialog').getByRole('checkbox').check();
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('settings.section.about'), exact: true }).click();
  await page.getByRole('button', { name: /^zod/ }).click();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole('button', { name: t('settings.section.timeouts'), exact: true }).click();
  await page.getByRole('textbox', { name: t('timeouts.idle'), exact: true }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
}, 180_000);
