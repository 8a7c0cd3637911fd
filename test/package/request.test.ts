// The package as a user gets it: it starts, serves, retries and shows it. SPEC 7; UI.md, Requests.
import { expect, it } from 'vitest';
import { en } from '../e2e/support/words.ts';
import { ask, documentFor, overloaded, prepareGround, well } from '../e2e/support/world.ts';
import { packedApp, startPacked } from './support/packed.ts';

const packed = packedApp();

it('a request is retried through the packed gateway, and the window shows its row with 1 retry', async () => {
  const ground = await prepareGround({ document: (upstream) => documentFor(upstream, 50) });
  const app = startPacked(packed().executable, ground.dataDir);
  const page = await app.page();
  expect(page.url()).toBe('app://holdfast/');

  ground.upstream.script(overloaded, well);
  expect(await ask(ground)).toMatchObject({ status: 200, retries: '1', text: expect.stringContaining('hello to you') as string });
  expect(ground.upstream.calls).toHaveLength(2);

  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'm-test' });
  await row.waitFor();
  expect(await row.count()).toBe(1);
  await row.click();
  const drawer = page.getByRole('complementary');
  await drawer.getByText(/Sent again once/).waitFor();

  // SPEC 17: it ends when the system asks it to.
  app.child.kill('SIGTERM');
  expect(await app.ended).toBe(0);
}, 120_000);

it('a link opens the running package on what it names, and nothing else comes with it', async () => {
  const ground = await prepareGround({ document: (upstream) => documentFor(upstream, 50) });
  const first = startPacked(packed().executable, ground.dataDir);
  const page = await first.page();
  const second = startPacked(packed().executable, ground.dataDir, { args: ['holdfast://settings/limits', '--lang=zh-CN'] });
  expect(await second.ended).toBe(0);
  await page.getByRole('heading', { level: 1, name: en('settings.section.limits') }).waitFor();
}, 120_000);
