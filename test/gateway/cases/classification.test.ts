import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { FormatName } from '../../../shared/format.ts';
import { retryPolicySchema } from '../../../shared/policy.ts';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ask, breakerOf, errorOfBody, goodStream, says, skipPauses, streams, TALKS } from './support/talk.ts';

const metrics = { 'gateway.metrics': true } as const;

describe('R01: what trying again cannot cure is not tried again (SPEC 4.1)', () => {
  const requestFaults = [400, 409, 413, 415, 422, 424];
  it.each(TALKS)('$format $how: one attempt, the upstream’s own words, and no word about its health', async ({ format, streamed }) => {
    const gateway = await startWholeGateway({ settings: metrics });
    gateway.upstream().otherwise(answersWith('a second attempt'));
    for (const status of [...requestFaults, 401, 403, 404]) {
      const body = JSON.stringify(wordsOf[format].error(status, 'no such thing'));
      const before = gateway.upstream().calls.length;
      gateway.upstream().script(says(status, body, { 'x-request-id': `r-${status}` }));
      const answer = await ask(gateway, format, streamed);
      expect([answer.status, await answer.text(), answer.headers.get('x-request-id')]).toEqual([status, body, `r-${status}`]);
      expect(gateway.upstream().calls.length - before).toBe(1);
      const row = (await gateway.ended(before + 1))[before];
      expect(row).toMatchObject({ attempts: 1, retries: 0, give_up: 'not_transient', status, outcome: 'failed', pause_ms: 0 });
    }
    expect(await breakerOf(gateway)).toBe(0);
    for (const status of [501, 505, 520, 524]) {
      const before = gateway.upstream().calls.length;
      gateway.upstream().script(says(status, wordsOf[format].error(status, 'cannot')));
      expect((await ask(gateway, format, streamed)).status).toBe(status);
      expect(gateway.upstream().calls.length - before).toBe(1);
    }
  });

  it.each([...requestFaults.map((status) => [status, 'a'] as const), ...[401, 403, 404, 501, 505, 524].map((status) => [status, 'ab'] as const)])('%i asks %s of two upstreams', async (status, asked) => {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'] });
    gateway.upstream('a').script(says(status, wordsOf.anthropic.error(status, 'cannot')));
    gateway.upstream('b').script(answersWith('Hello'));
    const answer = await ask(gateway, 'anthropic', false);
    expect(answer.status).toBe(asked === 'ab' ? 200 : status);
    expect([gateway.upstream('a').calls.length, gateway.upstream('b').calls.length]).toEqual([1, asked.length - 1]);
    expect((await gateway.ended())[0]).toMatchObject({ retries: 0, failovers: asked.length - 1 });
  });
});

describe('R02: streamed or whole, an overload is the same (SPEC 4.2, 8.4)', () => {
  it.each(TALKS)('$format $how: 500, 502, 503, 504 and 529 are waited out as long as the upstream asks', async ({ format, streamed }) => {
    const gateway = await startWholeGateway();
    skipPauses(gateway);
    for (const [turn, status] of [500, 502, 503, 504, 529].entries()) {
      gateway.upstream().script(failsWith(status, { 'retry-after': '1' }), answersWith('Hello there'));
      const answer = await ask(gateway, format, streamed);
      expect(answer.status).toBe(200);
      if (streamed) expect(await answer.text()).toBe(goodStream(format, 'Hello there'));
      else expect(await answer.json()).toEqual(wordsOf[format].whole('m-1', 'Hello there'));
      const row = (await gateway.ended(turn + 1))[turn];
      expect(row).toMatchObject({ attempts: 2, outcome: 'success', detail: { attempts: [{ status, hint_ms: 1_000 }, { status: 200, pause_reason: 'retry_after' }] } });
      expect(row?.pause_ms).toBeGreaterThanOrEqual(1_000);
    }
  });
});

describe('R03: a request that is still being worked on is not sent again (SPEC 4.1, 8.2)', () => {
  const policy = retryPolicySchema.parse({ baseMs: 100, jitter: 0, attemptTimeoutMs: 1_000 });
  it.each(TALKS)('$format $how: one attempt, closed at its limit, and a timeout by name', async ({ format, streamed }) => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_policy': policy } });
    const response = ask(gateway, format, streamed);
    const call = await gateway.upstream().call(0);
    await call.body;
    await gateway.clock.whenWaits((waits) => waits.includes(1_000));
    const expiredMs = performance.now();
    await gateway.clock.advance(1_000);
    const answer = await response;
    expect(answer.status).toBe(504);
    expect(errorOfBody(format, await answer.json())).toBe({ anthropic: 'timeout_error', chat: 'server_error', responses: 'server_error', gemini: 'DEADLINE_EXCEEDED' }[format]);
    expect((await call.closed).atMs - expiredMs).toBeLessThan(500);
    expect(gateway.upstream().calls).toHaveLength(1);
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'failed', error_code: 'upstream.timeout_attempt', give_up: 'not_transient', detail: { attempts: [{ class: 'timeout', sent_whole: true }] } });
  });

  it('is sent again when the user says so', async () => {
    const gateway = await startWholeGateway({ settings: { 'gateway.retry_policy': { ...policy, retryOnTimeout: true } } });
    gateway.upstream().script(() => undefined, answersWith('Hello'));
    const response = ask(gateway, 'anthropic', true);
    await gateway.upstream().call(0);
    await gateway.clock.whenWaits((waits) => waits.includes(1_000));
    await gateway.clock.advance(1_000);
    await gateway.event('pausing');
    await gateway.clock.advance(100);
    expect(await (await response).text()).toBe(goodStream('anthropic', 'Hello'));
  });
});

describe('R04: failures before any byte was sent, and of connections that were closed meanwhile (SPEC 4.5, 4.6)', () => {
  it('an upstream that does not listen yet is asked again when it does', async () => {
    const place = await startScriptedUpstream();
    await place.close();
    const gateway = await startWholeGateway({ part: { baseUrl: place.url } });
    const response = ask(gateway, 'anthropic', true);
    await gateway.event('pausing');
    const late = await startScriptedUpstream({ port: place.port });
    late.script(answersWith('Hello'));
    await gateway.clock.advance(2_000);
    expect(await (await response).text()).toBe(goodStream('anthropic', 'Hello'));
    expect((await gateway.ended())[0]).toMatchObject({ attempts: 2, detail: { attempts: [{ where: 'connect', code: 'connect.refused', sent_whole: false }, { outcome: 'answered' }] } });
    await gateway.gateway.stop({ graceMs: 0 });
    await late.close();
  });

  it('a reused connection that is reset on the next request costs no attempt and no health', async () => {
    const gateway = await startWholeGateway({ settings: metrics });
    for (let turn = 0; turn < 4; turn++) {
      gateway.upstream().script(answersWith('first'));
      await (await ask(gateway, 'anthropic', false)).text();
      gateway.upstream().script((call) => { call.reset(); }, answersWith('second'));
      expect(await (await ask(gateway, 'anthropic', false)).json()).toEqual(wordsOf.anthropic.whole('m-1', 'second'));
      const { calls } = gateway.upstream();
      expect(calls.at(-1)?.connection).not.toBe(calls.at(-2)?.connection);
    }
    const rows = await gateway.ended(8);
    expect(rows.map((row) => [row.attempts, row.retries, row.outcome])).toEqual(Array.from({ length: 8 }, () => [1, 0, 'success']));
    expect(rows.filter((row) => row.detail.attempts[0]?.resent === true)).toHaveLength(4);
    expect(await breakerOf(gateway)).toBe(0);
  });
});

describe('R06: an error in a stream that nothing cures reaches the client as it was written (SPEC 4.3, 10.1)', () => {
  const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const bare = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  const faults: Readonly<Record<FormatName, readonly (readonly [code: string, bytes: string, errorClass: string])[]>> = {
    anthropic: [['invalid_request_error', 'request'], ['not_found_error', 'model_missing'], ['billing_error', 'quota'], ['permission_error', 'auth']]
      .map(([type, of]) => [type ?? '', event('error', { error: { type, message: 'Cannot be done.' } }), of ?? ''] as const),
    chat: [['context_length_exceeded', 'request'], ['content_filter', 'policy'], ['model_not_found', 'model_missing'], ['insufficient_quota', 'quota']]
      .map(([code, of]) => [code ?? '', bare({ error: { message: 'Cannot be done.', type: 'server_error', param: null, code } }), of ?? ''] as const),
    responses: [['context_length_exceeded', 'request'], ['content_policy_violation', 'policy'], ['model_not_found', 'model_missing'], ['insufficient_quota', 'quota']].flatMap(([code = '', of = '']) => [
      [code, event('response.failed', { sequence_number: 2, response: { id: 'r', object: 'response', status: 'failed', error: { code, message: 'Cannot be done.' }, output: [] } }), of] as const,
      [code, event('error', { sequence_number: 2, error: { type: 'server_error', code, message: 'Cannot be done.', param: null } }), of] as const,
    ]),
    gemini: [[400, 'INVALID_ARGUMENT', 'request'], [404, 'NOT_FOUND', 'model_missing'], [403, 'PERMISSION_DENIED', 'auth'], [501, 'UNIMPLEMENTED', 'server']]
      .map(([code, status, of]) => [String(status), bare({ error: { code, message: 'Cannot be done.', status } }), String(of)] as const),
  };
  it.each(FORMAT_NAMES)('%s, alone or behind an opening', async (format) => {
    const gateway = await startWholeGateway();
    const cases = faults[format].flatMap(([code, bytes, of]) => [[code, bytes, of], [code, wordsOf[format].opening('m-1').join('') + bytes, of]] as const);
    for (const [turn, [code, bytes, of]] of cases.entries()) {
      gateway.upstream().script(streams(bytes));
      expect(await (await ask(gateway, format, true)).text()).toBe(bytes);
      expect((await gateway.ended(turn + 1))[turn]).toMatchObject({ attempts: 1, outcome: 'failed', error_code: code, detail: { attempts: [{ code, class: of }] } });
    }
    expect(gateway.upstream().calls).toHaveLength(cases.length);
  });
});
