import { expect, test } from 'vitest';
import { failsWith } from '../support/answers/index.ts';
import { startGatewayHere } from '../support/gateway-here.ts';
import { CLIENT_NAMES, runClient } from './support/run-client.ts';

// What happens when somebody loses patience with a client that waits.

const HALF_A_MINUTE = { backoff: 'constant', baseMs: 30_000, maxMs: 30_000, jitter: 0, maxAttempts: 0 };

test.each(CLIENT_NAMES)('%s is stopped while the gateway pauses for it: nothing is sent any more', async (name) => { // SPEC 3, 7.7
  const gateway = await startGatewayHere({ 'gateway.retry_preset': 'custom', 'gateway.retry_policy': HALF_A_MINUTE }, failsWith(503));
  const patience = new AbortController();
  const run = runClient(name, gateway, 'Say where the ships are.', { interrupt: patience.signal });
  await gateway.pausing();
  patience.abort();
  expect((await run).stdout).not.toContain('harbour');
  const [row] = await gateway.ended(1);
  expect(row).toMatchObject({ outcome: 'cancelled', status: 499, retries: 0, attempts: 1, input_tokens: null, output_tokens: null, give_up: 'cancelled', detail: { left_during: 'pause' } });
  expect(gateway.upstream.calls.length).toBe(1);
});
