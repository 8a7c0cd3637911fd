// The page Routes in the real app: what is shown is what happens to a client's request (UI.md; SPEC 9.1, 9.2, 9.6).
import { expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { en } from './support/words.ts';
import { ask, startWorld, well } from './support/world.ts';

async function withTwo() {
  const second = await startScriptedUpstream();
  onTestFinished(() => second.close());
  const upstream = (id: string, name: string, url: string) => ({ id, name, preset: 'generic', base_url: url, formats: ['anthropic'], credential: { kind: 'none' }, proxy: 'none' });
  const world = await startWorld({ document: (url) => ({ holdfast: 1, settings: { 'gateway.affinity': 'off' }, upstreams: [upstream('ada', 'Ada', url), upstream('bob', 'Bob', second.url)] }) });
  const page = await world.page();
  return { world, page, first: world.upstream, second };
}

const list = (page: Page) => page.getByRole('list', { name: en('page.routes') });

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

it('a route made in the window leads its models there under another name; the preview counts, deleting is taken back', async () => {
  const { world, page, first, second } = await withTwo();
  first.script(well, well);
  await ask(world);
  await ask(world, { model: 'm-other' });
  await page.getByRole('button', { name: en('page.routes'), exact: true }).click();
  expect(await list(page).getByRole('listitem').first().textContent()).toContain(en('routes.last_name'));

  await page.getByRole('button', { name: en('routes.add') }).click();
  const editor = page.getByRole('dialog');
  await editor.getByLabel(en('route.pattern'), { exact: true }).fill('m-t*');
  await editor.getByText(en('route.preview', { matching: '1', count: 2 })).waitFor();
  await choose(page, en('route.candidate_upstream', { n: 1 }), 'Bob');
  await editor.getByLabel(en('route.candidate_model', { n: 1 })).fill('big-one');
  await editor.getByRole('button', { name: en('routes.add') }).click();
  await editor.waitFor({ state: 'detached' });
  const row = list(page).getByRole('listitem').filter({ hasText: 'm-t*' }).first();
  expect(await row.textContent()).toMatch(/Bob.*big-one/);

  second.script(well, well);
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(JSON.parse((await second.calls[0]?.body ?? '').toString())).toMatchObject({ model: 'big-one' });

  await row.getByRole('button', { name: en('row.more', { name: 'm-t*' }) }).click();
  await page.getByRole('menuitem', { name: en('row.delete') }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('dialog.delete') }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: en('setting.undo') }).click();
  await row.waitFor();
  expect(await ask(world)).toMatchObject({ status: 200 });
  expect(second.calls).toHaveLength(2);
}, 120_000);

it('a dry run shows the decisions and sends nothing', async () => {
  const { page, first, second } = await withTwo();
  await page.getByRole('button', { name: en('page.routes'), exact: true }).click();
  await page.getByRole('combobox', { name: en('column.model'), exact: true }).fill('any-model');
  const decisions = page.getByRole('list', { name: en('dry_run.decisions') });
  // The first upstream is overloaded, so the next one is asked.
  await decisions.getByText(en('dry_run.step.attempt', { n: '2', upstream: 'Bob', model: 'any-model' })).waitFor();
  expect(await decisions.getByRole('listitem').last().textContent()).toContain(en('dry_run.step.success', { status: 200 }));

  // Both overloaded: now it waits and begins again.
  await choose(page, en('dry_run.answer_of', { name: 'Bob', n: 1 }), en('dry_run.answer.status'));
  await decisions.getByText(/retry 1 at Ada and Bob/).waitFor();
  // A request that is wrong is not sent again.
  for (const name of ['Ada', 'Bob']) await page.getByRole('textbox', { name: en('dry_run.number_of.status', { name, n: 1 }), exact: true }).fill('400');
  await decisions.getByText(en('give_up.not_transient')).waitFor();
  expect([first.calls.length, second.calls.length]).toEqual([0, 0]);
}, 120_000);
