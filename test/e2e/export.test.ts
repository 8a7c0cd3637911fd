// UI "Export what the filter shows as CSV or NDJSON"; SPEC 12.5: no secret is in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ExchangeRow } from '../../shared/log.ts';
import { temporaryFolder } from './support/app.ts';
import { en } from './support/words.ts';
import { ask, documentFor, startWorld, well, type World } from './support/world.ts';

const CANARY = 'sk-ant-canary0123456789abcdefghij';

const saveAs = ({ app }: World, file: string | null) => app.electron.evaluate(({ dialog }, filePath) => {
  dialog.showSaveDialog = (...given: unknown[]) => {
    Object.assign(globalThis, { offeredName: (given.at(-1) as { defaultPath: string }).defaultPath });
    return Promise.resolve({ canceled: filePath === null, filePath: filePath ?? '' });
  };
}, file);

it('writes what the filter shows, with every attempt and without a secret', async () => {
  const world = await startWorld({ document: (upstream) => documentFor(upstream, 10) });
  const folder = temporaryFolder();
  onTestFinished(() => { folder.remove(); });
  const page = await world.page();
  world.upstream.script(async (call) => {
    await call.body;
    await call.answer(503, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: `Overloaded, "${CANARY}", said\nthe server` } }));
  }, well, async (call) => {
    await call.body;
    await call.answer(400, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: `no: ${CANARY}` } }));
  });
  expect((await ask(world, { model: '=cmd|test' })).status).toBe(200);
  expect((await ask(world)).status).toBe(400);

  await page.getByRole('button', { name: en('page.requests'), exact: true }).click();
  await page.getByRole('grid').getByRole('row').nth(2).waitFor();
  const exportAs = async (as: 'csv' | 'ndjson'): Promise<string> => {
    const file = join(folder.path, `out.${as}`);
    await saveAs(world, file);
    await page.getByRole('button', { name: en('export.button'), exact: true }).click();
    await page.getByRole('menuitem', { name: en(`export.as.${as}`) }).click();
    await page.getByText(file).waitFor();
    return readFileSync(file, 'utf8');
  };
  const csv = await exportAs('csv');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(3);
  expect(csv).toContain('\'=cmd|test');
  const ndjson = await exportAs('ndjson');
  const rows = ndjson.trimEnd().split('\n').map((line) => JSON.parse(line) as ExchangeRow);
  expect(rows.map(({ outcome, retries, detail }) => [outcome, retries, detail.attempts.length])).toEqual([['failed', 0, 1], ['success', 1, 2]]);
  for (const text of [csv, ndjson]) for (const secret of [CANARY, world.key, 'sk-test-of-the-window']) expect(text).not.toContain(secret);
  expect(ndjson).toContain('Overloaded');
  expect(await world.app.electron.evaluate(() => (globalThis as unknown as { offeredName: string }).offeredName)).toMatch(/holdfast-requests-\d{4}-\d\d-\d\d-\d{4}\.ndjson$/);
  expect(readdirSync(folder.path).sort()).toEqual(['out.csv', 'out.ndjson']);

  // A folder that is not there is told, and the window goes on.
  await saveAs(world, join(folder.path, 'gone', 'out.csv'));
  await page.getByRole('button', { name: en('export.button'), exact: true }).click();
  await page.getByRole('menuitem', { name: en('export.as.csv') }).click();
  await page.getByText(en('export.failed.folder_gone')).waitFor();
}, 120_000);
