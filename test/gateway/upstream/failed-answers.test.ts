import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { anArrival, anEdge, anOrder, anUpstream, unopened } from '../../support/attempts.ts';
import { useUpstreamRig } from '../../support/upstream-rig.ts';

const anthropicError = (type: string, message: string): string => JSON.stringify({ type: 'error', error: { type, message } });

const rig = useUpstreamRig();

describe.each([['streamed', true], ['whole', false]])('an error status to a %s request', (_name, streamed) => {
  const order = (change: Parameters<typeof anOrder>[1] = {}) => anOrder(rig.upstream.url, { arrival: anArrival({ streamed }), ...change });

  // SPEC 4.1, 4.2
  test.each([
    [503, anthropicError('overloaded_error', 'Overloaded'), 'transient', 'overloaded_error'],
    [529, anthropicError('overloaded_error', 'Overloaded'), 'transient', 'overloaded_error'],
    [500, '', 'transient', null],
    [401, anthropicError('authentication_error', 'no'), 'auth', 'authentication_error'],
    [404, anthropicError('not_found_error', 'model: x'), 'model_missing', 'not_found_error'],
    [400, anthropicError('invalid_request_error', 'bad'), 'request', 'invalid_request_error'],
    [429, anthropicError('rate_limit_error', 'slow'), 'rate_limited', 'rate_limit_error'],
    [501, '', 'server', null],
  ])('%i %s is %s', async (status, body, failureClass, code) => {
    rig.upstream.script((call) => call.answer(status, { 'content-type': 'application/json' }, body));
    const { failure, kept, report } = await unopened(rig.edge.open(order()));
    expect(failure).toMatchObject({ class: failureClass, status, where: 'head', sentWhole: true, upstreamId: 'a' });
    if (code !== null) expect(failure.code).toBe(code);
    expect(kept).toMatchObject({ kind: 'http', status, cut: false, wellFormed: body !== '' });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(body);
    expect(report.bytes).toBe(body.length);
  });

  // SPEC 8.4, 10.1
  test('keeps its hint and its headers, but not those of the connection or its length', async () => {
    rig.upstream.script((call) => call.answer(503, {
      'content-type': 'application/json', 'retry-after': '7', 'request-id': 'req_1', 'x-should-retry': 'true', 'set-cookie': 'a=b', 'keep-alive': 'timeout=5', connection: 'keep-alive, x-hop', 'x-hop': '1',
      'proxy-authenticate': 'Basic', trailer: 'x-t', te: 'trailers',
    }, anthropicError('overloaded_error', 'Overloaded')));
    const { failure, kept } = await unopened(rig.edge.open(order()));
    expect(failure.hintMs).toBe(7_000);
    expect(kept?.headers).toEqual([['content-type', 'application/json'], ['retry-after', '7'], ['request-id', 'req_1'], ['x-should-retry', 'true']]);
  });

  // SPEC 4.2, 10.1
  test('whose body is an event is judged by that event, and handed over unchanged to a client that reads events', async () => {
    const body = `: hello\n\nevent: error\r\ndata: ${anthropicError('invalid_request_error', 'bad tool')}\r\n\r\n`;
    rig.upstream.script((call) => call.answer(500, { 'content-type': 'text/event-stream' }, body));
    const { failure, kept } = await unopened(rig.edge.open(order()));
    expect(failure).toMatchObject({ class: 'request', code: 'invalid_request_error', type: 'invalid_request_error', message: 'bad tool', status: 500 });
    expect([kept?.wellFormed, Buffer.from(kept?.body ?? []).toString()]).toEqual([streamed, body]);
  });

  // SPEC 12.5
  test('that is quoted, not handed over, does not repeat what it was sent in secret', async () => {
    rig.upstream.script((call) => call.answer(500, { 'content-type': 'text/plain' }, `no such account: ${call.header('x-api-key') ?? ''}, ${call.header('x-tenant-secret') ?? ''}`));
    const { kept } = await unopened(rig.edge.open(order({ upstream: anUpstream(rig.upstream.url, { headers: { 'x-tenant-secret': 'c4n4ryS3cretValue' } }) })));
    expect(Buffer.from(kept?.body ?? []).toString()).toBe('no such account: [masked], [masked]');
  });

  test('with a page for a body is judged by its status and is not well formed', async () => {
    rig.upstream.script((call) => call.answer(503, { 'content-type': 'text/html' }, '<html>down</html>'));
    expect(await unopened(rig.edge.open(order()))).toMatchObject({ failure: { class: 'transient', status: 503 }, kept: { wellFormed: false } });
  });

  test('with a body of megabytes is cut at 64 KiB and the connection is given up', async () => {
    rig.upstream.script(async (call) => {
      await call.head(500, {});
      for (let n = 0; n < 64; n++) void call.write('x'.repeat(64 * 1024));
    });
    const { failure, kept } = await unopened(rig.edge.open(order()));
    expect(failure.class).toBe('transient');
    expect(kept).toMatchObject({ cut: true, wellFormed: false });
    expect(kept?.body.byteLength).toBe(64 * 1024);
    await (await rig.upstream.call(0)).closed;
  });

  test('whose body does not end is waited for no longer than 2 s', async () => {
    const attempt = rig.edge.open(order());
    const call = await rig.upstream.call(0);
    await call.head(503, {});
    await call.write(anthropicError('overloaded_error', 'Overloaded').slice(0, 40));
    await rig.edge.clock.whenWaits((waits) => waits.includes(2_000));
    await rig.edge.clock.advance(2_000);
    expect(await unopened(attempt)).toMatchObject({ failure: { class: 'transient', status: 503 }, kept: { cut: true, wellFormed: false } });
    await call.closed;
  });

  test('whose body breaks still counts', async () => {
    rig.upstream.script(async (call) => {
      await call.head(529, { 'content-length': '1000' });
      await call.write('{"type":');
      call.reset();
    });
    expect(await unopened(rig.edge.open(order()))).toMatchObject({ failure: { class: 'transient', status: 529, where: 'head' }, kept: { cut: true } });
  });

  // SPEC 1.7
  test.each([
    ['gzip', gzipSync(anthropicError('invalid_request_error', 'bad'))],
    ['br', brotliCompressSync(anthropicError('invalid_request_error', 'bad'))],
    ['gzip that is none', Buffer.from(anthropicError('invalid_request_error', 'bad'))],
  ])('in %s is read and kept as it was meant', async (name, body) => {
    rig.upstream.script((call) => call.answer(500, { 'content-type': 'application/json', 'content-encoding': name.split(' ')[0] ?? '' }, body));
    const { failure, kept } = await unopened(rig.edge.open(order()));
    expect(failure).toMatchObject({ code: 'invalid_request_error', message: 'bad' });
    expect(Buffer.from(kept?.body ?? []).toString()).toBe(anthropicError('invalid_request_error', 'bad'));
    expect(kept?.headers).toEqual([['content-type', 'application/json']]);
    expect(kept?.wellFormed).toBe(true);
  });

  test('that redirects is not followed', async () => {
    rig.upstream.script((call) => call.answer(302, { location: 'http://127.0.0.1:1/' }, 'moved'));
    expect(await unopened(rig.edge.open(order()))).toMatchObject({ failure: { class: 'invalid', code: 'answer.redirect', status: 302 }, kept: { status: 302, wellFormed: false } });
    expect(rig.upstream.calls.length).toBe(1);
  });

  // SPEC 4.7
  test('is what the user says it is', async () => {
    const rules = [
      { upstream: 'other', statuses: [], class: 'auth' as const },
      { upstream: null, statuses: [400], text: 'try later', class: 'transient' as const },
      { upstream: 'a', statuses: [], pattern: 'no+pe', class: 'quota' as const },
    ];
    rig.upstream.script(
      (call) => call.answer(400, {}, anthropicError('invalid_request_error', 'Try later please: try later')),
      (call) => call.answer(503, {}, anthropicError('overloaded_error', 'nooope')),
      (call) => call.answer(503, {}, anthropicError('overloaded_error', 'other')),
    );
    const classes = [];
    for (let round = 0; round < 3; round++) classes.push((await unopened(rig.edge.open(order({ rules })))).failure.class);
    expect(classes).toEqual(['transient', 'quota', 'transient']);
  });
});

describe('an answer that comes while the request is still being sent', () => {
  test('is read, and the connection is not used again', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024, 'z');
    rig.upstream.script(async (call) => {
      call.pauseReading();
      await call.answer(413, { 'content-type': 'application/json' }, anthropicError('request_too_large', 'too large'));
    }, (call) => call.answer(500, {}, ''));
    const { failure } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ bytes: body }) })));
    expect(failure).toMatchObject({ class: 'request', status: 413, sentWhole: false });
    const call = await rig.upstream.call(0);
    call.resumeReading();
    await call.closed;
    await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    expect((await rig.upstream.call(1)).connection).toBe(1);
  });

  test('is read even when the connection is closed behind it', async () => {
    const body = Buffer.alloc(32 * 1024 * 1024, 'z');
    rig.upstream.script(async (call) => {
      await call.bodyReaches(1024);
      await call.answer(413, { connection: 'close' }, anthropicError('request_too_large', 'too large'));
      call.fin();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ bytes: body }) })))).failure).toMatchObject({ class: 'request', status: 413 });
  });
});

describe('a large body', () => {
  test('in pieces comes whole with its length, and its pieces are left as they were', async () => {
    const pieces = [Buffer.from('{"model":'), Buffer.from('"other"'), Buffer.alloc(3 * 1024 * 1024, 'p'), Buffer.from('}')];
    const before = Buffer.concat(pieces);
    rig.upstream.script((call) => call.answer(500, {}, ''));
    const { failure } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { model: 'other', arrival: anArrival({ body: () => pieces }) })));
    expect(failure.sentWhole).toBe(true);
    const call = await rig.upstream.call(0);
    expect((await call.body).equals(before)).toBe(true);
    expect(call.header('content-length')).toBe(String(before.byteLength));
    expect(call.header('transfer-encoding')).toBeUndefined();
    expect(Buffer.concat(pieces).equals(before)).toBe(true);
  });

  test('that is cut off half way was not sent whole', async () => {
    rig.upstream.script(async (call) => {
      await call.bodyReaches(1024);
      call.reset();
    });
    const { failure, report } = await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ bytes: Buffer.alloc(32 * 1024 * 1024, 'z') }) })));
    expect(failure).toMatchObject({ class: 'transient', code: 'head.closed', where: 'head', sentWhole: false });
    expect(report.sentWhole).toBe(false);
  });

  test('that was sent and then met by silence and a reset was sent whole', async () => {
    rig.upstream.script(async (call) => {
      await call.body;
      call.reset();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url, { arrival: anArrival({ bytes: Buffer.alloc(1024 * 1024, 'z') }) })))).failure).toMatchObject({ code: 'head.closed', sentWhole: true });
  });
});

describe('the request', () => {
  const sent = async (change: Parameters<typeof anOrder>[1], credential?: NonNullable<Parameters<typeof anEdge>[0]>['credential']) => {
    const here = anEdge(credential === undefined ? {} : { credential });
    const index = rig.upstream.calls.length;
    rig.upstream.script((call) => call.answer(500, {}, ''));
    await unopened(here.open(anOrder(rig.upstream.url, change)));
    await here.close();
    const call = await rig.upstream.call(index);
    return Object.fromEntries(call.rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));
  };

  // SPEC 1.7
  test.each([
    ['anthropic', 'x-api-key', 'sk-secret-value'], ['chat', 'authorization', 'Bearer sk-secret-value'], ['responses', 'authorization', 'Bearer sk-secret-value'], ['gemini', 'x-goog-api-key', 'sk-secret-value'],
  ] as const)('carries the credential where %s wants it', async (format, name, value) => {
    const headers = await sent({ arrival: anArrival({ format }) });
    expect(headers).toEqual({
      host: new URL(rig.upstream.url).host, connection: 'keep-alive', 'content-type': 'application/json', 'accept-encoding': 'identity', 'content-length': '32', [name]: value,
    });
  });

  test('carries what is configured on the upstream, which wins', async () => {
    const headers = await sent({ upstream: anUpstream(rig.upstream.url, { headers: { 'X-Api-Key': 'mine', 'User-Agent': 'own/1', 'x-more': 'yes', Host: 'evil', 'Content-Length': '1' } }), arrival: anArrival({ headers: { 'content-type': 'application/json', 'user-agent': 'client/1' } }) });
    expect(headers).toMatchObject({ 'x-api-key': 'mine', 'user-agent': 'own/1', 'x-more': 'yes', host: new URL(rig.upstream.url).host, 'content-length': '32' });
  });

  // SPEC 2.4
  test('carries the client\'s own headers and credential only when the upstream is set up so', async () => {
    const clientHeaders = { 'content-type': 'application/json', authorization: 'Bearer of-the-client', 'x-custom': '1', cookie: 'no', origin: 'no', referer: 'no', host: 'no', te: 'trailers', expect: '100-continue', 'accept-encoding': 'br' };
    const arrival = anArrival({ headers: { 'content-type': 'application/json', authorization: 'Bearer leaked' }, clientHeaders });
    const own = await sent({ arrival }, { kind: 'client' });
    expect(own).toMatchObject({ authorization: 'Bearer of-the-client', 'x-custom': '1', 'accept-encoding': 'identity', host: new URL(rig.upstream.url).host });
    for (const name of ['cookie', 'origin', 'referer', 'te', 'expect', 'x-api-key']) expect(own).not.toHaveProperty(name);
    const stored = await sent({ arrival });
    expect(stored).not.toHaveProperty('authorization');
    expect(stored).not.toHaveProperty('x-custom');
    expect(await sent({ arrival }, { kind: 'none' })).not.toHaveProperty('authorization');
  });

  test('goes below the path of the base URL', async () => {
    rig.upstream.script((call) => call.answer(500, {}, ''));
    await unopened(rig.edge.open(anOrder(`${rig.upstream.url}/api/anthropic/v1/`, { arrival: anArrival({ target: () => '/v1/messages?beta=true&x=%2F' }) })));
    expect((await rig.upstream.call(0)).target).toBe('/api/anthropic/v1/messages?beta=true&x=%2F');
  });

  test.each(['credential.sealed', 'credential.env_missing', 'credential.missing'])('is not sent when its credential cannot be had: %s', async (code) => {
    const here = anEdge({ credential: { kind: 'unusable', code } });
    expect((await unopened(here.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'auth', code, where: 'connect', sentWhole: false });
    expect(rig.upstream.accepted()).toBe(0);
  });
});
