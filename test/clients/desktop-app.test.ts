import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDisplay } from '../../scripts/lib/display.mjs';
import { hasDisplay } from '../../scripts/lib/paths.mjs';
import { startWorld } from '../e2e/support/world.ts';
import { answersWith, failsWith, overloadsInStream } from '../support/answers/index.ts';
import { documentFor, quickRetries, rowsIn, terminate } from '../support/gateway-process.ts';
import { expectOneAnswer, mainRow } from './support/expect-clean.ts';
import { CLIENT_NAMES, runClient } from './support/run-client.ts';
import { startClientUpstream } from './support/upstream.ts';

// The same as one-task.test.ts through the real app with its window.

const TEXT = 'the-harbour-is-calm';

let display: Awaited<ReturnType<typeof startDisplay>> | null = null;
beforeAll(async () => {
  if (hasDisplay()) return;
  display = await startDisplay();
  process.env['DISPLAY'] = display.display;
});
afterAll(() => { display?.stop(); });

test.each(CLIENT_NAMES)('%s gets one clean answer through the app, which tells what it hid', async (name) => { // SPEC 3, 12.1
  const plays = [failsWith(503), overloadsInStream(), answersWith(TEXT)];
  const upstream = await startClientUpstream((attempt) => plays[attempt] ?? plays.at(-1)!);
  onTestFinished(() => upstream.close());
  const { app, url, key, dataDir, page } = await startWorld({ document: () => documentFor(upstream.url, quickRetries()) });
  await page();
  const run = await runClient(name, { url, key }, 'Say where the ships are.');
  expect(await terminate(app.process), app.log()).toBe(0);
  expectOneAnswer(run, TEXT);
  expect(mainRow(rowsIn(dataDir), upstream)).toMatchObject({ retries: 2, attempts: 3, detail: { retries: 2 } });
});
