import { afterEach, expect, test, vi } from 'vitest';
import { answersWith, failsWith } from '../../support/answers/index.ts';
import { USAGE } from '../../support/answers/provider.ts';
import { createSignals } from '../../support/signals.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { SDKS, setUpSdk } from './sdks.ts';

// Two minutes and more of holding, on a clock in the hands of the test: what SDKs are sent meanwhile is no part of the answer to them.

const TEXT = 'the harbour is calm';
const KEEPALIVE_SECS = 60;
const FIRST_PAUSE_MS = 2_000;
const realFetch = globalThis.fetch;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

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

/** Sends that come after 60, 120 and 180 s of silence; the data event comes along from 120 s of holding on. */
const COMMENT = ': keep-alive\n\n';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const EMPTY_CHUNK = 'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\r\n\r\n';
const SENT = {
  anthropic: [COMMENT, COMMENT + PING, COMMENT + PING],
  chat: [COMMENT, COMMENT, COMMENT],
  responses: [COMMENT, COMMENT, COMMENT],
  gemini: ['', EMPTY_CHUNK, EMPTY_CHUNK],
} as const;

test.each(SDKS)('$heading, $format: what keeps it waiting is no part of the answer', async (sdk) => { // SPEC 6.2, 6.3, 6.4
  const gateway = await startWholeGateway({ settings: { 'gateway.keepalive_secs': KEEPALIVE_SECS, 'gateway.retry_wait_secs': 600 } });
  const tap = tappedFetch();
  // Google's SDK takes no fetch of one's own.
  vi.stubGlobal('fetch', tap.fetch);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => { release = resolve; });
  gateway.upstream().script(failsWith(503), answersWith(TEXT, () => released));
  setUpSdk(sdk, { url: gateway.url, key: 'hf-test' });

  const asking = sdk.streamed({ fetch: tap.fetch });
  await gateway.event('pausing');
  await gateway.clock.advance(FIRST_PAUSE_MS);
  await gateway.upstream().call(1);
  let expected = '';
  for (const sent of SENT[sdk.format]) {
    await gateway.clock.advance(KEEPALIVE_SECS * 1_000);
    expected += sent;
    await tap.when(() => tap.heads() === 1 && tap.text().length >= expected.length);
    expect(tap.text()).toBe(expected);
  }
  release();
  expect(await asking).toEqual({ text: TEXT, begun: 1, usage: USAGE });
  expect(tap.heads()).toBe(1);
  const [row] = await gateway.ended();
  expect(row).toMatchObject({ outcome: 'success', status: 200, retries: 1, attempts: 2 });
  expect(row?.answer_bytes).toBe(Buffer.byteLength(tap.text()) - Buffer.byteLength(expected));
});
