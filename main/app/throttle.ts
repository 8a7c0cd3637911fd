import type { Clock } from '../gateway/ports.ts';

export interface Throttle {
  /** Asks for a run; it comes after the time at the latest, and covers everything asked for until then. */
  readonly soon: () => void;
  readonly cancel: () => void;
}

/** Runs something at most once in `everyMs`, however often it is asked for. */
export function atMostEvery(clock: Clock, everyMs: number, run: () => void): Throttle {
  let cancel: (() => void) | null = null;
  return {
    soon() {
      cancel ??= clock.timer(everyMs, () => {
        cancel = null;
        run();
      });
    },
    cancel() {
      cancel?.();
      cancel = null;
    },
  };
}
