import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anArrival, anEdge, anOrder, anUpstream, opened, relayed, unopened } from '../../support/attempts.ts';
import { startScriptedProxy, type ScriptedProxy } from '../../support/scripted-proxy.ts';
import { startScriptedUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.ts';

const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const ANSWER = '{"id":"m","type":"message","role":"assistant","model":"m-test","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}';
const whole = () => anArrival({ streamed: false });
// The library takes a connection back one turn of the loop after its answer.
const takenBack = () => new Promise<void>((resolve) => { setImmediate(() => setImmediate(resolve)); });

let upstream: ScriptedUpstream;
let edge: ReturnType<typeof anEdge>;
beforeEach(async () => {
  upstream = await startScriptedUpstream();
  upstream.otherwise((call) => call.answer(200, {}, ANSWER));
  edge = anEdge();
});
afterEach(async () => {
  expect(edge.clock.pending(), 'timers left').toBe(0);
  await edge.close();
  await upstream.whenOpen(0);
  expect(edge.openConnections()).toBe(0);
  await upstream.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => { server.close(() => resolve()); });
  return port;
}

describe('a connection that cannot be made', () => {
  // SPEC 4.5
  test('because nobody listens is refused', async () => {
    const { failure, report } = await unopened(edge.open(anOrder(`http://127.0.0.1:${await freePort()}`)));
    expect(failure).toMatchObject({ class: 'transient', code: 'connect.refused', where: 'connect', sentWhole: false, status: null });
    expect(failure.message).toMatch(/^connection refused \(connect ECONNREFUSED/);
    expect(report).toMatchObject({ sentWhole: false, resent: false, bytes: 0 });
  });

  test('by name, on both families, is refused too', async () => {
    expect((await unopened(edge.open(anOrder(`http://localhost:${await freePort()}`)))).failure).toMatchObject({ class: 'transient', code: 'connect.refused', where: 'connect' });
  });

  test('because the name is not known', async () => {
    expect((await unopened(edge.open(anOrder('http://no-such-host.invalid')))).failure).toMatchObject({ class: 'transient', code: 'connect.dns', where: 'connect', sentWhole: false });
  });

  test.each([
    ['not an address', 'bad_address'],
    ['ftp://host', 'bad_address'],
    ['http://127.0.0.1:4653', 'bad_address.self'],
    ['http://localhost:4653/v1', 'bad_address.self'],
    ['http://[::1]:4653', 'bad_address.self'],
  ])('because %s is no address to ask', async (address, code) => {
    const here = anEdge({ ownPorts: () => [4653] });
    const { failure } = await unopened(here.open(anOrder(address)));
    expect(failure).toMatchObject({ class: 'bad_address', code, where: 'connect', sentWhole: false });
    await here.close();
  });

  test('because a header cannot be sent', async () => {
    const order = anOrder(upstream.url, { arrival: anArrival({ headers: { 'x-bad': 'a\u0000b' } }) });
    expect((await unopened(edge.open(order))).failure).toMatchObject({ class: 'bad_address', code: 'bad_address', where: 'connect' });
    expect(upstream.accepted()).toBe(0);
  });

  test('because the secure handshake hangs is given up in time', async () => {
    const hasty = anEdge({ connectTimeoutMs: 300 });
    upstream.connections('hang');
    const { failure } = await unopened(hasty.open(anOrder(upstream.url.replace('http:', 'https:'))));
    expect(failure).toMatchObject({ class: 'transient', code: 'connect.timeout', where: 'connect', sentWhole: false });
    await hasty.close();
  });

  test('because the secure handshake is reset', async () => {
    upstream.connections('reset');
    expect((await unopened(edge.open(anOrder(upstream.url.replace('http:', 'https:'))))).failure).toMatchObject({ class: 'transient', code: 'connect.tls', where: 'connect' });
  });

  test('because the other side does not speak TLS is the fault of the address', async () => {
    const plain = createServer((socket) => { socket.on('error', () => undefined).resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'); });
    await new Promise<void>((resolve) => { plain.listen(0, '127.0.0.1', resolve); });
    const { failure } = await unopened(edge.open(anOrder(`https://127.0.0.1:${(plain.address() as AddressInfo).port}`)));
    expect(failure).toMatchObject({ class: 'bad_address', code: 'tls.protocol' });
    await new Promise<void>((resolve) => { plain.close(() => resolve()); });
  });
});

describe('a secure upstream', () => {
  const serve = (name: string) => startScriptedUpstream({ tls: { key: pem(`${name}.key`), cert: pem(`${name}.pem`) } });

  test('whose authority is trusted answers', async () => {
    const secure = await serve('loopback');
    secure.otherwise((call) => call.answer(200, {}, ANSWER));
    const trusting = anEdge({ certificates: [pem('ca.pem')] });
    for (let round = 0; round < 2; round++) {
      expect((await relayed(trusting.open(anOrder(secure.url, { arrival: whole() })))).sink.text()).toBe(ANSWER);
      await takenBack();
    }
    expect(secure.accepted()).toBe(1);
    await trusting.close();
    await secure.close();
  });

  // SPEC 4.1
  test('whose certificate is not trusted, or for another name, is refused for good', async () => {
    const [known, other] = [await serve('loopback'), await serve('elsewhere')];
    const trusting = anEdge({ certificates: [pem('ca.pem')] });
    const untrusted = await unopened(edge.open(anOrder(known.url)));
    const misnamed = await unopened(trusting.open(anOrder(other.url)));
    for (const { failure } of [untrusted, misnamed]) expect(failure).toMatchObject({ class: 'bad_address', code: 'tls.certificate', where: 'connect', sentWhole: false });
    await trusting.close();
    await known.close();
    await other.close();
  });

  test('that resets a reused connection is asked again on a new one', async () => {
    const secure = await serve('loopback');
    const trusting = anEdge({ certificates: [pem('ca.pem')] });
    secure.script((call) => call.answer(200, {}, ANSWER), (call) => { call.reset(); }, (call) => call.answer(200, {}, ANSWER));
    await relayed(trusting.open(anOrder(secure.url, { arrival: whole() })));
    await takenBack();
    expect((await relayed(trusting.open(anOrder(secure.url, { arrival: whole() })))).end.report.resent).toBe(true);
    await trusting.close();
    await secure.close();
  });
});

describe('before the head', () => {
  // SPEC 4.5
  test.each([
    ['reset at once', 'reset'], ['closed at once', 'fin'],
  ] as const)('a new connection that is %s is transient and not sent again by itself', async (_name, plan) => {
    upstream.connections(plan);
    const { failure, report } = await unopened(edge.open(anOrder(upstream.url)));
    // A reset can overtake the news that the connection stands.
    expect(failure).toMatchObject({ class: 'transient', status: null });
    expect(['head.closed', 'connect.reset']).toContain(failure.code);
    expect(report.resent).toBe(false);
    expect(upstream.accepted()).toBe(1);
  });

  test.each([
    ['half a status line', 'HTTP/1.1 20', 'head.closed', 'transient'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-ty', 'head.closed', 'transient'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello', 'head.malformed', 'invalid'],
    ['garbage', 'SSH-2.0-OpenSSH_9.2\r\n', 'head.malformed', 'invalid'],
  ])('%s is told apart', async (_name, bytes, code, failureClass) => {
    upstream.script(async (call) => {
      await call.raw(bytes);
      call.fin();
    });
    expect((await unopened(edge.open(anOrder(upstream.url)))).failure).toMatchObject({ class: failureClass, code, where: 'head', status: null });
  });

  test('a reset in the head is transient', async () => {
    upstream.script(async (call) => {
      await call.raw('HTTP/1.1 200 OK\r\nx-a: b');
      call.reset();
    });
    expect((await unopened(edge.open(anOrder(upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'head.closed', where: 'head' });
  });

  test('headers of 20 KB pass, 200 KB and endless ones are one clear failure', async () => {
    upstream.script(
      (call) => call.answer(200, { 'x-large': 'l'.repeat(20_000) }, ANSWER),
      (call) => call.answer(200, { 'x-large': 'l'.repeat(200_000) }, ANSWER),
      async (call) => {
        await call.raw('HTTP/1.1 200 OK\r\n');
        for (let n = 0; n < 5_000; n++) void call.raw(`x-${n}: ${'v'.repeat(50)}\r\n`);
      },
    );
    const order = anOrder(upstream.url, { arrival: whole() });
    expect((await opened(edge.open(order))).headers.find(([name]) => name === 'x-large')?.[1].length).toBe(20_000);
    for (let round = 0; round < 2; round++) expect((await unopened(edge.open(order))).failure).toMatchObject({ class: 'invalid', code: 'head.too_large', where: 'head' });
  });

  test('interim responses that nobody asked for are no answer', async () => {
    upstream.script(
      (call) => call.raw(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`),
      async (call) => {
        for (const byte of `HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`) await call.raw(byte);
      },
    );
    for (let round = 0; round < 2; round++) {
      const { opened: answer, sink } = await relayed(edge.open(anOrder(upstream.url, { arrival: whole() })));
      expect([answer.status, sink.text()]).toEqual([200, ANSWER]);
      expect(answer.headers).toEqual([['content-length', String(ANSWER.length)]]);
    }
    expect((await upstream.call(0)).header('expect')).toBeUndefined();
  });

  test('an upgrade that nobody asked for is a failure', async () => {
    upstream.script((call) => call.raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'));
    expect((await unopened(edge.open(anOrder(upstream.url)))).failure).toMatchObject({ where: 'head' });
  });
});

describe('a reused connection', () => {
  const order = () => anOrder(upstream.url, { arrival: whole() });

  // SPEC 4.6
  test.each([
    ['reset', (call: { reset(): void }) => { call.reset(); }],
    ['closed', (call: { fin(): void }) => { call.fin(); }],
  ])('that is %s before any byte of the answer is sent again at once on a new one, once', async (_name, stop) => {
    upstream.script((call) => call.answer(200, {}, ANSWER), stop, (call) => call.answer(200, {}, ANSWER));
    await relayed(edge.open(order()));
    await takenBack();
    const { sink, end } = await relayed(edge.open(order()));
    expect(sink.text()).toBe(ANSWER);
    expect(end.report).toMatchObject({ resent: true, sentWhole: true });
    expect(upstream.calls.map((call) => [call.connection, call.indexOnConnection])).toEqual([[0, 0], [0, 1], [1, 0]]);
    expect((await upstream.call(2)).headBytes.toString()).toContain('connection: close');
    expect((await (await upstream.call(2)).body).equals(await (await upstream.call(1)).body)).toBe(true);
  });

  test('is sent again only once per attempt', async () => {
    upstream.script((call) => call.answer(200, {}, ANSWER), (call) => { call.reset(); }, (call) => { call.reset(); });
    await relayed(edge.open(order()));
    await takenBack();
    const { failure, report } = await unopened(edge.open(order()));
    expect(failure).toMatchObject({ class: 'transient', code: 'head.closed', where: 'head' });
    expect(report.resent).toBe(true);
    expect(upstream.calls.length).toBe(3);
  });

  test('that breaks after a byte of the answer is not sent again', async () => {
    upstream.script((call) => call.answer(200, {}, ANSWER), async (call) => {
      await call.raw('HTTP/1.1 200 O');
      call.reset();
    });
    await relayed(edge.open(order()));
    await takenBack();
    expect((await unopened(edge.open(order()))).report.resent).toBe(false);
    expect(upstream.calls.length).toBe(2);
  });

  test('is not used again once connections were dropped, and running answers go on', async () => {
    upstream.script((call) => call.answer(200, {}, ANSWER));
    await relayed(edge.open(order()));
    await takenBack();
    upstream.script(async (call) => {
      await call.head(200, { 'content-length': String(ANSWER.length) });
      await call.write(ANSWER.slice(0, 10));
    });
    const running = edge.open(order());
    const call = await upstream.call(1);
    edge.dropConnections();
    await relayed(edge.open(order()));
    expect((await upstream.call(2)).connection).toBe(1);
    await call.write(ANSWER.slice(10));
    expect((await relayed(running)).sink.text()).toBe(ANSWER);
  });
});

describe('through a proxy', () => {
  let proxy: ScriptedProxy;
  beforeEach(async () => { proxy = await startScriptedProxy(); });
  afterEach(async () => {
    await edge.close();
    await proxy.close();
  });
  const far = (address: string, setting: string) => anOrder(address, { arrival: whole(), upstream: anUpstream(address, { proxy: setting }) });

  // SPEC 2.6
  test('a plain upstream is reached by a tunnel, and the connection is used again', async () => {
    const address = `http://upstream.test:${upstream.port}`;
    for (let round = 0; round < 2; round++) {
      expect((await relayed(edge.open(far(address, proxy.url.replace('//', '//us%40er:pa:ss@'))))).sink.text()).toBe(ANSWER);
      await takenBack();
    }
    expect(proxy.asked.length).toBe(1);
    expect(proxy.asked[0]).toMatch(new RegExp(`^CONNECT upstream.test:${upstream.port} HTTP/1.1\r\nhost: upstream.test:${upstream.port}\r\n`));
    expect(proxy.asked[0]).toContain(`proxy-authorization: Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`);
    expect((await upstream.call(0)).header('host')).toBe(`upstream.test:${upstream.port}`);
    expect((await upstream.call(0)).header('proxy-authorization')).toBeUndefined();
  });

  test('a secure upstream is reached by a tunnel with the names of both ends right', async () => {
    const secure = await startScriptedUpstream({ tls: { key: pem('loopback.key'), cert: pem('loopback.pem') } });
    secure.otherwise((call) => call.answer(200, {}, ANSWER));
    const trusting = anEdge({ certificates: [pem('ca.pem')], proxyVariables: () => ({ HTTPS_PROXY: proxy.url }) });
    expect((await relayed(trusting.open(far(`https://upstream.test:${secure.port}`, 'system')))).sink.text()).toBe(ANSWER);
    const wrong = await unopened(trusting.open(far(`https://elsewhere.test:${secure.port}`, 'system')));
    expect(wrong.failure).toMatchObject({ class: 'bad_address', code: 'tls.certificate' });
    await trusting.close();
    await secure.close();
  });

  test.each([
    ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'bad_address', 'bad_address.proxy'],
    ['HTTP/1.1 403 Forbidden\r\n\r\n', 'bad_address', 'bad_address.proxy'],
    ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'transient', 'connect.proxy'],
    ['hello\r\n\r\n', 'bad_address', 'bad_address.proxy'],
    ['close', 'transient', 'connect.proxy'],
  ])('that answers %j the failure says whose it is', async (answer, failureClass, code) => {
    proxy.refuse(answer);
    const { failure } = await unopened(edge.open(far(`http://upstream.test:${upstream.port}`, proxy.url)));
    expect(failure).toMatchObject({ class: failureClass, code, where: 'connect', sentWhole: false });
    expect(upstream.accepted()).toBe(0);
  });

  test('loopback is never asked for, and the gateway itself is passed by with a warning', async () => {
    const careful = anEdge({ proxyVariables: () => ({ HTTP_PROXY: proxy.url }), ownPorts: () => [Number(new URL(proxy.url).port)] });
    await relayed(careful.open(far(upstream.url, 'system')));
    expect((await unopened(careful.open(far('http://no-such-host.invalid', 'system')))).failure.code).toBe('connect.dns');
    expect(careful.log.lines.join()).toContain('points at the gateway itself');
    expect(proxy.asked).toEqual([]);
    await careful.close();
  });

  test('of a kind that is not supported the failure is clear', async () => {
    expect((await unopened(edge.open(far('http://upstream.test', 'socks5://127.0.0.1:1080')))).failure).toMatchObject({ class: 'bad_address', code: 'bad_address.proxy', message: expect.stringContaining('SOCKS') });
  });
});
