import { InternalServerError as AnthropicServerError, RateLimitError as AnthropicRateLimit } from '@anthropic-ai/sdk';
import { InternalServerError as OpenAiServerError, RateLimitError as OpenAiRateLimit } from 'openai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { answersWith, failsWith, overloadsInStream } from '../../support/answers/index.ts';
import { USAGE } from '../../support/answers/provider.ts';
import { quickRetries } from '../../support/gateway-process.ts';
import { startGatewayForClientCredentials, startGatewayHere } from '../../support/gateway-here.ts';
import { SDKS, setUpSdk, type Sdk } from './sdks.ts';

// The official SDKs, set up as README.md says, against the whole gateway.

const TEXT = 'the harbour is calm';
const SEEN = { text: TEXT, begun: 1, usage: USAGE };

afterEach(() => { vi.unstubAllEnvs(); });

/** What a program catches. */
async function thrownBy(asking: Promise<unknown>): Promise<Error & { readonly status?: number; readonly headers?: Headers }> {
  try {
    await asking;
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

/** Google's SDK has one class for all, with the status in it. */
const kind = (sdk: Sdk, openAi: typeof OpenAiServerError | typeof OpenAiRateLimit, anthropic: typeof AnthropicServerError | typeof AnthropicRateLimit) =>
  (sdk.format === 'gemini' ? sdk.error : sdk.format === 'anthropic' ? anthropic : openAi);

describe.each(SDKS)('$heading, $format', (sdk) => {
  test('a stream after a 503 and an overload in the stream is one message with its usage', async () => { // SPEC 5.6, 7.2, 7.7
    const gateway = await startGatewayHere(quickRetries(), failsWith(503), overloadsInStream(), answersWith(TEXT));
    setUpSdk(sdk, gateway);
    expect(await sdk.streamed({})).toEqual(SEEN);
    const rows = await gateway.ended(1);
    expect(rows.map(({ outcome, retries, attempts, streamed, client_retry: own, input_tokens: input, output_tokens: output, cache_read_tokens: cached }) => ({ outcome, retries, attempts, streamed, own: own ?? 0, input, output, cached })))
      .toEqual([{ outcome: 'success', retries: 2, attempts: 3, streamed: true, own: 0, ...USAGE }]);
  });

  test('a whole answer after two overloads is one message with its usage', async () => { // SPEC 5.7, 7.2
    const gateway = await startGatewayHere(quickRetries(), failsWith(503), failsWith(503), answersWith(TEXT));
    setUpSdk(sdk, gateway);
    expect(await sdk.whole({})).toEqual(SEEN);
    const rows = await gateway.ended(1);
    expect(rows.map(({ outcome, retries, attempts, streamed, client_retry: own, input_tokens: input, output_tokens: output }) => ({ outcome, retries, attempts, streamed, own: own ?? 0, input, output })))
      .toEqual([{ outcome: 'success', retries: 2, attempts: 3, streamed: false, own: 0, input: USAGE.input, output: USAGE.output }]);
  });

  test.each(['whole', 'streamed'] as const)('an upstream that stays overloaded is the exception of a 503, with the words of the upstream (%s)', async (how) => { // SPEC 8.5, 10.1
    const gateway = await startGatewayHere(quickRetries(2), failsWith(503));
    setUpSdk(sdk, gateway);
    const error = await thrownBy(sdk[how]({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(kind(sdk, OpenAiServerError, AnthropicServerError));
    expect(error.status).toBe(503);
    expect(error.message).toContain('The service is overloaded');
    expect(await gateway.ended(1)).toMatchObject([{ outcome: 'failed', status: 503, retries: 1, attempts: 2, give_up: 'attempts' }]);
  });

  test('an overload in the stream that no retry cures is an exception too, without a word of an answer', async () => { // SPEC 7.5, 10.1
    const gateway = await startGatewayHere(quickRetries(2), overloadsInStream());
    setUpSdk(sdk, gateway);
    const error = await thrownBy(sdk.streamed({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(sdk.error);
    expect(error.message.toLowerCase()).toContain('overloaded');
    expect(await gateway.ended(1)).toMatchObject([{ outcome: 'failed', status: 200, retries: 1, attempts: 2 }]);
  });

  test('a rate limit comes through at once, with its Retry-After', async () => { // SPEC 11
    const gateway = await startGatewayHere(quickRetries(), failsWith(429, { 'retry-after': '7' }));
    setUpSdk(sdk, gateway);
    const error = await thrownBy(sdk.whole({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(kind(sdk, OpenAiRateLimit, AnthropicRateLimit));
    expect(error.status).toBe(429);
    if (sdk.format !== 'gemini') expect(error.headers?.get('retry-after')).toBe('7');
    expect(await gateway.ended(1)).toMatchObject([{ outcome: 'failed', status: 429, retries: 0, attempts: 1 }]);
  });

  test('a wrong key is the exception of a 401 that names the gateway', async () => { // SPEC 1.4, 10.4
    const gateway = await startGatewayHere(quickRetries(), answersWith(TEXT));
    setUpSdk(sdk, { url: gateway.url, key: 'hf-of-somebody-else' });
    const error = await thrownBy(sdk.whole({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(sdk.error);
    expect(error.status).toBe(401);
    expect(error.message).toContain('[Holdfast]');
    expect(gateway.upstream.calls.length).toBe(0);
  });
});

// Google's SDK does not retry by itself.
describe.each(SDKS.filter(({ format }) => format !== 'gemini'))('$heading, $format, with retries of its own', (sdk) => {
  test('its own retries are told apart from those of the gateway', async () => { // SPEC 12.1
    const gateway = await startGatewayHere(quickRetries(1), failsWith(503), answersWith(TEXT));
    setUpSdk(sdk, gateway);
    expect(await sdk.streamed({ maxRetries: 2 })).toEqual(SEEN);
    expect((await gateway.ended(2)).map(({ outcome, retries, client_retry: own }) => ({ outcome, retries, own }))).toEqual([
      { outcome: 'failed', retries: 0, own: 0 }, { outcome: 'success', retries: 0, own: 1 },
    ]);
  });

  test('it does not ask again when the user wants the gateway to have the last word', async () => { // SPEC 10.5
    const gateway = await startGatewayHere({ ...quickRetries(2), 'gateway.stop_client_retries': true }, failsWith(503));
    setUpSdk(sdk, gateway);
    expect((await thrownBy(sdk.whole({ maxRetries: 2 }))).message).toContain('overloaded');
    expect(await gateway.ended(1)).toMatchObject([{ outcome: 'failed', retries: 1, client_retry: 0 }]);
  });
});

test('a program with a credential of its own gives the key of the gateway in the path', async () => { // SPEC 1.4, 2.4
  const gateway = await startGatewayForClientCredentials(failsWith(503), answersWith(TEXT));
  const sdk = SDKS.find(({ format }) => format === 'anthropic')!;
  setUpSdk(sdk, { url: `${gateway.url}/k/${gateway.key}`, key: 'sk-of-a-subscription' });
  expect(await sdk.streamed({})).toEqual(SEEN);
  expect(await gateway.ended(1)).toMatchObject([{ outcome: 'success', retries: 1, key_name: 'test', path: expect.not.stringContaining(gateway.key) }]);
  const sent = gateway.upstream.calls.map(({ headBytes }) => headBytes.toString('latin1')).join('');
  expect(sent).toContain('sk-of-a-subscription');
  expect(sent).not.toContain(gateway.key);
});
