/** One kind of load, as the load client takes it. Bytes of the request body, seconds of measuring. */
export type Work =
  | { readonly kind: 'whole'; readonly atOnce: number; readonly bodyBytes: number; readonly secs: number }
  | { readonly kind: 'first_event'; readonly count: number; readonly bodyBytes: number }
  | { readonly kind: 'streams'; readonly streams: number; readonly eventsPerSec: number; readonly bodyBytes: number; readonly secs: number };

const SMALL = 2_048;
const LARGE = 800_000;

/** The works by name. */
export const WORKS = {
  'whole-1': { kind: 'whole', atOnce: 1, bodyBytes: SMALL, secs: 1.5 },
  'whole-64': { kind: 'whole', atOnce: 64, bodyBytes: SMALL, secs: 1.5 },
  'first-event': { kind: 'first_event', count: 200, bodyBytes: SMALL },
  'first-event-800k': { kind: 'first_event', count: 60, bodyBytes: LARGE },
  'streams-100': { kind: 'streams', streams: 100, eventsPerSec: 20, bodyBytes: SMALL, secs: 2.5 },
  'streams-500': { kind: 'streams', streams: 500, eventsPerSec: 20, bodyBytes: SMALL, secs: 2.5 },
  'streams-1000': { kind: 'streams', streams: 1_000, eventsPerSec: 20, bodyBytes: SMALL, secs: 2.5 },
  'whole-16-800k': { kind: 'whole', atOnce: 16, bodyBytes: LARGE, secs: 2 },
} as const satisfies Readonly<Record<string, Work>>;
export type WorkName = keyof typeof WORKS;
