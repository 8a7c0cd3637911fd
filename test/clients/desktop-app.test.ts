import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startDisplay } from '../../scripts/lib/display.mjs';
import { hasDisplay } from '../../scripts/lib/paths.mjs';
import { startApp, type StartedApp } from '../e2e/support/app.ts';
import { answersWith, failsWith, overloadsInStream } from '../support/answers/index.ts';
import { dataFolder, documentFor, quickRetries, rowsIn, startGatewayProcess, terminate, TEST_KEY } from '../support/gateway-process.ts';
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

/** A port that is free now; the app with a window takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the app on a data folder that was set up by an import without a window. */
async function appBefore(upstreamUrl: string): Promise<{ readonly app: StartedApp; readonly child: ChildProcess; readonly dataDir: string; readonly url: string }> {
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const port = await freePort();
  await (await startGatewayProcess(folder.path, documentFor(upstreamUrl, { ...quickRetries(), 'gateway.port': port }))).stop();
  const app = await startApp({ dataDir: folder.path });
  const child = app.electron.process();
  onTestFinished(() => { if (child.exitCode === null) child.kill('SIGKILL'); });
  const page = await app.page();
  const state = await page.evaluate(() => window.holdfast.request['gateway.state'](null));
  expect(state).toMatchObject({ status: 'running', port });
  return { app, child, dataDir: folder.path, url: `http://127.0.0.1:${port}` };
}

test.each(CLIENT_NAMES)('%s gets one clean answer through the app, which tells what it hid', async (name) => { // SPEC 3, 12.1
  const plays = [failsWith(503), overloadsInStream(), answersWith(TEXT)];
  const upstream = await startClientUpstream((attempt) => plays[attempt] ?? plays.at(-1)!);
  onTestFinished(() => upstream.close());
  const { app, child, dataDir, url } = await appBefore(upstream.url);
  const run = await runClient(name, { url, key: TEST_KEY }, 'Say where the ships are.');
  expect(await terminate(child), app.log()).toBe(0);
  expectOneAnswer(run, TEXT);
  expect(mainRow(rowsIn(dataDir), upstream)).toMatchObject({ retries: 2, attempts: 3, detail: { retries: 2 } });
});
