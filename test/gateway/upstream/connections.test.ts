import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anEdge, anOrder, opened, relayed, unopened } from '../../support/attempts.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { takenBack, useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();
beforeEach(() => { rig.upstream.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER)); });
const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const whole = () => anArrival({ streamed: false });

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
    const { failure, report } = await unopened(rig.edge.open(anOrder(`http://127.0.0.1:${await freePort()}`)));
    expect(failure).toMatchObject({ class: 'transient', code: 'connect.refused', where: 'connect', sentWhole: false, status: null });
    expect(failure.message).toMatch(/^connection refused \(connect ECONNREFUSED/);
    expect(report).toMatchObject({ sentWhole: false, resent: false, bytes: 0 });
  });

  test('by name, on both families, is refused too', async () => {
    expect((await unopened(rig.edge.open(anOrder(`http://localhost:${await freePort()}`)))).failure).toMatchObject({ class: 'transient', code: 'connect.refused', where: 'connect' });
  });

  test.each(['127.0.0.1', '::1'])('is none when localhost listens only on %s', async (host) => {
    const local = await startScriptedUpstream({ host });
    local.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
    for (const name of ['localhost', 'models.localhost']) expect((await relayed(rig.edge.open(anOrder(`http://${name}:${local.port}`, { arrival: whole() })))).sink.text()).toBe(WHOLE_ANSWER);
    await rig.edge.close();
    await local.close();
  });

  test('because the name is not known', async () => {
    expect((await unopened(rig.edge.open(anOrder('http://no-such-host.invalid')))).failure).toMatchObject({ class: 'transient', code: 'connect.dns', where: 'connect', sentWhole: false });
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
    const order = anOrder(rig.upstream.url, { arrival: anArrival({ headers: { 'x-bad': 'a\u0000b' } }) });
    expect((await unopened(rig.edge.open(order))).failure).toMatchObject({ class: 'bad_address', code: 'bad_address', where: 'connect' });
    expect(rig.upstream.accepted()).toBe(0);
  });

  test('because the secure handshake hangs is given up in time', async () => {
    const hasty = anEdge({ connectTimeoutMs: 300 });
    rig.upstream.connections('hang');
    const { failure } = await unopened(hasty.open(anOrder(rig.upstream.url.replace('http:', 'https:'))));
    expect(failure).toMatchObject({ class: 'transient', code: 'connect.timeout', where: 'connect', sentWhole: false });
    await hasty.close();
  });

  test('because the secure handshake is reset', async () => {
    rig.upstream.connections('reset');
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url.replace('http:', 'https:'))))).failure).toMatchObject({ class: 'transient', code: 'connect.tls', where: 'connect' });
  });

  test('because the other side does not speak TLS is the fault of the address', async () => {
    const plain = createServer((socket) => { socket.on('error', () => undefined).resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'); });
    await new Promise<void>((resolve) => { plain.listen(0, '127.0.0.1', resolve); });
    const { failure } = await unopened(rig.edge.open(anOrder(`https://127.0.0.1:${(plain.address() as AddressInfo).port}`)));
    expect(failure).toMatchObject({ class: 'bad_address', code: 'tls.protocol' });
    await new Promise<void>((resolve) => { plain.close(() => resolve()); });
  });
});

describe('a secure upstream', () => {
  const serve = (name: string) => startScriptedUpstream({ tls: { key: pem(`${name}.key`), cert: pem(`${name}.pem`) } });

  test('whose authority is trusted answers', async () => {
    const secure = await serve('loopback');
    secure.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
    const trusting = anEdge({ certificates: [pem('ca.pem')] });
    for (let round = 0; round < 2; round++) {
      expect((await relayed(trusting.open(anOrder(secure.url, { arrival: whole() })))).sink.text()).toBe(WHOLE_ANSWER);
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
    const untrusted = await unopened(rig.edge.open(anOrder(known.url)));
    const misnamed = await unopened(trusting.open(anOrder(other.url)));
    for (const { failure } of [untrusted, misnamed]) expect(failure).toMatchObject({ class: 'bad_address', code: 'tls.certificate', where: 'connect', sentWhole: false });
    await trusting.close();
    await known.close();
    await other.close();
  });

  test('that resets a reused connection is asked again on a new one', async () => {
    const secure = await serve('loopback');
    const trusting = anEdge({ certificates: [pem('ca.pem')] });
    secure.script((call) => call.answer(200, {}, WHOLE_ANSWER), (call) => { call.reset(); }, (call) => call.answer(200, {}, WHOLE_ANSWER));
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
    rig.upstream.connections(plan);
    const { failure, report } = await unopened(rig.edge.open(anOrder(rig.upstream.url)));
    // A reset can overtake the news that the connection stands.
    expect(failure).toMatchObject({ class: 'transient', status: null });
    expect(['head.closed', 'connect.reset']).toContain(failure.code);
    expect(report.resent).toBe(false);
    expect(rig.upstream.accepted()).toBe(1);
  });

  test.each([
    ['half a status line', 'HTTP/1.1 20', 'head.closed', 'transient'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-ty', 'head.closed', 'transient'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello', 'head.malformed', 'invalid'],
    ['garbage', 'SSH-2.0-OpenSSH_9.2\r\n', 'head.malformed', 'invalid'],
  ])('%s is told apart', async (_name, bytes, code, failureClass) => {
    rig.upstream.script(async (call) => {
      await call.raw(bytes);
      call.fin();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: failureClass, code, where: 'head', status: null });
  });

  test('a reset in the head is transient', async () => {
    rig.upstream.script(async (call) => {
      await call.raw('HTTP/1.1 200 OK\r\nx-a: b');
      call.reset();
    });
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ class: 'transient', code: 'head.closed', where: 'head' });
  });

  test('headers of 20 KB pass, 200 KB and endless ones are one clear failure', async () => {
    rig.upstream.script(
      (call) => call.answer(200, { 'x-large': 'l'.repeat(20_000) }, WHOLE_ANSWER),
      (call) => call.answer(200, { 'x-large': 'l'.repeat(200_000) }, WHOLE_ANSWER),
      async (call) => {
        await call.raw('HTTP/1.1 200 OK\r\n');
        for (let n = 0; n < 5_000; n++) void call.raw(`x-${n}: ${'v'.repeat(50)}\r\n`);
      },
    );
    const order = anOrder(rig.upstream.url, { arrival: whole() });
    expect((await opened(rig.edge.open(order))).headers.find(([name]) => name === 'x-large')?.[1].length).toBe(20_000);
    for (let round = 0; round < 2; round++) expect((await unopened(rig.edge.open(order))).failure).toMatchObject({ class: 'invalid', code: 'head.too_large', where: 'head' });
  });

  test('interim responses that nobody asked for are no answer', async () => {
    rig.upstream.script(
      (call) => call.raw(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${WHOLE_ANSWER.length}\r\n\r\n${WHOLE_ANSWER}`),
      async (call) => {
        for (const byte of `HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${WHOLE_ANSWER.length}\r\n\r\n${WHOLE_ANSWER}`) await call.raw(byte);
      },
    );
    for (let round = 0; round < 2; round++) {
      const { opened: answer, sink } = await relayed(rig.edge.open(anOrder(rig.upstream.url, { arrival: whole() })));
      expect([answer.status, sink.text()]).toEqual([200, WHOLE_ANSWER]);
      expect(answer.headers).toEqual([['content-length', String(WHOLE_ANSWER.length)]]);
    }
    expect((await rig.upstream.call(0)).header('expect')).toBeUndefined();
  });

  test('an upgrade that nobody asked for is a failure', async () => {
    rig.upstream.script((call) => call.raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'));
    expect((await unopened(rig.edge.open(anOrder(rig.upstream.url)))).failure).toMatchObject({ where: 'head' });
  });
});

describe('a reused connection', () => {
  const order = () => anOrder(rig.upstream.url, { arrival: whole() });

  // SPEC 4.6
  test.each([
    ['reset', (call: { reset(): void }) => { call.reset(); }],
    ['closed', (call: { fin(): void }) => { call.fin(); }],
  ])('that is %s before any byte of the answer is sent again at once on a new one, once', async (_name, stop) => {
    rig.upstream.script((call) => call.answer(200, {}, WHOLE_ANSWER), stop, (call) => call.answer(200, {}, WHOLE_ANSWER));
    await relayed(rig.edge.open(order()));
    await takenBack();
    const { sink, end } = await relayed(rig.edge.open(order()));
    expect(sink.text()).toBe(WHOLE_ANSWER);
    expect(end.report).toMatchObject({ resent: true, sentWhole: true });
    expect(rig.upstream.calls.map((call) => [call.connection, call.indexOnConnection])).toEqual([[0, 0], [0, 1], [1, 0]]);
    expect((await rig.upstream.call(2)).headBytes.toString()).toContain('connection: close');
    expect((await (await rig.upstream.call(2)).body).equals(await (await rig.upstream.call(1)).body)).toBe(true);
  });

  test('is sent again only once per attempt', async () => {
    rig.upstream.script((call) => call.answer(200, {}, WHOLE_ANSWER), (call) => { call.reset(); }, (call) => { call.reset(); });
    await relayed(rig.edge.open(order()));
    await takenBack();
    const { failure, report } = await unopened(rig.edge.open(order()));
    expect(failure).toMatchObject({ class: 'transient', code: 'head.closed', where: 'head' });
    expect(report.resent).toBe(true);
    expect(rig.upstream.calls.length).toBe(3);
  });

  test('that is closed for good was sent all the same, when no new one can be made', async () => {
    rig.upstream.script((call) => call.answer(200, {}, WHOLE_ANSWER), async (call) => {
      await call.body;
      rig.upstream.connections('reset');
      call.reset();
    });
    await relayed(rig.edge.open(order()));
    await takenBack();
    const { failure, report } = await unopened(rig.edge.open(order()));
    expect(failure).toMatchObject({ class: 'transient', where: 'head', sentWhole: true });
    expect(report).toMatchObject({ resent: true, sentWhole: true });
  });

  test('that breaks after a byte of the answer is not sent again', async () => {
    rig.upstream.script((call) => call.answer(200, {}, WHOLE_ANSWER), async (call) => {
      await call.raw('HTTP/1.1 200 O');
      call.reset();
    });
    await relayed(rig.edge.open(order()));
    await takenBack();
    expect((await unopened(rig.edge.open(order()))).report.resent).toBe(false);
    expect(rig.upstream.calls.length).toBe(2);
  });

  test('is not used again once connections were dropped, and running answers go on', async () => {
    rig.upstream.script((call) => call.answer(200, {}, WHOLE_ANSWER));
    await relayed(rig.edge.open(order()));
    await takenBack();
    rig.upstream.script(async (call) => {
      await call.head(200, { 'content-length': String(WHOLE_ANSWER.length) });
      await call.write(WHOLE_ANSWER.slice(0, 10));
    });
    const running = rig.edge.open(order());
    const call = await rig.upstream.call(1);
    rig.edge.dropConnections();
    await relayed(rig.edge.open(order()));
    expect((await rig.upstream.call(2)).connection).toBe(1);
    await call.write(WHOLE_ANSWER.slice(10));
    expect((await relayed(running)).sink.text()).toBe(WHOLE_ANSWER);
  });
});
