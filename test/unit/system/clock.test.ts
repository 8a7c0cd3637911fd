import { expect, test } from 'vitest';
import { systemClock } from '../../../main/system/clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

test('the real timer never fires before its time and never synchronously', async () => {
  const startMs = systemClock.now();
  let fired = false;
  const done = new Promise<void>((resolve) => {
    systemClock.timer(3.5, () => { fired = true; resolve(); });
  });
  expect(fired).toBe(false);
  await done;
  expect(systemClock.now() - startMs).toBeGreaterThanOrEqual(3.5);
});

test('a real timer longer than 2^31 ms does not fire at once', async () => {
  let fired = false;
  const cancel = systemClock.timer(2 ** 31 + 5, () => { fired = true; });
  await new Promise<void>((resolve) => { systemClock.timer(3, resolve); });
  cancel();
  expect(fired).toBe(false);
});

test('an aborted real sleep resolves at once and leaves no timer and no listener', async () => {
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const stop = new AbortController();
  const slept = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await slept;
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThanOrEqual(timersBefore);
});

test('the fake clock runs timers in order of time, then of making, each at its own time', async () => {
  const clock = createFakeClock();
  const seen: string[] = [];
  const startMs = clock.now();
  const note = (name: string) => () => { seen.push(`${name}@${clock.now() - startMs}`); };
  clock.timer(20, note('late'));
  clock.timer(10, note('first'));
  clock.timer(10, note('second'));
  const cancel = clock.timer(5, note('cancelled'));
  clock.timer(0, () => { clock.timer(7, note('nested')); });
  cancel();
  await clock.advance(15);
  expect(seen).toEqual(['nested@7', 'first@10', 'second@10']);
  expect(clock.waits()).toEqual([5]);
  await clock.advance(5);
  expect(seen.at(-1)).toBe('late@20');
  expect(clock.pending()).toBe(0);
});

test('a fake sleep ends by time or by its signal, whichever is first', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const ended: string[] = [];
  void clock.sleep(10, stop.signal).then(() => ended.push('time'));
  void clock.sleep(1_000, stop.signal).then(() => ended.push('signal'));
  await clock.advance(10);
  expect(ended).toEqual(['time']);
  stop.abort();
  await clock.advance(0);
  expect(ended).toEqual(['time', 'signal']);
  expect(clock.pending()).toBe(0);
});
