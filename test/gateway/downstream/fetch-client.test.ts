import { afterAll, describe, expect, it } from 'vitest';
import { Agent, fetch } from 'undici';
import { drivenAnswer, NOTES } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';

// What SDKs do: a pool of connections, bodies in pieces, aborting.
const dispatcher = new Agent({ connections: 2 });
let harness: Harness;
sharedHarness({ 'gateway.max_body_mb': 1 }, (made) => { harness = made; });
afterAll(() => dispatcher.close());

const post = (path: string, body: string | AsyncIterable<Uint8Array>, headers: Record<string, string> = {}, signal?: AbortSignal) => fetch(`http://localhost:${harness.port}${path}`, {
  method: 'POST', body, headers: { 'content-type': 'application/json', 'x-api-key': 'hf-test', ...headers }, dispatcher, ...(typeof body === 'string' ? {} : { duplex: 'half' }), ...(signal === undefined ? {} : { signal }),
});

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent++) yield await Promise.resolve(Buffer.alloc(65_536, 0x20));
}

describe('a fetch client', () => {
  it.each([
    ['too large', '/v1/messages', {}, 413], ['without a valid key', '/v1/messages', { 'x-api-key': 'nope' }, 401], ['to no path', '/v1/none', {}, 404],
    ['from a page', '/v1/messages', { origin: 'https://evil.example' }, 403], ['not JSON', '/v1/messages', { 'content-type': 'text/plain' }, 415],
  ])('reads the refusal of a large upload that is %s, and its connection stays good', async (_name, path, headers, status) => { // SPEC 1.6
    for (let round = 0; round < 5; round++) {
      const answer = await post(path, pieces(48), headers);
      expect(answer.status).toBe(status);
      expect(await answer.text()).toContain('[Holdfast]');
    }
    expect(await (await post('/v1/messages', '{"model":"m"}')).json()).toEqual({ ok: true });
  });

  it('gets each event as it comes', async () => { // SPEC 6.2
    const answer = drivenAnswer();
    harness.script = async ({ reply }) => { await reply.send(answer.opened, NOTES); };
    const response = await post('/v1/chat/completions', '{"model":"m","stream":true}');
    const reader = response.body?.getReader();
    for (const event of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
      answer.write(event);
      const read = await reader?.read();
      expect(Buffer.from(read?.value as Uint8Array).toString()).toBe(event);
    }
    answer.end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('that aborts is gone at once', async () => { // SPEC 3
    const abort = new AbortController();
    harness.script = ({ reply }) => new Promise((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); });
    const answer = post('/v1/messages', '{"model":"m"}', {}, abort.signal);
    const { reply } = await harness.whenRuns(1);
    abort.abort();
    await expect(answer).rejects.toThrow();
    await new Promise<void>((resolve) => {
      if (reply.gone.aborted) resolve();
      else reply.gone.addEventListener('abort', () => { resolve(); });
    });
  });
});
