import { describe, expect, it } from 'vitest';
import { drivenAnswer, NOTES, wholeAnswer } from './support/harness.ts';
import type { Harness } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { parseResponse, requestText } from './support/raw-client.ts';
import { fill, FORMATS, sent, session, STREAM } from './support/session.ts';

const KEY = { 'x-api-key': 'hf-test' };
let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

describe('streams', () => {
  it('carry the upstream\u2019s head, what makes proxies let them through, and the facts of the exchange', async () => { // SPEC 1.7, 6.2
    const { client, answer, ending } = await sent(harness, FORMATS.anthropic, {}, drivenAnswer({ headers: [['content-type', 'text/event-stream'], ['content-length', '18'], ['request-id', 'r9'], ['x-a', '1'], ['x-a', '2'], ['x-bad', 'a\nb'], ['x b', 'c']] }));
    answer.write('event: a\ndata: 1\n\n');
    answer.end();
    expect(await ending).toMatchObject({ status: 200, bytes: 18, clientGone: false });
    const text = await client.seen('0\r\n\r\n');
    expect(text.split('\r\n').filter((line) => !/^(?:date|keep-alive|connection):/i.test(line)).join('|')).toBe(
      'HTTP/1.1 200 OK|content-type: text/event-stream|request-id: r9|x-a: 1|x-a: 2|cache-control: no-cache|x-accel-buffering: no|x-holdfast-request-id: req-1|x-holdfast-upstream: A'
      + '|x-holdfast-retries: 2|Transfer-Encoding: chunked||12|event: a\ndata: 1\n\n|0||');
    client.reset();
  });

  it('keep the cache headers that the upstream sends', async () => { // SPEC 6.2
    const { client, answer } = await sent(harness, FORMATS.chat, {}, drivenAnswer({ headers: [['cache-control', 'no-store'], ['x-accel-buffering', 'yes']] }));
    answer.end();
    const { headers } = parseResponse(await client.seen('0\r\n\r\n'));
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'yes' });
    client.reset();
  });

  it('send the head at once when nothing is held', async () => { // SPEC 6.2
    const { client, answer } = await sent(harness, FORMATS.chat);
    expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    answer.end();
    await client.seen('0\r\n\r\n');
    client.reset();
  });

  it('name an upstream in any script', async () => { // SPEC 1.7
    harness.script = async ({ reply }) => { await reply.send(wholeAnswer('{}'), { ...NOTES, upstreamName: '\u4e0a\u6e38' }); };
    expect((await harness.ask(requestText('POST /v1/messages', KEY, '{"model":"m"}'))).headers['x-holdfast-upstream']).toBe('%E4%B8%8A%E6%B8%B8');
  });

  it('wait for a slow client', async () => { // SPEC 6.5
    const { client, answer, ending } = await sent(harness, FORMATS.chat);
    client.socket.pause();
    const bytes = fill(answer);
    let drained = false;
    const resumed = answer.whenDrained().then(() => { drained = true; });
    await harness.clock.advance(0);
    expect(drained).toBe(false);
    client.socket.resume();
    await resumed;
    answer.end();
    expect((await ending).bytes).toBe(bytes);
    await client.seen('\r\n0\r\n\r\n');
    client.reset();
  });
});

describe('the early head', () => {
  it.each([['anthropic', FORMATS.anthropic], ['chat', FORMATS.chat], ['responses', FORMATS.responses]])('comes to %s clients after 15 s of silence with a comment, and a comment after every 15 s more', async (_name, path) => { // SPEC 6.2, 6.3
    const { client, answer, send } = await session(harness, path);
    await harness.clock.advance(14_999);
    expect(client.text()).toBe('');
    await harness.clock.advance(1);
    const head = await client.seen(': keep-alive\n\n');
    expect(parseResponse(head)).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no', 'x-holdfast-request-id': expect.any(String) as string }, body: ': keep-alive\n\n' });
    expect(parseResponse(head).headers['x-holdfast-retries']).toBeUndefined();
    await harness.clock.advance(15_000);
    await client.seen('\r\n: keep-alive\n\n\r\ne\r\n: keep-alive\n\n\r\n');
    send();
    await harness.clock.advance(0);
    answer.write('data: 1\n\n');
    answer.end();
    const whole = await client.seen('0\r\n\r\n');
    expect(parseResponse(whole).body).toBe(': keep-alive\n\n: keep-alive\n\ndata: 1\n\n');
    client.reset();
  });

  it('comes after the time in the settings', async () => { // SPEC 6.2
    harness.settings = { ...harness.settings, 'gateway.keepalive_secs': 5 };
    const { client } = await session(harness, FORMATS.chat);
    await harness.clock.advance(5_000);
    await client.seen(': keep-alive\n\n');
    client.reset();
  });

  it.each([
    ['anthropic', FORMATS.anthropic, {}, ': keep-alive\n\nevent: ping\ndata: {"type":"ping"}\n\n'],
    ['Codex', FORMATS.responses, { 'user-agent': 'codex_exec/0.169.0' }, ': keep-alive\n\nevent: keepalive\ndata: {"type":"keepalive"}\n\n'],
    ['Codex by originator', FORMATS.responses, { originator: 'codex_vscode' }, ': keep-alive\n\nevent: keepalive\ndata: {"type":"keepalive"}\n\n'],
    ['other Responses clients', FORMATS.responses, {}, ': keep-alive\n\n'],
    ['chat', FORMATS.chat, {}, ': keep-alive\n\n'],
  ])('is followed by data events after 120 s for %s', async (_name, path, headers, late) => { // SPEC 6.3
    const { client } = await session(harness, path, headers);
    await harness.clock.advance(119_999);
    await client.seen(': keep-alive\n\n');
    expect(parseResponse(client.text()).body).toBe(': keep-alive\n\n'.repeat(7));
    await harness.clock.advance(1);
    await client.seen(late);
    await harness.clock.advance(15_000);
    await client.seen(`${late}\r\n`);
    const { body } = parseResponse(client.text());
    expect(body.slice(7 * 14)).toBe(late.repeat(2));
    client.reset();
  });

  it('comes to Gemini clients alone, and only a chunk with empty text follows after 120 s', async () => { // SPEC 6.3
    const { client } = await session(harness, FORMATS.gemini);
    await harness.clock.advance(15_000);
    await client.seen('\r\n\r\n');
    await harness.clock.advance(104_999);
    expect(parseResponse(client.text())).toMatchObject({ status: 200, body: '' });
    await harness.clock.advance(1);
    await client.seen('"parts"');
    expect(parseResponse(client.text()).body).toBe('data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\r\n\r\n');
    client.reset();
  });

  it.each([['a Gemini array', FORMATS.array, STREAM], ['a whole answer', FORMATS.anthropic, '{"model":"m"}'], ['token counting', '/v1/messages/count_tokens', STREAM]])('never comes to a client that waits for %s', async (_name, path, body) => { // SPEC 6.2
    const { client, run } = await session(harness, path, {}, body);
    await harness.clock.advance(600_000);
    expect(client.text()).toBe('');
    expect(harness.clock.pending()).toBe(0);
    client.reset();
    await new Promise((resolve) => { run.reply.gone.addEventListener('abort', resolve); });
  });

  it('turns a whole answer that comes after it into an error event', async () => { // SPEC 4.9
    const answer = drivenAnswer({ stream: false, whole: Buffer.from('{}'), headers: [['content-type', 'application/json']] });
    const { client, ending, send } = await session(harness, FORMATS.anthropic, {}, STREAM, answer);
    await harness.clock.advance(15_000);
    send();
    await harness.clock.advance(0);
    answer.write('{}');
    answer.end();
    expect(await ending).toMatchObject({ status: 200, relayed: { end: 'error_event' } });
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toMatch(/^: keep-alive\n\nevent: error\ndata: \{"type":"error".*\n\n$/);
    client.reset();
  });
});

describe('keep-alives while a stream flows', () => {
  it('are comments between opening events, and stop at the first content for all but anthropic', async () => { // SPEC 6.3
    const { client, answer } = await sent(harness, FORMATS.chat);
    answer.write('data: {"o":1}\n\n', { content: false });
    await harness.clock.advance(15_000);
    await client.seen(': keep-alive\n\n');
    answer.write('data: {"c":1}\n\n');
    await harness.clock.advance(600_000);
    answer.end();
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toBe('data: {"o":1}\n\n: keep-alive\n\ndata: {"c":1}\n\n');
    client.reset();
  });

  it('are pings for anthropic clients after 15 s of silence, never inside an event nor after the last one', async () => { // SPEC 6.3
    const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
    const { client, answer, ending } = await sent(harness, FORMATS.anthropic);
    answer.write('data: 1\n\n');
    await harness.clock.advance(14_000);
    answer.write('data: 2\n\n');
    await harness.clock.advance(14_999);
    expect(client.text()).not.toContain('ping');
    await harness.clock.advance(1);
    await client.seen(ping);
    await harness.clock.advance(15_000);
    await client.seen(`${ping}\r\n23\r\n${ping}`);
    answer.write('data: half', { boundary: false });
    await harness.clock.advance(60_000);
    answer.write(' done\n\n');
    answer.write('data: end\n\n', { terminal: true });
    await harness.clock.advance(60_000);
    answer.end();
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toBe(`data: 1\n\ndata: 2\n\n${ping}${ping}data: half done\n\ndata: end\n\n`);
    // Keep-alives are not counted as answer bytes (SPEC 6.4).
    expect((await ending).bytes).toBe('data: 1\n\ndata: 2\n\ndata: half done\n\ndata: end\n\n'.length);
    client.reset();
  });

  it('are not written on top of bytes that the client has not read', async () => { // SPEC 6.3
    const { client, answer, ending } = await sent(harness, FORMATS.anthropic);
    client.socket.pause();
    const bytes = fill(answer);
    await harness.clock.advance(120_000);
    client.socket.resume();
    await answer.whenDrained();
    answer.end();
    expect((await ending).bytes).toBe(bytes);
    await client.seen('\r\n0\r\n\r\n');
    expect(client.text().includes('ping')).toBe(false);
    client.reset();
  });
});
