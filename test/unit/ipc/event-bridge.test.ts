// SPEC 13, UI "nothing polls while hidden".
import { describe, expect, it } from 'vitest';
import { createEventBridge } from '../../../main/ipc/event-bridge.ts';
import type { ExchangeEvent, InFlight } from '../../../shared/events.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const row = (id: string, attempts = 0) => ({ id, detail: { attempts: Array.from({ length: attempts }, () => ({})) } });
const started = (id: string) => ({ kind: 'started', id, row: row(id) }) as unknown as ExchangeEvent;
const pauseEnded = (id: string): ExchangeEvent => ({ kind: 'pause_ended', id, why: 'time' });
const finished = (id: string, attempts = 0) => ({ kind: 'finished', id, row: row(id, attempts) }) as unknown as ExchangeEvent;

function bridge() {
  const clock = createFakeClock();
  const sent: [string, unknown][] = [];
  const window = { visible: true, asked: 0 };
  const snapshot = [{ state: 'pausing' }] as unknown as InFlight[];
  const it = createEventBridge({
    clock,
    isVisible: () => { window.asked++; return window.visible; },
    send: (channel, payload) => { sent.push([channel, payload]); },
    inFlight: () => snapshot,
  });
  return { clock, sent, window, snapshot, bridge: it };
}

describe('events on their way to the window', () => {
  it('go in one batch each 100 ms, those of an exchange in their order', async () => {
    const { clock, sent, bridge: it } = bridge();
    it.note(started('a'));
    it.note(started('b'));
    await clock.advance(99);
    expect(sent).toEqual([]);
    it.note(pauseEnded('a'));
    await clock.advance(1);
    expect(sent).toEqual([['exchanges.events', [started('a'), pauseEnded('a'), started('b')]]]);
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
  });

  it('are one when an exchange ended within the batch; ends keep their order', async () => {
    const { clock, sent, bridge: it } = bridge();
    for (const event of [started('a'), started('b'), started('c'), pauseEnded('a'), finished('b'), finished('a')]) it.note(event);
    await clock.advance(100);
    expect(sent).toEqual([['exchanges.events', [started('c'), finished('b'), finished('a')]]]);
  });

  it('stay away from a hidden window, which gets everything that runs when it shows again', async () => {
    const { clock, sent, window, snapshot, bridge: it } = bridge();
    window.visible = false;
    it.note(started('a'));
    it.note(finished('b'));
    await clock.advance(1_000);
    it.visible();
    expect(sent).toEqual([]);
    window.visible = true;
    it.visible();
    expect(sent).toEqual([['exchanges.snapshot', snapshot]]);
  });

  it('that a window hidden meanwhile did not get are told by its snapshot, also ends that the log may not have yet', async () => {
    const { clock, sent, window, snapshot, bridge: it } = bridge();
    it.note(finished('long ago'));
    await clock.advance(100);
    window.visible = false;
    await clock.advance(1_000);
    it.note(finished('just now'));
    await clock.advance(100);
    window.visible = true;
    it.visible();
    expect(sent.slice(1)).toEqual([['exchanges.events', [finished('just now')]], ['exchanges.snapshot', snapshot]]);
  });

  it('that wait when the page loads again come before the snapshot, so that no end is lost', () => {
    const { sent, bridge: it } = bridge();
    it.note(finished('a'));
    it.visible();
    expect(sent.map(([channel]) => channel)).toEqual(['exchanges.events', 'exchanges.snapshot']);
  });

  it('are not kept beyond a bound: the window is told what runs, once a second, until it is quieter', async () => {
    const { clock, sent, snapshot, bridge: it } = bridge();
    for (let tenth = 0; tenth < 20; tenth++) {
      for (let n = 0; n < 3_000; n++) it.note(started(`${tenth}-${n}`));
      await clock.advance(100);
    }
    expect(sent).toEqual([['exchanges.snapshot', snapshot], ['exchanges.snapshot', snapshot]]);
    it.note(started('quiet'));
    await clock.advance(100);
    expect(sent.at(-1)).toEqual(['exchanges.events', [started('quiet')]]);
  });

  it('count with the attempts they carry', async () => {
    const { clock, sent, bridge: it } = bridge();
    for (let n = 0; n < 11; n++) it.note(finished(`${n}`, 200));
    await clock.advance(1_000);
    expect(sent.map(([channel]) => channel)).toEqual(['exchanges.snapshot']);
  });

  it('of 5,000 short exchanges a second all arrive, and the window system is asked a few times a second, not with each', async () => {
    const { clock, sent, window, bridge: it } = bridge();
    for (let tenth = 0; tenth < 10; tenth++) {
      for (let n = 0; n < 500; n++) for (const event of [started(`${tenth}-${n}`), pauseEnded(`${tenth}-${n}`), finished(`${tenth}-${n}`)]) it.note(event);
      await clock.advance(100);
    }
    expect(sent.map(([, events]) => (events as unknown[]).length)).toEqual(Array.from({ length: 10 }, () => 500));
    expect(window.asked).toBe(20);
  });

  it('leave no timer behind when the bridge stops', async () => {
    const { clock, sent, bridge: it } = bridge();
    it.note(started('a'));
    it.stop();
    await clock.advance(1_000);
    expect(sent).toEqual([]);
    expect(clock.pending()).toBe(0);
  });
});
