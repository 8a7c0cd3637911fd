import type { Clock } from './ports.ts';

/** A clock that knows no waiting: it jumps from timer to timer while `runUntil` drives it. */
export interface SimulatedClock extends Clock {
  /** Runs timers in the order of their time until `over` or nothing is left to run. `turn` lets everything that can go on go on. False when nothing was left and it is not over. */
  runUntil(over: () => boolean, turn: () => Promise<void>): Promise<boolean>;
}

interface Timer { readonly dueMs: number; readonly order: number; readonly fire: () => void }

/** Begins at the time of another clock. */
export function createSimulatedClock(from: Clock): SimulatedClock {
  const utcLeadMs = from.utc() - from.now();
  // A timer leaves by firing or by its cancel.
  const timers = new Set<Timer>();
  let nowMs = from.now();
  let order = 0;

  const timer = (waitMs: number, fire: () => void): (() => void) => {
    const entry: Timer = { dueMs: nowMs + Math.max(0, waitMs), order: order++, fire };
    timers.add(entry);
    return () => { timers.delete(entry); };
  };
  const next = (): Timer | undefined => [...timers].reduce<Timer | undefined>((first, one) => (first === undefined || one.dueMs < first.dueMs || (one.dueMs === first.dueMs && one.order < first.order) ? one : first), undefined);

  return {
    now: () => nowMs,
    utc: () => nowMs + utcLeadMs,
    timer,
    sleep: (waitMs, until) => new Promise((resolve) => {
      if (until.aborted) { resolve(); return; }
      const wake = (): void => {
        cancel();
        until.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = timer(waitMs, wake);
      until.addEventListener('abort', wake);
    }),
    runUntil: async (over, turn) => {
      for (;;) {
        await turn();
        if (over()) return true;
        const due = next();
        if (due === undefined) return false;
        timers.delete(due);
        nowMs = due.dueMs;
        due.fire();
      }
    },
  };
}
