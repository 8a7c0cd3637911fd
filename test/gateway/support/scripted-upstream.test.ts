import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';

test('a script answers step by step, and the request is kept byte for byte', async () => {
  const upstream = await startScriptedUpstream();
  const agent = new Agent();
  upstream.script(async (call) => {
    await call.head(200, { 'content-type': 'text/plain', 'x-two': ['a', 'b'] });
    await call.write('one ');
    await call.write('two');
    await call.end();
  });
  const answer = await request(`${upstream.url}/path?x=1`, { method: 'POST', body: 'hello', headers: { 'x-Mine': 'yes' }, dispatcher: agent });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['x-two']).toEqual(['a', 'b']);
  expect(await answer.body.text()).toBe('one two');
  const call = await upstream.call(0);
  expect(call.method).toBe('POST');
  expect(call.target).toBe('/path?x=1');
  expect((await call.body).toString()).toBe('hello');
  expect(call.rawHeaders).toContainEqual(['x-Mine', 'yes']);
  expect(call.headBytes.toString('latin1')).toMatch(/^POST \/path\?x=1 HTTP\/1\.1\r\n/);
  await agent.close();
  await upstream.close();
});

test('plans act on connections before any byte, and closings are told apart', async () => {
  const upstream = await startScriptedUpstream();
  upstream.connections('reset', 'serve', 'serve');
  const first = connect(upstream.port, '127.0.0.1');
  const [fault] = await once(first, 'error') as [NodeJS.ErrnoException];
  expect(fault.code).toBe('ECONNRESET');

  const polite = connect(upstream.port, '127.0.0.1');
  polite.write('GET /polite HTTP/1.1\r\n\r\n');
  const rude = connect(upstream.port, '127.0.0.1');
  await upstream.call(0);
  polite.end();
  rude.write('GET /rude HTTP/1.1\r\n\r\n');
  const calls = [await upstream.call(0), await upstream.call(1)];
  rude.resetAndDestroy();
  const [politeCall, rudeCall] = calls[0]?.target === '/polite' ? calls : calls.reverse();
  expect((await politeCall?.closed)?.how).toBe('fin');
  expect((await rudeCall?.closed)?.how).toBe('reset');
  await upstream.whenOpen(0);
  await upstream.close();
});

test('a chunked request body is put together, and two requests on one connection are two calls', async () => {
  const upstream = await startScriptedUpstream();
  upstream.otherwise((call) => call.answer(200, {}, 'ok'));
  const socket = connect(upstream.port, '127.0.0.1');
  socket.write('POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\nGET /b HTTP/1.1\r\n\r\n');
  expect((await (await upstream.call(0)).body).toString()).toBe('abcde');
  expect((await upstream.call(1)).indexOnConnection).toBe(1);
  socket.destroy();
  await upstream.close();
});

test('a script that throws fails the test when the upstream closes', async () => {
  const upstream = await startScriptedUpstream();
  upstream.script(() => { throw new Error('planted'); });
  const socket = connect(upstream.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await upstream.call(0);
  socket.destroy();
  await upstream.whenOpen(0);
  await expect(upstream.close()).rejects.toThrow('planted');
});
