// A signal to the whole process group reaches this process by itself and once more from the parent that passes it on: the same
// signal again within this time is one.
const SAME_SIGNAL_MS = 500;

export interface SignalParts {
  /** Monotonic ms. */
  now(): number;
  /** The first signal. */
  stop(): void;
  /** Every further one. */
  hurry(): void;
}

/** Tells the first signal to stop from those that mean at once (SPEC 17). */
export function createSignalHandler({ now, stop, hurry }: SignalParts): (signal: string) => void {
  let first: { readonly signal: string; readonly atMs: number } | null = null;
  return (signal) => {
    if (first === null) {
      first = { signal, atMs: now() };
      stop();
    } else if (signal !== first.signal || now() - first.atMs >= SAME_SIGNAL_MS) {
      hurry();
    }
  };
}
