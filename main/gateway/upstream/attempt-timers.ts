import type { AttemptOrder, Clock } from '../ports.ts';

export type TimeoutCode = 'upstream.timeout_idle' | 'upstream.timeout_attempt' | 'upstream.timeout_whole';

/** The three limits of an attempt (SPEC 2.5, 8.2, 8.3), all by the clock port. */
export interface AttemptTimers {
  /** Something came that counts: the silence begins anew. */
  feed(): void;
  /** Silence does not count while the client is what is slow. */
  holdIdle(): void;
  releaseIdle(): void;
  /** The answer is under way: only silence ends it now. */
  committed(): void;
  clear(): void;
}

/** Starts them; `expired` is called at most once. `streamed` attempts have the idle limit. */
export function startAttemptTimers(clock: Clock, order: AttemptOrder, streamed: boolean, expired: (code: TimeoutCode) => void): AttemptTimers {
  let over = false;
  let fedAtMs = clock.now();
  let cancelIdle: (() => void) | null = null;
  const limits: (() => void)[] = [];

  const clear = (): void => {
    over = true;
    cancelIdle?.();
    committed();
  };
  const committed = (): void => { for (const cancel of limits.splice(0)) cancel(); };
  const expire = (code: TimeoutCode): void => {
    if (over) return;
    clear();
    expired(code);
  };
  // Events come by the thousand and the limit is minutes: feeding only notes the time, the timer looks at it when it is due.
  const watchIdle = (): void => {
    cancelIdle = clock.timer(fedAtMs + order.idleTimeoutMs - clock.now(), () => {
      cancelIdle = null;
      if (fedAtMs + order.idleTimeoutMs <= clock.now()) expire('upstream.timeout_idle');
      else watchIdle();
    });
  };

  if (streamed) watchIdle();
  if (order.attemptTimeoutMs > 0) limits.push(clock.timer(order.attemptTimeoutMs, () => { expire('upstream.timeout_attempt'); }));
  if (order.wholeLeftMs !== null) limits.push(clock.timer(Math.max(0, order.wholeLeftMs), () => { expire('upstream.timeout_whole'); }));

  return {
    feed: () => { fedAtMs = clock.now(); },
    holdIdle: () => {
      cancelIdle?.();
      cancelIdle = null;
    },
    releaseIdle: () => {
      fedAtMs = clock.now();
      if (streamed && !over && cancelIdle === null) watchIdle();
    },
    committed,
    clear,
  };
}
