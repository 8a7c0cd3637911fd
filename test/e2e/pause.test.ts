// UI "Overview": a paused exchange can be sent on or given up from the window (SPEC 7.12 f, 8.5).
import { expect, it } from 'vitest';
import { en } from './support/words.ts';
import { ask, documentFor, overloaded, startWorld, well } from './support/world.ts';

const slowPauses = (upstream: string) => documentFor(upstream, 60_000, { 'gateway.retry_wait_secs': 600 });

it('Retry now ends a pause at once', async () => {
  const world = await startWorld({ document: slowPauses });
  const page = await world.page();
  world.upstream.script(overloaded, well);
  const answer = ask(world);
  await page.getByText(/retry 1 in/).first().waitFor();
  await page.getByRole('button', { name: en('in_flight.retry_now_of', { what: 'm-test' }) }).click();
  expect(await answer).toMatchObject({ status: 200, retries: '1' });
  await page.getByText(en('in_flight.empty_title')).waitFor();
}, 120_000);

it('Give up ends it with the failure that was kept', async () => {
  const world = await startWorld({ document: slowPauses });
  const page = await world.page();
  world.upstream.otherwise(overloaded);
  const answer = ask(world);
  await page.getByText(/retry 1 in/).first().waitFor();
  await page.getByRole('button', { name: en('in_flight.give_up_of', { what: 'm-test' }) }).click();
  expect(await answer).toMatchObject({ status: 503, text: expect.stringContaining('overloaded_error') as string });
  expect(world.upstream.calls).toHaveLength(1);
}, 120_000);
