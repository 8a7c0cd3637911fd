import { expect, onTestFinished, test } from 'vitest';
import { createAccount } from '../support/accounts.ts';
import { failsWith } from '../support/answers/index.ts';
import { dataFolder, documentFor, quickRetries, startGatewayProcess } from '../support/gateway-process.ts';
import type { HoldfastDocument } from '../../shared/document.ts';
import { expectOneAnswer } from './support/expect-clean.ts';
import { CLIENT_NAMES, runClient } from './support/run-client.ts';
import { startClientUpstream } from './support/upstream.ts';

const TEXT = 'the-harbour-is-calm';

function twoUpstreams(a: string, b: string): HoldfastDocument {
  const document = documentFor(a, { ...quickRetries(), 'gateway.affinity': 'off' });
  const [first] = document.upstreams;
  return { ...document, upstreams: [{ ...first!, id: 'a', name: 'A' }, { ...first!, id: 'b', name: 'B', base_url: b }] };
}

// Two accounts, each of which refuses what the other has sealed. The first is overloaded for a moment, so the second answers, seals its reasoning and has a tool called;
// with the tool's output the client sends that reasoning back. SPEC 9.5
test.each(CLIENT_NAMES)('%s sends sealed reasoning back, and it goes to the account that sealed it', async (name) => {
  const accounts = { a: createAccount('a'), b: createAccount('b') };
  const a = await startClientUpstream((attempt) => (attempt === 0 ? failsWith(503) : accounts.a.says('from the wrong account')));
  onTestFinished(() => a.close());
  const b = await startClientUpstream((attempt) => (attempt === 0 ? accounts.b.calls('harbour_watch') : accounts.b.says(TEXT)));
  onTestFinished(() => b.close());
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const gateway = await startGatewayProcess(folder.path, twoUpstreams(a.url, b.url), 'built');
  const run = await runClient(name, gateway, 'Say where the ships are.');
  const rows = await gateway.stop();
  expectOneAnswer(run, TEXT);
  expect([a.main.length, b.main.length]).toEqual([1, 2]);
  expect((await b.main[1]!.body).toString()).toContain(accounts.b.seals[0]);
  expect(rows.filter((row) => row.upstream === 'B').map(({ outcome, attempts }) => [outcome, attempts])).toEqual([['success', 2], ['success', 1]]);
});
