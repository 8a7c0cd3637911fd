import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';

/** Failures that the tray names. */
const MOST_FAILURES = 5;

export interface RecentFailures {
  note(event: ExchangeEvent): void;
  /** Newest first, at most five. */
  list(): readonly ExchangeRow[];
}

/** Keeps the last requests that failed since the app began. */
export function createRecentFailures(): RecentFailures {
  let rows: readonly ExchangeRow[] = [];
  return {
    note(event) {
      if (event.kind === 'finished' && (event.row.outcome === 'failed' || event.row.outcome === 'truncated')) rows = [event.row, ...rows].slice(0, MOST_FAILURES);
    },
    list: () => rows,
  };
}
