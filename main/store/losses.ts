import type { Clock, Log } from '../gateway/ports.ts';

// A disk that takes nothing for hours loses thousands of rows: told in sums, not one by one.
const TOLD_EVERY_MS = 60_000;

export interface Losses {
  /** Ends of exchanges that are not on disk and never will be. */
  readonly rows: number;
  /** Refused requests beyond 60 a minute, counted instead of written. */
  readonly refused: number;
  /** Headers and bodies that are not on disk and never will be. */
  readonly bodies: number;
  /** The disk does not take rows now. */
  readonly waiting: boolean;
}

/** Counts what is lost and tells it: the first of a reason at once, more of the same in sums. */
export interface LossCount {
  rows(count: number, reason: string): void;
  contents(count: number): void;
  refused(): void;
  /** The disk does not take rows, for this reason; null: it does. Answers whether that is news. */
  waits(reason: string | null): boolean;
  now(): Losses;
}

export function createLossCount({ clock, log, changed }: { readonly clock: Clock; readonly log: Log; changed(): void }): LossCount {
  const lost = { rows: 0, refused: 0, bodies: 0 };
  let waiting = false;
  let told: { readonly reason: string; readonly atMs: number } | null = null;
  let untold = 0;

  return {
    rows: (count, reason) => {
      if (count === 0) return;
      lost.rows += count;
      untold += count;
      if (told?.reason !== reason || clock.now() - told.atMs >= TOLD_EVERY_MS) {
        log.error('rows of the log are lost', { count: untold, reason });
        told = { reason, atMs: clock.now() };
        untold = 0;
      }
      changed();
    },
    contents: (count) => {
      if (count === 0) return;
      lost.bodies += count;
      changed();
    },
    refused: () => {
      lost.refused++;
      changed();
    },
    waits: (reason) => {
      const news = waiting !== (reason !== null);
      if (!news) return false;
      waiting = reason !== null;
      if (waiting) log.warn('rows of the log wait: the database cannot be written now', { reason });
      else log.info('rows of the log are written again');
      changed();
      return true;
    },
    now: () => ({ ...lost, waiting }),
  };
}
