import type { Clock } from '../../main/gateway/ports.ts';

interface FakeTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on by `ms`, running the timers that fall due in order, each at its own time; lets promises settle between them. */
  advance(ms: number): Promise<void>;
  /** Moves time on to the next timer and runs it; throws when there is none. Resolves with the ms that went by. */
  advanceToNext(): Promise<number>;
  /** Timers that are running. */
  pending(): number;
  /** Ms from now until each running timer is due, soonest first. */
  waits(): readonly number[];
  /** Resolves as soon as `holds` is true of the running timers' waits (checked whenever a timer starts, ends or time moves). */
  whenWaits(holds: (waits: readonly number[]) => boolean): Promise<void>;
  /** Lets the wall clock jump without the monotonic one: `ms` may be negative. */
  jumpWall(ms: number): void;
}

/** Makes a fake clock; monotonic time begins at 1,000 ms, wall time at `startUtcMs` (default 2026-11-30T00:00:00Z). */
export function createFakeClock(startUtcMs = Date.UTC(2026, 10, 30)): FakeClock {
  let nowMs = 1_000;
  let wallOffsetMs = startUtcMs - nowMs;
  let nextOrder = 0;
  const timers = new Set<FakeTimer>();
  const watchers = new Set<() => void>();

  const sorted = (): FakeTimer[] => [...timers].sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
  const waits = (): number[] => sorted().map((timer) => timer.dueMs - nowMs);
  const changed = (): void => { for (const watcher of [...watchers]) watcher(); };

  const timer = (waitMs: number, fire: () => void): (() => void) => {
    const entry: FakeTimer = { dueMs: nowMs + Math.max(0, waitMs), order: nextOrder++, fire };
    timers.add(entry);
    changed();
    return () => { if (timers.delete(entry)) changed(); };
  };

  const sleep = (waitMs: number, until: AbortSignal): Promise<void> => {
    if (until.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        until.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = timer(waitMs, wake);
      until.addEventListener('abort', wake);
    });
  };

  const run = async (due: FakeTimer): Promise<void> => {
    nowMs = Math.max(nowMs, due.dueMs);
    timers.delete(due);
    due.fire();
    changed();
    await settle();
  };

  const advance = async (ms: number): Promise<void> => {
    const targetMs = nowMs + ms;
    await settle();
    for (let due = sorted()[0]; due !== undefined && due.dueMs <= targetMs; due = sorted()[0]) await run(due);
    nowMs = targetMs;
    changed();
    await settle();
  };

  const advanceToNext = async (): Promise<number> => {
    await settle();
    const due = sorted()[0];
    if (due === undefined) throw new Error('no timer is running');
    const waitedMs = Math.max(0, due.dueMs - nowMs);
    await run(due);
    return waitedMs;
  };

  const whenWaits = (holds: (waits: readonly number[]) => boolean): Promise<void> => {
    if (holds(waits())) return Promise.resolve();
    return new Promise((resolve) => {
      const watcher = (): void => {
        if (!holds(waits())) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
    });
  };

  return {
    now: () => nowMs,
    utc: () => nowMs + wallOffsetMs,
    timer,
    sleep,
    advance,
    advanceToNext,
    pending: () => timers.size,
    waits,
    whenWaits,
    jumpWall: (ms) => { wallOffsetMs += ms; },
  };
}

// One turn of the real event loop: every promise that can settle without new I/O has settled after it.
function settle(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}
