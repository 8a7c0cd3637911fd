import { describe, expect, it } from 'vitest';
import type { SentEnding } from '../../../main/gateway/ports.ts';
import { drivenAnswer, NOTES, RELAYED, wholeAnswer } from './support/harness.ts';
import type { Harness, Run } from './support/harness.ts';
import { sharedHarness } from './support/shared-harness.ts';
import { endsProperly, parseResponse, rawClient, requestText } from './support/raw-client.ts';
import type { RawClient } from './support/raw-client.ts';
import { failure, fill, FORMATS, sent, session, STREAM } from './support/session.ts';

const KEY = { 'x-api-key': 'hf-test' };
let harness: Harness;
sharedHarness({}, (made) => { harness = made; });

describe('cut answers', () => {
  it.each([
    ['anthropic', FORMATS.anthropic, /^data: 1\n\nevent: error\ndata: (\{.*\})\n\n$/, { type: 'error', error: { type: 'api_error', message: '[Holdfast] A broke off in the middle of its answer: the connection broke' } }],
    ['chat', FORMATS.chat, /^data: 1\n\ndata: (\{.*\})\n\n$/, { error: { type: 'server_error', code: 'stream_broken' } }],
    ['responses', FORMATS.responses, /^data: 1\n\nevent: response\.failed\ndata: (\{.*\})\n\n$/, { type: 'response.failed', sequence_number: 8, response: { id: 'resp_1', status: 'failed', model: 'm-real', created_at: 1_795_996_801 } }],
    ['gemini', FORMATS.gemini, /^data: 1\n\ndata: (\{.*\})\r\n\r\n$/, { error: { code: 502 } }],
  ])('end with an error event of the format %s, and with no end mark', async (name, path, shape, error) => { // SPEC 10.3
    const { client, answer, ending } = await sent(harness, path);
    answer.write('data: 1\n\n');
    answer.end({ end: 'cut', failure: failure(), position: { events: 1, sequence: 7, responseId: 'resp_1', model: 'm-real' } });
    expect(await ending).toMatchObject({ status: 200, clientGone: false });
    const text = await client.seen('0\r\n\r\n');
    const body = parseResponse(text).body;
    expect(body).toMatch(shape);
    expect(JSON.parse(shape.exec(body)?.[1] ?? '')).toMatchObject(name === 'responses' ? { ...error, response: { ...(error as { response: object }).response, created_at: expect.any(Number) as number } } : error);
    expect(text).not.toContain('invalid_request');
    expect(text).not.toContain('[DONE]');
    if (name === 'responses') await client.closed();
    client.reset();
  });

  it('of a Gemini array stay JSON and end with the error', async () => { // SPEC 10.3
    const { client, answer } = await sent(harness, FORMATS.array, {}, drivenAnswer({ headers: [['content-type', 'application/json']] }));
    answer.write('[{"a":1}');
    answer.end({ end: 'cut', failure: failure({ class: 'timeout', code: 'timeout.idle' }), position: { events: 1, sequence: null, responseId: null, model: null } });
    expect(JSON.parse(parseResponse(await client.seen('0\r\n\r\n')).body)).toMatchObject([{ a: 1 }, { error: { code: 504, status: 'DEADLINE_EXCEEDED' } }]);
    client.reset();
  });

  it('that stop inside an event end without the end of the response', async () => { // SPEC 10.3
    const { client, answer, ending } = await sent(harness, FORMATS.chat);
    answer.write('data: 1\n\ndata: {"half', { boundary: false });
    await client.seen('half');
    answer.end({ end: 'cut', failure: failure() });
    expect(await ending).toMatchObject({ status: 200, clientGone: false });
    expect(endsProperly(await client.closed())).toBe(false);
  });

  it.each([[[['content-type', 'application/json'], ['content-length', '100']] as const], [[['content-type', 'application/json']] as const]])('that are whole answers destroy the connection: %j', async (headers) => { // SPEC 10.3
    const answer = drivenAnswer({ stream: false, headers });
    const { client, ending, send } = await session(harness, FORMATS.chat, {}, '{"model":"m"}', answer);
    send();
    await harness.clock.advance(0);
    answer.write('{"half":', { boundary: false });
    await client.seen('{"half":');
    answer.end({ end: 'cut', failure: failure() });
    expect(await ending).toMatchObject({ status: 200, bytes: 8, clientGone: false });
    expect(endsProperly(await client.closed())).toBe(false);
  });

  it('to HTTP/1.0, where the end is the end of the connection, end with a reset', async () => { // SPEC 10.3
    const answer = drivenAnswer({ stream: false, headers: [['content-type', 'application/json']] });
    harness.script = async ({ reply }) => { await reply.send(answer.opened, NOTES); };
    const client = await rawClient(harness.port);
    const reset = new Promise<NodeJS.ErrnoException>((resolve) => { client.socket.once('error', resolve); });
    client.send(requestText(`POST ${FORMATS.chat}`, KEY, '{"model":"m"}').replace('HTTP/1.1', 'HTTP/1.0'));
    await harness.whenRuns(1);
    answer.write('{"half":', { boundary: false });
    await client.seen('{"half":');
    answer.end({ end: 'cut', failure: failure() });
    expect((await reset).code).toBe('ECONNRESET');
  });

  it('with the upstream\u2019s own error event get nothing of ours', async () => { // SPEC 10.3
    const { client, answer, ending } = await sent(harness, FORMATS.responses);
    answer.write('data: 1\n\nevent: error\ndata: {"type":"error"}\n\n');
    answer.end({ end: 'error_event', failure: failure({ code: 'server_error' }) });
    expect(await ending).toMatchObject({ status: 200, relayed: { end: 'error_event' } });
    const text = await client.closed();
    expect(endsProperly(text)).toBe(true);
    expect(parseResponse(text).body).toBe('data: 1\n\nevent: error\ndata: {"type":"error"}\n\n');
  });

  it('with an error in a Gemini array get its bracket and no second one', async () => { // SPEC 10.3
    for (const tail of ['', ' \n]', ']']) {
      harness.runs.length = 0;
      const { client, answer } = await sent(harness, FORMATS.array, {}, drivenAnswer({ headers: [] }));
      answer.write('[{"a":1},{"error":{"code":503}}');
      if (tail !== '') answer.write(tail);
      answer.end({ end: 'error_event', failure: failure() });
      expect(JSON.parse(parseResponse(await client.seen('\r\n0\r\n\r\n')).body)).toEqual([{ a: 1 }, { error: { code: 503 } }]);
      client.reset();
    }
  });

  it('that the gateway ends itself say so', async () => { // SPEC 17
    const { client, answer } = await sent(harness, FORMATS.anthropic);
    answer.write('data: 1\n\n');
    answer.end({ ...RELAYED, end: 'gone' });
    expect(parseResponse(await client.seen('0\r\n\r\n')).body).toContain('"message":"[Holdfast] The gateway ended this answer');
    client.reset();
  });
});

describe('a client that leaves', () => {
  it.each(['reset', 'close', 'half-close'])('by %s is gone at once: waiting, relaying, blocked', async (way) => { // SPEC 1.1, 3
    const leave = (client: RawClient): void => {
      if (way === 'reset') client.reset();
      else if (way === 'close') client.socket.destroy();
      else client.socket.end();
    };
    const gone = (run: Run): Promise<void> => new Promise((resolve) => {
      if (run.reply.gone.aborted) resolve();
      else run.reply.gone.addEventListener('abort', () => { resolve(); });
    });
    const waiting = await session(harness, FORMATS.anthropic);
    leave(waiting.client);
    await gone(waiting.run);
    harness.runs.length = 0;
    const relaying = await sent(harness, FORMATS.anthropic);
    relaying.answer.write('data: 1\n\n');
    leave(relaying.client);
    await gone(relaying.run);
    expect(relaying.answer.write('data: 2\n\n')).toBe(true);
    relaying.answer.end({ end: 'gone' });
    expect(await relaying.ending).toMatchObject({ status: 499, clientGone: true, bytes: 9 });
    harness.runs.length = 0;
    const blocked = await sent(harness, FORMATS.chat);
    blocked.client.socket.pause();
    fill(blocked.answer);
    leave(blocked.client);
    await gone(blocked.run);
    blocked.answer.end({ end: 'gone' });
    expect(await blocked.ending).toMatchObject({ status: 499, clientGone: true });
    expect(harness.clock.pending()).toBe(0);
  });

  it('behind a pipelined request is seen, too', async () => { // SPEC 1.1
    harness.script = ({ reply }) => new Promise((resolve) => { reply.gone.addEventListener('abort', () => { resolve(); }); });
    const client = await rawClient(harness.port);
    client.send(requestText(`POST ${FORMATS.chat}`, KEY, STREAM).repeat(3));
    await harness.whenRuns(3);
    client.reset();
    await Promise.all(harness.runs.map(({ reply }) => new Promise<void>((resolve) => {
      if (reply.gone.aborted) resolve();
      else reply.gone.addEventListener('abort', () => { resolve(); });
    })));
  });

  it('after its answer has left nothing to end', async () => { // SPEC 12.1
    const client = await rawClient(harness.port);
    let ending: SentEnding | null = null;
    harness.script = async ({ reply }) => { ending = await reply.send(wholeAnswer('{"a":1}'), NOTES); };
    client.send(requestText(`POST ${FORMATS.chat}`, KEY, '{"model":"m"}'));
    await client.seen('{"a":1}');
    client.socket.end();
    await client.closed();
    expect(ending).toMatchObject({ status: 200, clientGone: false, bytes: 7 });
    expect(harness.runs[0]?.reply.gone.aborted).toBe(false);
  });
});
