import type { Clock } from './ports.ts';

// A machine that sleeps stops its monotonic clock, not its wall clock (SPEC 8.8).
const ASLEEP_MS = 5_000;
const LOOK_EVERY_MS = 2_000;

/** Notices that the machine has slept. Looks only between `watch` and `rest`, so that an idle app stays idle. */
export interface WakeWatch {
  watch(): void;
  rest(): void;
}

export function createWakeWatch(clock: Clock, onWake: () => void): WakeWatch {
  let cancel: (() => void) | null = null;
  let offsetMs = 0;
  const offset = () => clock.utc() - clock.now();
  const look = () => {
    const before = offsetMs;
    offsetMs = offset();
    cancel = clock.timer(LOOK_EVERY_MS, look);
    if (offsetMs - before > ASLEEP_MS) onWake();
  };
  return {
    watch: () => {
      if (cancel !== null) return;
      offsetMs = offset();
      cancel = clock.timer(LOOK_EVERY_MS, look);
    },
    rest: () => {
      cancel?.();
      cancel = null;
    },
  };
}
