import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anEdge, anOrder, anUpstream, relayed, unopened } from '../../support/attempts.ts';
import { startScriptedProxy, type ScriptedProxy } from '../../support/scripted-proxy.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { takenBack, useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();
beforeEach(() => { rig.upstream.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER)); });
const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const whole = () => anArrival({ streamed: false });

describe('through a proxy', () => {
  let proxy: ScriptedProxy;
  beforeEach(async () => { proxy = await startScriptedProxy(); });
  afterEach(async () => {
    await rig.edge.close();
    await proxy.close();
  });
  const far = (address: string, setting: string) => anOrder(address, { arrival: whole(), upstream: anUpstream(address, { proxy: setting }) });

  // SPEC 2.6
  test('a plain upstream is reached by a tunnel, and the connection is used again', async () => {
    const address = `http://upstream.test:${rig.upstream.port}`;
    for (let round = 0; round < 2; round++) {
      expect((await relayed(rig.edge.open(far(address, proxy.url.replace('//', '//us%40er:pa:ss@'))))).sink.text()).toBe(WHOLE_ANSWER);
      await takenBack();
    }
    expect(proxy.asked.length).toBe(1);
    expect(proxy.asked[0]).toMatch(new RegExp(`^CONNECT upstream.test:${rig.upstream.port} HTTP/1.1\r\nhost: upstream.test:${rig.upstream.port}\r\n`));
    expect(proxy.asked[0]).toContain(`proxy-authorization: Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`);
    expect((await rig.upstream.call(0)).header('host')).toBe(`upstream.test:${rig.upstream.port}`);
    expect((await rig.upstream.call(0)).header('proxy-authorization')).toBeUndefined();
  });

  test('a secure upstream is reached by a tunnel with the names of both ends right', async () => {
    const secure = await startScriptedUpstream({ tls: { key: pem('loopback.key'), cert: pem('loopback.pem') } });
    secure.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
    const trusting = anEdge({ certificates: [pem('ca.pem')], proxyVariables: () => ({ HTTPS_PROXY: proxy.url }) });
    expect((await relayed(trusting.open(far(`https://upstream.test:${secure.port}`, 'system')))).sink.text()).toBe(WHOLE_ANSWER);
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
    const { failure } = await unopened(rig.edge.open(far(`http://upstream.test:${rig.upstream.port}`, proxy.url)));
    expect(failure).toMatchObject({ class: failureClass, code, where: 'connect', sentWhole: false });
    expect(rig.upstream.accepted()).toBe(0);
  });

  test('loopback is never asked for, and the gateway itself is passed by with a warning', async () => {
    const careful = anEdge({ proxyVariables: () => ({ HTTP_PROXY: proxy.url }), ownPorts: () => [Number(new URL(proxy.url).port)] });
    await relayed(careful.open(far(rig.upstream.url, 'system')));
    expect((await unopened(careful.open(far('http://no-such-host.invalid', 'system')))).failure.code).toBe('connect.dns');
    expect(careful.log.lines.join()).toContain('points at the gateway itself');
    expect(proxy.asked).toEqual([]);
    await careful.close();
  });

  test('of a kind that is not supported the failure is clear', async () => {
    expect((await unopened(rig.edge.open(far('http://upstream.test', 'socks4://127.0.0.1:1080')))).failure).toMatchObject({ class: 'bad_address', code: 'bad_address.proxy', message: expect.stringContaining('socks5://host:port') });
  });
});
