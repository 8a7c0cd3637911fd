import type { ExchangeEvent, InFlight } from '../../shared/events.ts';
import type { IpcEvents } from '../../shared/ipc.ts';
import type { Clock } from '../gateway/ports.ts';

/** A window gets at most one batch in this time. */
const BATCH_EVERY_MS = 100;

export interface EventBridgeParts {
  readonly clock: Clock;
  /** Whether somebody could see the window. */
  isVisible(): boolean;
  send<K extends 'exchanges.events' | 'exchanges.snapshot'>(channel: K, payload: IpcEvents[K]): void;
  inFlight(): readonly InFlight[];
}

export interface EventBridge {
  /** Takes one event of the gateway; it is sent within 100 ms, or never when nobody looks. */
  note(event: ExchangeEvent): void;
  /** The window came into sight, or its page has loaded: everything that runs is sent, and events follow. */
  visible(): void;
  stop(): void;
}

/** Carries exchange events to the window (SPEC 13): in batches, none while it is hidden. */
export function createEventBridge(parts: EventBridgeParts): EventBridge {
  let batch: ExchangeEvent[] = [];
  let cancel: (() => void) | null = null;
  const take = (): ExchangeEvent[] => {
    cancel?.();
    cancel = null;
    const events = withoutOvertaken(batch);
    batch = [];
    return events;
  };
  const flush = (): void => {
    const events = take();
    if (events.length > 0 && parts.isVisible()) parts.send('exchanges.events', events);
  };
  return {
    note(event) {
      if (!parts.isVisible()) return;
      batch.push(event);
      cancel ??= parts.clock.timer(BATCH_EVERY_MS, flush);
    },
    visible() {
      // Ends that wait in the batch are not in the snapshot.
      flush();
      if (parts.isVisible()) parts.send('exchanges.snapshot', parts.inFlight());
    },
    stop: () => { take(); },
  };
}

/** The events without those that a later end of the same exchange overtakes: an end carries the whole row. */
export function withoutOvertaken(events: readonly ExchangeEvent[]): ExchangeEvent[] {
  const ended = new Set(events.filter((event) => event.kind === 'finished').map((event) => event.id));
  return events.filter((event) => event.kind === 'finished' || !ended.has(event.id));
}
