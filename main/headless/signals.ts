// A signal to the whole process group reaches this process by itself and once more from the parent that passes it on: that is one.
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
export function createSignalHandler({ now, stop, hurry }: SignalParts): () => void {
  let firstMs: number | null = null;
  return () => {
    if (firstMs === null) {
      firstMs = now();
      stop();
    } else if (now() - firstMs >= SAME_SIGNAL_MS) {
      hurry();
    }
  };
}
