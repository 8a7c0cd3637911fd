import type { ExchangeEvent } from '../../shared/events.ts';

/** Weight of a batch: events, and the attempts in the rows they carry. About half a megabyte at most. */
const MOST_WEIGHT = 2_000;

/** Events on their way to the window, those of one exchange in their order. */
export interface EventBatch {
  /** False when the batch is full; it is to be given up then, for this event is missing. */
  add(event: ExchangeEvent): boolean;
  /** Everything in it, ends in the order in which they came; it is empty then. */
  take(): readonly ExchangeEvent[];
}

/** Makes an empty batch. What an end overtakes is let go at once: an end carries the whole row. */
export function createEventBatch(): EventBatch {
  let byExchange = new Map<string, ExchangeEvent[]>();
  let weight = 0;
  return {
    add(event) {
      const before = byExchange.get(event.id);
      if (event.kind === 'finished') {
        for (const overtaken of before ?? []) weight -= weightOf(overtaken);
        // Taken out first, so that it stands behind the ends that came before it.
        byExchange.delete(event.id);
        byExchange.set(event.id, [event]);
      } else if (before === undefined) byExchange.set(event.id, [event]);
      else before.push(event);
      weight += weightOf(event);
      return weight <= MOST_WEIGHT;
    },
    take() {
      const events = [...byExchange.values()].flat();
      byExchange = new Map();
      weight = 0;
      return events;
    },
  };
}

function weightOf(event: ExchangeEvent): number {
  return event.kind === 'finished' || event.kind === 'started' ? 1 + event.row.detail.attempts.length : 1;
}
