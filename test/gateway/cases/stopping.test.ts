import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { answersWith, failsWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient, requestText } from '../downstream/support/raw-client.ts';
import { ask, begunStream, errorIn, eventsOf } from './support/talk.ts';

describe('R52: stopping while requests run (SPEC 17)', () => {
  it.each(FORMAT_NAMES)('%s: a stream that does not end within the grace ends with an error of its format; everything else is over at once', async (format) => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(failsWith(503), async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await call.write(begunStream(format));
    }, answersWith('idle'));
    const paused = ask(gateway, format, true);
    await gateway.event('pausing');
    const running = await ask(gateway, format, true);
    await gateway.event('released');
    const idle = await rawClient(gateway.port);
    idle.send(requestText('GET /healthz'));
    await idle.seen('"ok"');

    const stopped = gateway.gateway.stop({ graceMs: 30_000 });
    expect((await paused).status).toBe(503);
    await idle.closed();
    await expect(rawClient(gateway.port)).rejects.toThrow('ECONNREFUSED');
    await gateway.clock.whenWaits((waits) => waits.includes(30_000));
    await gateway.clock.advance(30_000);
    await stopped;
    const text = await running.text();
    expect(text.startsWith(begunStream(format))).toBe(true);
    // Claude Code got pings meanwhile (SPEC 6.3).
    expect(eventsOf(text.slice(begunStream(format).length)).filter((event) => event.name !== 'ping').map((event) => errorIn(format, event))).toEqual([{ anthropic: 'api_error', chat: 'server_error', responses: 'gateway.ended', gemini: 'INTERNAL' }[format]]);
    const rows = await gateway.ended(2);
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => [row.outcome, row.give_up, row.status])).toEqual([['failed', 'stopping', 503], ['truncated', 'stopping', 200]]);
    expect(rows[1]).toMatchObject({ error_code: 'gateway.stopping', detail: { attempts: [{ outcome: 'cancelled' }] } });
    await gateway.upstream().whenOpen(0);
    expect(gateway.clock.pending()).toBe(0);
  });
  it.each(FORMAT_NAMES)('%s: a request that has no answer yet is told why, also after an early head, and is not sent elsewhere', async (format) => {
    const gateway = await startWholeGateway({ upstreams: ['a', 'b'] });
    const whole = ask(gateway, format, false);
    const early = ask(gateway, format, true);
    await gateway.upstream('a').call(1);
    await gateway.clock.whenWaits((waits) => waits.includes(15_000));
    await gateway.clock.advance(15_000);
    const head = await early;
    const stopped = gateway.gateway.stop({ graceMs: 0 });
    await gateway.clock.advance(0);
    const [answer, text] = [await whole, await head.text()];
    await stopped;
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('[Holdfast] This Holdfast stopped');
    expect(errorIn(format, eventsOf(text).at(-1) ?? { name: '', data: '{}' })).not.toBeNull();
    expect((await gateway.ended(2)).map((row) => [row.outcome, row.give_up, row.error_code])).toEqual([['failed', 'stopping', 'gateway.stopping'], ['failed', 'stopping', 'gateway.stopping']]);
    expect(gateway.upstream('b').calls).toHaveLength(0);
  });
  it('a client that does not read is not waited for', async () => {
    const gateway = await startWholeGateway();
    gateway.upstream().script(async (call) => {
      await call.head(200, { 'content-type': 'text/event-stream' });
      await call.write(begunStream('chat'));
      for (let n = 0; n < 2_000; n++) await call.write(`: ${'x'.repeat(16_384)}\n\n`);
    });
    const client = await rawClient(gateway.port);
    client.socket.pause();
    client.send(requestText('POST /v1/chat/completions', { authorization: 'Bearer hf-test' }, '{"model":"m-1","stream":true}'));
    await gateway.event('released');
    const stopped = gateway.gateway.stop({ graceMs: 0 });
    await gateway.clock.advance(500);
    await stopped;
    expect(gateway.rows()).toHaveLength(1);
    client.reset();
  });
});
