import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { answersWith, failsWith, overloadsInStream } from '../support/answers/index.ts';
import { dataFolder, documentFor, startGatewayProcess } from '../support/gateway-process.ts';
import { expectOneAnswer, mainRow } from './support/expect-clean.ts';
import { CLIENT_NAMES, runClient } from './support/run-client.ts';
import { startClientUpstream } from './support/upstream.ts';

// How long real clients wait is a fact of real time: these take minutes, and run with `npm run test:clients -- --hard`.

const TEXT = 'the-harbour-is-calm';
const SILENCE_MS = 20_000;

const holds = [40, 330].flatMap((holdSecs) => CLIENT_NAMES.map((name) => ({ name, holdSecs })));

describe.runIf(process.env['HOLDFAST_HARD'] === '1')('a hold of minutes', () => {
  test.concurrent.for(holds)('$name waits $holdSecs s for one clean answer and does not ask twice', { timeout: 580_000 }, async ({ name, holdSecs }, { onTestFinished }) => { // SPEC 6.2, 6.3, 7.12b
    const upstream = await startClientUpstream((attempt, { arrivedMs }) => {
      // The first attempt falls silent after its opening, until after the early head; from then on it fails in both ways in turn.
      if (attempt === 0) return overloadsInStream(() => sleep(SILENCE_MS));
      if (performance.now() - arrivedMs >= holdSecs * 1_000) return answersWith(TEXT);
      return attempt % 2 === 1 ? failsWith(503) : overloadsInStream();
    });
    onTestFinished(() => upstream.close());
    const folder = dataFolder();
    onTestFinished(folder.remove);
    const gateway = await startGatewayProcess(folder.path, documentFor(upstream.url, { 'gateway.retry_wait_secs': 600 }), 'built');
    onTestFinished(async () => { await gateway.stop(); });

    const run = await runClient(name, gateway, 'Say where the ships are.', { limitMs: 560_000 });
    const rows = await gateway.stop();
    expectOneAnswer(run, TEXT);
    const row = mainRow(rows, upstream);
    expect(row.first_content_ms).toBeGreaterThanOrEqual(holdSecs * 1_000);
    console.log(`${name}, hold of ${holdSecs} s: first content after ${(row.first_content_ms! / 1000).toFixed(1)} s, ${row.retries} retries, ${(row.pause_ms / 1000).toFixed(1)} s in pauses, the client took ${(run.ms / 1000).toFixed(1)} s`);
  });
});
