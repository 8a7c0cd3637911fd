import { afterEach, expect, test, vi } from 'vitest';
import { answersWith, failsWith } from '../../support/answers/index.ts';
import { USAGE } from '../../support/answers/provider.ts';
import { quickRetries } from '../../support/gateway-process.ts';
import { createSignals } from '../../support/signals.ts';
import { startGatewayHere } from './gateway-here.ts';
import { SDKS, setUpSdk } from './sdks.ts';

// The shortest keep-alive there is takes 5 s of real time; the upstream answers as soon as the SDK has been sent two of them.

const TEXT = 'the harbour is calm';
const KEEP_ALIVE = ': keep-alive\n\n';
const realFetch = globalThis.fetch;

afterEach(() => { vi.unstubAllEnvs(); });

/** A fetch that lets the test see what the SDK is sent. */
function tappedFetch() {
  let text = '';
  let heads = 0;
  const signals = createSignals();
  const tapped: typeof fetch = async (...given) => {
    const response = await realFetch(...given);
    heads += 1;
    signals.changed();
    const decoder = new TextDecoder();
    const tap = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        text += decoder.decode(bytes, { stream: true });
        signals.changed();
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body?.pipeThrough(tap), { status: response.status, headers: response.headers });
  };
  return { fetch: tapped, heads: () => heads, text: () => text, when: signals.when };
}

test.each(SDKS.filter(({ format }) => format !== 'gemini'))('$heading, $format: keep-alives before the answer are no part of it', { timeout: 40_000 }, async (sdk) => { // SPEC 6.2, 6.3
  const tap = tappedFetch();
  const kept = (): number => tap.text().split(KEEP_ALIVE).length - 1;
  const gateway = await startGatewayHere({ ...quickRetries(), 'gateway.keepalive_secs': 5 }, failsWith(503), answersWith(TEXT, () => tap.when(() => kept() >= 2)));
  setUpSdk(sdk, gateway);
  expect(await sdk.streamed({ fetch: tap.fetch })).toEqual({ text: TEXT, begun: 1, usage: USAGE });
  expect(tap.text().startsWith(KEEP_ALIVE)).toBe(true);
  expect(tap.heads()).toBe(1);
  const [row] = await gateway.ended(1);
  expect(row).toMatchObject({ outcome: 'success', status: 200, retries: 1 });
  // SPEC 6.4: keep-alives are no bytes of the answer.
  expect(row?.answer_bytes).toBe(Buffer.byteLength(tap.text().replaceAll(KEEP_ALIVE, '')));
});

test('Google Gen AI SDK, gemini: the head comes early and nothing after it but the answer', { timeout: 40_000 }, async () => { // SPEC 6.2, 6.3
  const sdk = SDKS.find(({ format }) => format === 'gemini')!;
  const tap = tappedFetch();
  const gateway = await startGatewayHere({ ...quickRetries(), 'gateway.keepalive_secs': 5 }, failsWith(503), answersWith(TEXT, () => tap.when(() => tap.heads() === 1)));
  setUpSdk(sdk, gateway);
  // This SDK takes no fetch of one's own.
  vi.stubGlobal('fetch', tap.fetch);
  try {
    expect(await sdk.streamed({})).toEqual({ text: TEXT, begun: 1, usage: USAGE });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(tap.text().startsWith('data: {')).toBe(true);
  expect(await gateway.ended(1)).toMatchObject([{ outcome: 'success', status: 200, retries: 1 }]);
});
