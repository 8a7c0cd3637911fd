import type { ExchangeEvent } from '../../shared/events.ts';
import type { Clock } from '../gateway/ports.ts';

// A row is on disk 100 ms after its end (SPEC 12.3); twice that and a little.
const KEPT_MS = 250;
const MOST_KEPT = 1_000;

type Finished = Extract<ExchangeEvent, { kind: 'finished' }>;

/** The ends of exchanges that may not be on disk yet: who reads the log now does not find them there. */
export interface RecentEnds {
  note(event: ExchangeEvent): void;
  /** Oldest first, at most 1,000. */
  list(): readonly ExchangeEvent[];
}

/** Keeps the ends of the last quarter of a second. */
export function createRecentEnds(clock: Clock): RecentEnds {
  let ends: { readonly atMs: number; readonly event: Finished }[] = [];
  const recent = () => ends.filter(({ atMs }) => atMs > clock.now() - KEPT_MS).slice(-MOST_KEPT);
  return {
    note(event) {
      if (event.kind !== 'finished') return;
      // Sorted out once in a while, so that noting costs nothing.
      if (ends.length >= 2 * MOST_KEPT || (ends[0]?.atMs ?? Infinity) < clock.now() - 4 * KEPT_MS) ends = recent();
      ends.push({ atMs: clock.now(), event });
    },
    list: () => recent().map(({ event }) => event),
  };
}
