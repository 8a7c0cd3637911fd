// When the overview asks for its figures anew: after ends of requests, coalesced, and with the minute; never while hidden (UI.md: nothing polls while hidden).
import { describe, expect, it } from 'vitest';
import { createRefresher } from '../../renderer/overview/refresher.ts';

const START = 1_700_000_010_000;

/** A refresher on a clock that moves when told to. */
function rig() {
  let now = START;
  let seen = true;
  let timers: { at: number; fire: () => void }[] = [];
  const askedAt: number[] = [];
  const refresher = createRefresher({
    now: () => now,
    after: (waitMs, fire) => {
      const timer = { at: now + waitMs, fire };
      timers.push(timer);
      return () => { timers = timers.filter((one) => one !== timer); };
    },
    isSeen: () => seen,
    ask: () => { askedAt.push(now - START); },
  });
  const advance = (ms: number) => {
    const until = now + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers = timers.filter((one) => one !== next);
      now = next.at;
      next.fire();
    }
    now = until;
  };
  return { refresher, advance, askedAt, pending: () => timers.length, show: (on: boolean) => { seen = on; refresher.seen(); } };
}

describe('the refresher', () => {
  it('asks once for many changes, and not more often than every two seconds', () => {
    const { refresher, advance, askedAt } = rig();
    for (let n = 0; n < 500; n++) { refresher.changed(); advance(10); }
    expect(askedAt).toEqual([2_000, 4_000]);
  });

  it('waits for the row to be written, also after a quiet time', () => {
    const { refresher, advance, askedAt } = rig();
    advance(10_000);
    refresher.changed();
    advance(299);
    expect(askedAt).toEqual([]);
    advance(1);
    expect(askedAt).toEqual([10_300]);
  });

  it('asks when a minute has passed, and between that not at all', () => {
    const { advance, askedAt } = rig();
    advance(3 * 60_000);
    expect(askedAt).toHaveLength(3);
    expect(askedAt.every((at, n) => n === 0 || at - (askedAt[n - 1] ?? 0) === 60_000)).toBe(true);
  });

  it('keeps no timer and asks for nothing while nobody can see it, and catches up when it is seen again', () => {
    const { refresher, advance, askedAt, pending, show } = rig();
    show(false);
    refresher.changed();
    expect(pending()).toBe(0);
    advance(10 * 60_000);
    expect(askedAt).toEqual([]);
    show(true);
    advance(300);
    expect(askedAt).toEqual([600_300]);
  });

  it('does not ask when the window went out of sight while it waited', () => {
    const { refresher, advance, askedAt, show } = rig();
    refresher.changed();
    show(false);
    advance(5_000);
    expect(askedAt).toEqual([]);
  });

  it('leaves no timer behind', () => {
    const { refresher, pending } = rig();
    refresher.changed();
    refresher.stop();
    expect(pending()).toBe(0);
  });
});
