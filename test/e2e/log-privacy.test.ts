// Bodies in the real app: wanted, masked, shown and deleted (SPEC 12.4, 12.5; UI "Settings").
import { expect, it } from 'vitest';
import type { KeptContents } from '../../shared/contents.ts';
import { en } from './support/words.ts';
import { ask, documentFor, startWorld, well } from './support/world.ts';

interface Held { readonly holdfast: { readonly request: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> } }

it('bodies are kept when they are wanted, never with a key, and are gone when they are deleted', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 20) });
  const page = await world.page();
  world.upstream.otherwise(well);
  const foreign = 'sk-ant-api03-canary0123456789abcdefCANARY';
  const newest = () => page.evaluate(async () => {
    const { request } = (window as unknown as Held).holdfast;
    const { rows } = await request['requests.list']?.({ view: 'requests', filter: {}, limit: 1 }) as { readonly rows: readonly { readonly id: string; readonly state: string }[] };
    return rows[0]?.state === 'done' ? request['requests.contents']?.({ id: rows[0].id }) : null;
  }) as Promise<KeptContents | null>;

  await ask(world, { model: 'm-test' });
  await expect.poll(newest).toMatchObject({ method: 'POST', request: null, answer: null });

  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.logs'), exact: true }).click();
  await page.getByText(en('logs.bodies_all'), { exact: true }).click();
  await page.getByText(en('logs.bodies_all_note'), { exact: true }).waitFor();
  await ask(world, { model: 'm-test', note: `my key is ${foreign}, the gateway's ${world.key}` });
  await expect.poll(async () => (await newest())?.request?.text).toMatch(/my key is \[masked\], the gateway's \[masked\]/);
  expect((await newest())?.answer?.text).toMatch(/m-test/);
  expect(JSON.stringify(await newest())).not.toContain(world.key);

  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'm-test' }).first().click();
  await page.getByRole('complementary', { name: en('drawer.title') }).waitFor();
  expect(await page.content()).not.toMatch(/canary/i);

  await page.getByRole('button', { name: en('page.settings'), exact: true }).click();
  await page.getByRole('button', { name: en('settings.section.logs'), exact: true }).click();
  await page.getByRole('button', { name: en('logs.clear_bodies'), exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: en('dialog.delete'), exact: true }).click();
  await page.getByText(en('logs.cleared_bodies'), { exact: true }).waitFor();
  expect(await newest()).toMatchObject({ method: 'POST', request: null, answer: null });
}, 120_000);
