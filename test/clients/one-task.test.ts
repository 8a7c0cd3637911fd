import { expect, onTestFinished, test } from 'vitest';
import { answersWith, breaksWithin, failsWith, overloadsInStream, wordsOf } from '../support/answers/index.ts';
import { USAGE } from '../support/answers/provider.ts';
import { dataFolder, documentFor, quickRetries, startGatewayProcess } from '../support/gateway-process.ts';
import type { FormatName } from '../../shared/format.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { expectOneAnswer, mainRow } from './support/expect-clean.ts';
import { CLIENT_NAMES, runClient, type ClientName } from './support/run-client.ts';
import { startClientUpstream } from './support/upstream.ts';

// Real coding clients do a task through the gateway while the upstream is overloaded: nobody but the log knows of it.

const TEXT = 'the-harbour-is-calm';
const FORMATS: Readonly<Record<ClientName, FormatName>> = { claude: 'anthropic', codex: 'responses', gemini: 'gemini' };

async function gatewayBefore(url: string) {
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const gateway = await startGatewayProcess(folder.path, documentFor(url, quickRetries()), 'built');
  onTestFinished(async () => { await gateway.stop(); });
  return gateway;
}

async function upstreamThat(...plays: readonly Script[]) {
  const upstream = await startClientUpstream((attempt) => plays[attempt] ?? plays.at(-1)!);
  onTestFinished(() => upstream.close());
  return upstream;
}

test.each(CLIENT_NAMES)('%s gets one clean answer after a 503 and an overload in the stream, with one request', async (name) => { // SPEC 3, 4.3, 5, 7.2
  const upstream = await upstreamThat(failsWith(503), overloadsInStream(), answersWith(TEXT));
  const gateway = await gatewayBefore(upstream.url);
  const run = await runClient(name, gateway, 'Say where the ships are.');
  const rows = await gateway.stop();
  expectOneAnswer(run, TEXT);
  expect(upstream.main.length).toBe(3);
  const row = mainRow(rows, upstream);
  const format = FORMATS[name];
  expect(row).toMatchObject({ format, retries: 2, attempts: 3, failovers: 0, upstream: 'Scripted', key_name: 'test', input_tokens: USAGE.input, cache_read_tokens: USAGE.cached, detail: { retries: 2 } });
  expect(row.detail.attempts.map(({ round, outcome, where, status, class: fault }) => ({ round, outcome, where, status, fault }))).toEqual([
    { round: 0, outcome: 'failed', where: 'head', status: 503, fault: 'transient' },
    { round: 1, outcome: 'failed', where: 'opening', status: format === 'anthropic' ? 529 : 503, fault: 'transient' },
    { round: 2, outcome: 'answered', where: null, status: 200, fault: null },
  ]);
  expect(row.detail.attempts[1]?.code).toBe(wordsOf[format].overloadCode);
});

test.each(CLIENT_NAMES)('%s asks the upstream with the credential of the upstream, and with its own words', async (name) => { // SPEC 1.4, 1.6, 1.7
  const upstream = await upstreamThat(answersWith(TEXT));
  const gateway = await gatewayBefore(upstream.url);
  const run = await runClient(name, gateway, 'Say where the ships are.');
  expectOneAnswer(run, TEXT);
  const [call] = upstream.main;
  const sent = call!.rawHeaders.map(([header, value]) => `${header.toLowerCase()}: ${value}`).join('\n');
  expect(sent).toContain('sk-scripted');
  expect(`${sent}\n${call!.target}`).not.toContain(gateway.key);
  expect((await call!.body).toString()).toContain('Say where the ships are.');
});

test.each(CLIENT_NAMES)('%s takes an answer that breaks after its first word for what it is, and asks again itself', async (name) => { // SPEC 7.8, 10.3
  const upstream = await upstreamThat(breaksWithin(TEXT), answersWith(TEXT));
  const gateway = await gatewayBefore(upstream.url);
  const run = await runClient(name, gateway, 'Say where the ships are.');
  expect(run.code).toBe(0);
  expect(run.stdout.trim().endsWith(TEXT)).toBe(true);
  const rows = await gateway.stop();
  expect(rows.filter(({ request_bytes: bytes }) => bytes === upstream.main[0]?.bodyBytes()).map(({ outcome, retries, attempts, give_up: why }) => ({ outcome, retries, attempts, why }))[0])
    .toEqual({ outcome: 'truncated', retries: 0, attempts: 1, why: 'content_sent' });
  expect(rows.at(-1)).toMatchObject({ outcome: 'success', retries: 0, attempts: 1 });
  expect(upstream.main.length).toBe(2);
});
