import type { Clock } from '../gateway/ports.ts';

// setTimeout fires at once above this; longer waits are made of several.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock: monotonic from `performance.now`, wall time from `Date.now`, timers from `setTimeout`. */
export const systemClock: Clock = {
  now: () => performance.now(),
  utc: () => Date.now(),
  timer: startTimer,
  sleep,
};

function startTimer(waitMs: number, fire: () => void): () => void {
  const dueMs = performance.now() + waitMs;
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    // A timer may fire a fraction of a millisecond early, so the rest is looked at again.
    handle = setTimeout(() => {
      const stillMs = dueMs - performance.now();
      if (stillMs > 0) arm(stillMs);
      else fire();
    }, Math.min(Math.ceil(Math.max(leftMs, 0)), LONGEST_TIMER_MS));
  };
  arm(waitMs);
  return () => { clearTimeout(handle); };
}

function sleep(waitMs: number, until: AbortSignal): Promise<void> {
  if (until.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      until.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = startTimer(waitMs, wake);
    until.addEventListener('abort', wake);
  });
}
