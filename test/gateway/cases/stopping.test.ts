import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { answersWith, failsWith } from '../../support/answers/index.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { rawClient, requestText } from '../downstream/support/raw-client.ts';
import { ask, begunStream, errorIn, eventsOf } from './support/talk.ts';

describe('R52: stopping while requests run (SPEC 17)', () => {
  it.each(FORMAT_NAMES)('%s: a stream that does not end within the grace is cut with an error, or visibly; everything else is over at once', async (format) => {
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
    const text = await running.text().catch(() => null);
    if (text !== null) expect(errorIn(format, eventsOf(text).at(-1) ?? { name: '', data: '{}' })).not.toBeNull();
    const rows = await gateway.ended(2);
    expect(rows).toHaveLength(2);
    expect(rows.map((row) => row.outcome).sort()).not.toContain('success');
    await gateway.upstream().whenOpen(0);
    expect(gateway.clock.pending()).toBe(0);
  });
});
