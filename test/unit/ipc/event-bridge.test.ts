// SPEC 13, UI "nothing polls while hidden".
import { describe, expect, it } from 'vitest';
import { createEventBridge, withoutOvertaken } from '../../../main/ipc/event-bridge.ts';
import type { ExchangeEvent, InFlight } from '../../../shared/events.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const started = (id: string) => ({ kind: 'started', id, row: { id } }) as unknown as ExchangeEvent;
const pauseEnded = (id: string): ExchangeEvent => ({ kind: 'pause_ended', id, why: 'time' });
const finished = (id: string) => ({ kind: 'finished', id, row: { id } }) as unknown as ExchangeEvent;

function bridge() {
  const clock = createFakeClock();
  const sent: [string, unknown][] = [];
  const window = { visible: true };
  const snapshot = [{ state: 'pausing' }] as unknown as InFlight[];
  const it = createEventBridge({ clock, isVisible: () => window.visible, send: (channel, payload) => { sent.push([channel, payload]); }, inFlight: () => snapshot });
  return { clock, sent, window, snapshot, bridge: it };
}

describe('events on their way to the window', () => {
  it('go in one batch each 100 ms, in order', async () => {
    const { clock, sent, bridge: it } = bridge();
    it.note(started('a'));
    it.note(started('b'));
    await clock.advance(99);
    expect(sent).toEqual([]);
    it.note(pauseEnded('a'));
    await clock.advance(1);
    expect(sent).toEqual([['exchanges.events', [started('a'), started('b'), pauseEnded('a')]]]);
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
  });

  it('stay away from a hidden window, which gets everything that runs when it shows again', async () => {
    const { clock, sent, window, snapshot, bridge: it } = bridge();
    window.visible = false;
    it.note(started('a'));
    await clock.advance(1_000);
    it.visible();
    expect(sent).toEqual([]);
    window.visible = true;
    it.visible();
    expect(sent).toEqual([['exchanges.snapshot', snapshot]]);
  });

  it('that wait when the page loads again come before the snapshot, so that no end is lost', () => {
    const { sent, bridge: it } = bridge();
    it.note(finished('a'));
    it.visible();
    expect(sent.map(([channel]) => channel)).toEqual(['exchanges.events', 'exchanges.snapshot']);
  });

  it('leave no timer behind when the bridge stops', async () => {
    const { clock, sent, bridge: it } = bridge();
    it.note(started('a'));
    it.stop();
    await clock.advance(1_000);
    expect(sent).toEqual([]);
  });

  it('are dropped when a later end of the same exchange tells more', () => {
    expect(withoutOvertaken([started('a'), started('b'), pauseEnded('a'), finished('a')])).toEqual([started('b'), finished('a')]);
  });
});
