import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MOST_KEPT_BYTES } from '../../../shared/contents.ts';
import type { SettingKey } from '../../../shared/settings.ts';
import { answersWith, breaksWithin, failsWith, overloadsInStream } from '../../support/answers/index.ts';
import { documentFor, quickRetries, TEST_KEY } from '../../support/gateway-process.ts';
import { startLoggedGateway } from '../../support/logged-gateway.ts';
import { says } from '../cases/support/talk.ts';

// What the log keeps of exchanges beside their rows (SPEC 12.4).

async function start(settings: Partial<Record<SettingKey, unknown>> = {}) {
  const gateway = await startLoggedGateway((url) => documentFor(url, { ...quickRetries(2), ...settings }));
  return {
    ...gateway,
    ask: async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_KEY}`, 'x-note': 'Größe', ...headers } }).catch(() => null);
      return answer === null ? '' : answer.text().catch(() => '');
    },
  };
}

const WHOLE = { model: 'm-1', messages: [{ role: 'user', content: 'Hi 你好' }] };
const STREAM = { ...WHOLE, stream: true };

describe('headers are kept of every exchange that was let in', () => {
  it('as they came and went, in order, without secrets, and without any body by default', async () => {
    const gateway = await start();
    gateway.upstream.script(says(200, '{"type":"message","content":[]}', { 'x-up': 'stream', 'set-cookie': 'a=b' }));
    await gateway.ask(WHOLE, { 'x-note': 'plain' });
    const [first] = await gateway.logged(1);
    expect(first?.contents).toMatchObject({ method: 'POST', request: null, answer: null });
    const request = Object.fromEntries(first?.contents?.requestHeaders ?? []);
    expect(request).toMatchObject({ 'authorization': 'Bearer [masked]', 'x-note': 'plain', 'content-type': 'application/json' });
    expect(first?.contents?.answerHeaders).toEqual(expect.arrayContaining([['x-up', 'stream'], ['x-holdfast-request-id', first?.row.id], ['x-holdfast-upstream', 'Scripted']]));
  });

  it('also when the client left before there was an answer, and not of requests that were not let in', async () => {
    const gateway = await start();
    const client = new AbortController();
    const left = fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: JSON.stringify(WHOLE), headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_KEY}` }, signal: client.signal }).catch(() => null);
    await gateway.upstream.call(0);
    client.abort();
    await left;
    await gateway.ask(WHOLE, { authorization: 'Bearer nobody' });
    const [first, second] = await gateway.logged(2);
    expect(first?.row.outcome).toBe('cancelled');
    expect(first?.contents).toMatchObject({ method: 'POST', answerHeaders: null });
    expect(second?.row.outcome).toBe('refused');
    expect(second?.contents).toBeNull();
  });
});

describe('bodies are kept as `logs.bodies` says', () => {
  it('of what did not end well: the request, and what the client got', async () => {
    const gateway = await start({ 'logs.bodies': 'errors' });
    gateway.upstream.script(answersWith('well'), failsWith(400), breaksWithin('half of it'), failsWith(503), failsWith(503), overloadsInStream(), answersWith('cured'));
    const answers: string[] = [];
    for (const body of [WHOLE, WHOLE, STREAM, WHOLE, STREAM]) answers.push(await gateway.ask(body));
    const kept = await gateway.logged(5);
    expect(kept.map(({ row }) => row.outcome)).toEqual(['success', 'failed', 'truncated', 'failed', 'success']);
    expect(kept.map(({ contents }) => contents?.request?.text ?? null)).toEqual([null, JSON.stringify(WHOLE), JSON.stringify(STREAM), JSON.stringify(WHOLE), null]);
    // To the byte, the error at the end of a stream that broke included.
    expect(kept.map(({ contents }) => contents?.answer?.text ?? null)).toEqual([null, answers[1], answers[2], answers[3], null]);
    expect(answers[2]).toContain('event: error');
  });

  it('of all', async () => {
    const gateway = await start({ 'logs.bodies': 'all' });
    gateway.upstream.script(answersWith('Hello there'), answersWith('Hello there'));
    const whole = await gateway.ask(WHOLE);
    const stream = await gateway.ask(STREAM);
    const kept = await gateway.logged(2);
    expect(kept.map(({ contents }) => contents?.answer)).toEqual([whole, stream].map((text) => ({ bytes: Buffer.byteLength(text), text, cut: false })));
    expect(kept[0]?.contents?.request).toEqual({ bytes: kept[0]?.row.request_bytes, text: JSON.stringify(WHOLE), cut: false });
  });

  it('no longer when they were turned off while the exchange ran', async () => {
    const gateway = await start({ 'logs.bodies': 'all' });
    let off: Promise<unknown> = Promise.resolve();
    gateway.upstream.script(answersWith('Hello', () => (off = gateway.app.store.settings.set('logs.bodies', 'off')) as Promise<never>));
    await gateway.ask(STREAM);
    await off;
    expect((await gateway.logged(1))[0]?.contents).toMatchObject({ request: null, answer: null });
  });

  it('the first 256 KiB of each, whole characters', async () => {
    const gateway = await start({ 'logs.bodies': 'all' });
    const long = { ...WHOLE, system: '€'.repeat(MOST_KEPT_BYTES) };
    gateway.upstream.script(answersWith('x'.repeat(2 * MOST_KEPT_BYTES)));
    await gateway.ask(long);
    const [first] = await gateway.logged(1);
    expect(first?.contents?.request).toMatchObject({ bytes: Buffer.byteLength(JSON.stringify(long)), cut: true });
    const text = first?.contents?.request?.text ?? '';
    expect(JSON.stringify(long).startsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MOST_KEPT_BYTES - 4);
    expect(first?.contents?.answer?.text).toHaveLength(MOST_KEPT_BYTES);
  });

  it('a body that came packed is kept as it was meant', async () => {
    const gateway = await start({ 'logs.bodies': 'all' });
    gateway.upstream.script(answersWith('Hello'));
    const packed = gzipSync(JSON.stringify(WHOLE));
    await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: packed, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', authorization: `Bearer ${TEST_KEY}` } });
    expect((await gateway.logged(1))[0]?.contents?.request?.text).toBe(JSON.stringify(WHOLE));
  });
});
