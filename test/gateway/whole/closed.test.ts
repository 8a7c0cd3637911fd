// UI.md "Desktop manners": new requests are let in no more, and again, by a switch.
import { expect, test } from 'vitest';
import type { GatewayState } from '../../../shared/events.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';

const CHAT = { model: 'm-test', messages: [{ role: 'user', content: 'hi' }] };
const WHOLE = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'well' }, finish_reason: 'stop' }] });

test('a closed gateway refuses new requests with 503 in the format of the client, lets what runs go on, and opens again', async () => {
  const { gateway, post, upstream, url, events, event } = await startWholeGateway();
  const states: GatewayState[] = [];
  gateway.onState((state) => { states.push(state); });
  let finish = (): void => undefined;
  upstream().script(async (call) => {
    await call.body;
    await new Promise<void>((resolve) => { finish = resolve; });
    await call.answer(200, { 'content-type': 'application/json' }, WHOLE);
  });
  const running = post('/v1/chat/completions', CHAT);
  await event('attempt_started');
  await upstream().call(0);

  expect(gateway.setAccepting(false)).toMatchObject({ status: 'running', closed: true });
  for (const [path, shape] of [['/v1/chat/completions', { error: { code: 'gateway.closed' } }], ['/v1/messages', { type: 'error' }], ['/v1beta/models/m:generateContent', { error: { code: 503 } }]] as const) {
    const refused = await post(path, CHAT);
    expect(refused.status).toBe(503);
    const text = await refused.text();
    expect(JSON.parse(text)).toMatchObject(shape);
    expect(text).toContain('[Holdfast] This Holdfast lets no new requests in for now');
  }
  expect(upstream().calls).toHaveLength(1);
  // Whoever only asks whether it lives is answered.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  finish();
  expect(await (await running).text()).toBe(WHOLE);

  upstream().script(async (call) => {
    await call.body;
    await call.answer(200, { 'content-type': 'application/json' }, WHOLE);
  });
  const open = gateway.setAccepting(true);
  expect('closed' in open).toBe(false);
  expect((await post('/v1/chat/completions', CHAT)).status).toBe(200);
  expect(states.map((state) => 'closed' in state)).toEqual([true, false]);
  expect(events.filter(({ kind }) => kind === 'finished').length).toBeGreaterThanOrEqual(2);
});

test('stays closed when the endpoint moves, and tells nobody when nothing changes', async () => {
  const { gateway } = await startWholeGateway();
  const states: GatewayState[] = [];
  gateway.onState((state) => { states.push(state); });
  gateway.setAccepting(true);
  expect(states).toEqual([]);
  gateway.setAccepting(false);
  gateway.setAccepting(false);
  expect(states).toHaveLength(1);
  const moved = await gateway.listen({ port: 0 });
  expect(moved).toMatchObject({ status: 'running', closed: true });
  if (moved.status !== 'running') throw new Error(moved.status);
  const refused = await fetch(`${moved.url}/v1/models`, { headers: { authorization: 'Bearer hf-test' } });
  expect(refused.status).toBe(503);
});
