import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { Call } from '../../support/scripted-upstream.ts';
import { answersWith, failsWith, wordsOf } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ask, begunStream, breakerOf } from './support/talk.ts';

const metrics = { 'gateway.metrics': true } as const;

/** What the upstream does until its client has left, and by what the test sees that it is there. */
const STAGES = [
  ['before the head', true, 'attempt', () => undefined],
  ['while the opening is held', true, 'attempt', async (call: Call, format: (typeof FORMAT_NAMES)[number]) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(wordsOf[format].opening('m-1').join(''));
  }],
  ['after content', true, 'relay', async (call: Call, format: (typeof FORMAT_NAMES)[number]) => {
    await call.head(200, { 'content-type': 'text/event-stream' });
    await call.write(begunStream(format));
  }],
  ['before a whole answer', false, 'attempt', () => undefined],
  ['in a whole answer', false, 'attempt', async (call: Call) => {
    await call.head(200, { 'content-type': 'application/json' });
    await call.write('{"id":"x",');
  }],
] as const;

describe('R27: a client that leaves ends the work for it, and it is nobody’s fault (SPEC 3, 7.7)', () => {
  it.each(STAGES.flatMap(([stage, streamed, during, act]) => FORMAT_NAMES.map((format) => ({ stage, format, streamed, during, act }))))('$stage, $format', async ({ format, streamed, during, act }) => {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'], settings: metrics });
    gateway.upstream('a').script((call) => act(call, format));
    const leaving = new AbortController();
    const response = ask(gateway, format, streamed, { signal: leaving.signal }).then((answer) => answer.text()).catch(() => null);
    const call = await gateway.upstream('a').call(0);
    await call.body;
    if (during === 'relay') await gateway.event('released');
    const leftMs = performance.now();
    leaving.abort();
    await response;
    expect((await call.closed).atMs - leftMs).toBeLessThan(500);
    const rows = await gateway.ended();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ outcome: 'cancelled', status: 499, error_code: 'client.left', attempts: 1, cost_micros: null, detail: { left_during: during, attempts: [{ outcome: 'cancelled' }] } });
    if (during !== 'relay') expect(rows[0]).toMatchObject({ input_tokens: null, output_tokens: null, first_content_ms: null });
    expect(gateway.upstream('b').calls).toHaveLength(0);
    expect(await breakerOf(gateway)).toBe(0);
    await gateway.clock.whenWaits((waits) => waits.length === 0);
  });
  it('usage that was told before it left is kept, and none is made up (SPEC 12.1)', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await call.write(begunStream('anthropic'));
    });
    const leaving = new AbortController();
    const response = ask(gateway, 'anthropic', true, { signal: leaving.signal }).then((answer) => answer.text()).catch(() => null);
    await gateway.event('released');
    leaving.abort();
    await response;
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'cancelled', input_tokens: 31, cost_micros: null });
  });
});

describe('R28: nothing is sent for a client that has left (SPEC 7.7)', () => {
  it.each([true, false])('in a pause (streamed: %s): its timer is gone, and hours later nothing has been sent', async (streamed) => {
    const gateway = await startWholeGateway({ settings: metrics });
    gateway.upstream().script(failsWith(503, { 'retry-after': '1' }), answersWith('for nobody'));
    const leaving = new AbortController();
    const response = ask(gateway, 'anthropic', streamed, { signal: leaving.signal }).catch(() => null);
    await gateway.event('pausing');
    leaving.abort();
    await response;
    expect((await gateway.ended())[0]).toMatchObject({ outcome: 'cancelled', status: 499, give_up: 'cancelled', attempts: 1, retries: 0, input_tokens: null, detail: { left_during: 'pause' } });
    await gateway.clock.whenWaits((waits) => waits.length === 0);
    await gateway.clock.advance(3_600_000);
    expect(gateway.upstream().calls).toHaveLength(1);
  });
});
