const LOOK_EVERY_MS = 24 * 3_600_000;
// The first minutes belong to the user, and a machine that has just started may not be online yet.
const FIRST_LOOK_MS = 10 * 60_000;
const AFTER_FAILURE_MS = 4 * 3_600_000;
// The monotonic clock may stand still while the machine sleeps, so the day is looked up again every hour.
const LOOK_UP_MS = 3_600_000;

/** `...Ms` is monotonic, `...UtcMs` since 1970. */
export interface LookFacts {
  readonly nowMs: number;
  readonly utcMs: number;
  readonly startedMs: number;
  /** When the feed was last read, also before this start. */
  readonly checkedAtUtcMs: number | null;
  /** When the last try of this start failed, null when it did not. */
  readonly failedMs: number | null;
}

/** How long to wait before the feed of updates is looked at, or before this is asked again: once a day, not right after the start. */
export function waitBeforeLook({ nowMs, utcMs, startedMs, checkedAtUtcMs, failedMs }: LookFacts): { readonly forMs: number; readonly thenLook: boolean } {
  // A time that has not come yet was written by a clock that was set back: it says nothing.
  const day = checkedAtUtcMs === null || checkedAtUtcMs > utcMs ? 0 : checkedAtUtcMs + LOOK_EVERY_MS - utcMs;
  const failure = failedMs === null ? 0 : failedMs + AFTER_FAILURE_MS - nowMs;
  const waitMs = Math.max(0, day, failure, startedMs + FIRST_LOOK_MS - nowMs);
  return waitMs > LOOK_UP_MS ? { forMs: LOOK_UP_MS, thenLook: false } : { forMs: waitMs, thenLook: true };
}
