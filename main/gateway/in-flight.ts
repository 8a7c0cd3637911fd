import { assertNever } from '../../shared/assert-never.ts';
import type { ExchangeEvent, InFlight } from '../../shared/events.ts';

/** What is running now, folded from the events of the exchanges: what late windows get first (SPEC 13). */
export interface InFlightList {
  note(event: ExchangeEvent): void;
  /** Oldest first. */
  list(): readonly InFlight[];
  count(): number;
  /** Resolves when nothing runs any more. */
  empty(): Promise<void>;
}

export function createInFlightList(): InFlightList {
  // An exchange enters with `started` and leaves with `finished`, which every exchange writes exactly once (law 9).
  const running = new Map<string, InFlight>();
  let waiting: (() => void)[] = [];
  return {
    note: (event) => {
      if (event.kind === 'finished') {
        running.delete(event.id);
        if (running.size > 0) return;
        const resolve = waiting;
        waiting = [];
        for (const done of resolve) done();
        return;
      }
      const next = foldInFlight(running.get(event.id) ?? null, event);
      if (next !== null) running.set(event.id, next);
    },
    list: () => [...running.values()],
    count: () => running.size,
    empty: () => (running.size === 0 ? Promise.resolve() : new Promise((resolve) => { waiting.push(resolve); })),
  };
}

function foldInFlight(before: InFlight | null, event: Exclude<ExchangeEvent, { kind: 'finished' }>): InFlight | null {
  if (event.kind === 'started') return { row: event.row, state: 'attempting', upstream: null, retries: 0, pause: null };
  if (before === null) return null;
  switch (event.kind) {
    case 'attempt_started': return { ...before, state: 'attempting', upstream: event.upstream, retries: event.round, pause: null };
    case 'pausing': return { ...before, state: 'pausing', pause: event };
    case 'pause_ended': return { ...before, state: 'attempting', pause: null };
    case 'queued': return { ...before, state: 'queued' };
    case 'released': return { ...before, state: 'answering', upstream: event.upstream, pause: null };
    case 'attempt_failed': return before;
    default: return assertNever(event);
  }
}
