/** Asked for at most this often. */
const APART_MS = 2_000;
/** A row is on disk a little after its end was told. */
const WRITTEN_MS = 300;
const MINUTE_MS = 60_000;

/** What a refresher works with. */
export interface RefresherParts {
  /** Ms since 1970. */
  now(): number;
  /** Calls once after so many ms; the answer cancels. */
  after(waitMs: number, fire: () => void): () => void;
  /** Whether anybody can see the window. */
  isSeen(): boolean;
  ask(): void;
}

/** Decides when what is shown is asked for anew: after changes, coalesced, and when a minute has passed; never while nobody can see it. */
export interface Refresher {
  /** Something has changed. */
  changed(): void;
  /** The window came into sight or went out of it. */
  seen(): void;
  stop(): void;
}

/** Makes a refresher, at a moment when everything has just been asked for. */
export function createRefresher({ now, after, isSeen, ask }: RefresherParts): Refresher {
  let askedAt = now();
  let cancelSoon: (() => void) | null = null;
  let cancelMinute: (() => void) | null = null;
  const changed = (): void => {
    if (!isSeen()) return;
    cancelSoon ??= after(Math.max(WRITTEN_MS, askedAt + APART_MS - now()), () => {
      cancelSoon = null;
      if (!isSeen()) return;
      askedAt = now();
      ask();
    });
  };
  const followMinutes = (): void => {
    cancelMinute?.();
    cancelMinute = !isSeen() ? null : after(MINUTE_MS - (now() % MINUTE_MS), () => {
      changed();
      followMinutes();
    });
  };
  followMinutes();
  return {
    changed,
    seen: () => {
      // What happened out of sight was not told.
      changed();
      followMinutes();
    },
    stop: () => {
      cancelSoon?.();
      cancelMinute?.();
    },
  };
}
