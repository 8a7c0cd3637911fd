// SPEC 2.6: SOCKS 5 as the outbound proxy.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anEdge, anOrder, anUpstream, relayed, unopened } from '../../support/attempts.ts';
import { startScriptedSocks, type ScriptedSocks } from '../../support/scripted-socks.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { takenBack, useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();
const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
let proxy: ScriptedSocks;
beforeEach(async () => {
  proxy = await startScriptedSocks();
  rig.upstream.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
});
afterEach(async () => {
  await rig.edge.close();
  await proxy.close();
});
const far = (address: string, login = '') => anOrder(address, { arrival: anArrival({ streamed: false }), upstream: anUpstream(address, { proxy: `socks5://${login}127.0.0.1:${proxy.port}` }) });

test('a plain upstream is reached by its name, and the connection is used again', async () => {
  for (let round = 0; round < 2; round++) {
    expect((await relayed(rig.edge.open(far(`http://upstream.test:${rig.upstream.port}`)))).sink.text()).toBe(WHOLE_ANSWER);
    await takenBack();
  }
  expect(proxy.asked).toEqual([`upstream.test:${rig.upstream.port}`]);
});

test('a secure upstream is reached, and its certificate is checked against its own name', async () => {
  const secure = await startScriptedUpstream({ tls: { key: pem('loopback.key'), cert: pem('loopback.pem') } });
  secure.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
  const trusting = anEdge({ certificates: [pem('ca.pem')] });
  expect((await relayed(trusting.open(far(`https://upstream.test:${secure.port}`)))).sink.text()).toBe(WHOLE_ANSWER);
  expect((await unopened(trusting.open(far(`https://elsewhere.test:${secure.port}`)))).failure).toMatchObject({ class: 'bad_address', code: 'tls.certificate' });
  await trusting.close();
  await secure.close();
});

test('name and password are given when they are wanted, decoded', async () => {
  proxy.wantLogin('us@er', 'pa:ss');
  expect((await relayed(rig.edge.open(far(`http://upstream.test:${rig.upstream.port}`, 'us%40er:pa%3Ass@')))).sink.text()).toBe(WHOLE_ANSWER);
});

test.each([
  ['a wrong password', 'bad_address', 'bad_address.proxy'], ['no login where one is wanted', 'bad_address', 'bad_address.proxy'],
  [2, 'bad_address', 'bad_address.proxy'], [4, 'transient', 'connect.proxy'], [5, 'transient', 'connect.proxy'], ['close', 'transient', 'connect.proxy'], ['babble', 'bad_address', 'bad_address.proxy'],
] as const)('%s: the failure says whose it is, and nothing reaches the upstream', async (what, failureClass, code) => {
  if (what === 'a wrong password' || what === 'no login where one is wanted') proxy.wantLogin('user', 'right');
  else proxy.refuse(what);
  const { failure } = await unopened(rig.edge.open(far(`http://upstream.test:${rig.upstream.port}`, what === 'a wrong password' ? 'user:wrong-password@' : '')));
  expect(failure).toMatchObject({ class: failureClass, code, where: 'connect', sentWhole: false });
  expect(failure.message).not.toContain('wrong-password');
  expect(rig.upstream.accepted()).toBe(0);
});

test('a proxy that is not there is a connection that could not be made', async () => {
  const { port } = proxy;
  await proxy.close();
  const { failure } = await unopened(rig.edge.open(anOrder('http://upstream.test', { upstream: anUpstream('http://upstream.test', { proxy: `socks5://127.0.0.1:${port}` }) })));
  expect(failure).toMatchObject({ class: 'transient', code: 'connect.refused', where: 'connect' });
});
