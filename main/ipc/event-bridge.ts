import type { ExchangeEvent, InFlight } from '../../shared/events.ts';
import type { IpcEvents } from '../../shared/ipc.ts';
import type { Clock } from '../gateway/ports.ts';
import { createEventBatch } from './event-batch.ts';
import { createRecentEnds } from './recent-ends.ts';

/** A window gets at most one batch in this time. */
const BATCH_EVERY_MS = 100;
/** When more happens than a batch holds, the window is told in these steps: it reads its list anew with each. */
const ANEW_EVERY_MS = 1_000;

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

/**
 * Carries exchange events to the window (SPEC 13): in batches, none while it is hidden. Of more than a batch holds nothing is kept: the window
 * gets what runs then, as one that comes into sight does, and reads the rest from the log.
 */
export function createEventBridge(parts: EventBridgeParts): EventBridge {
  const batch = createEventBatch();
  const ends = createRecentEnds(parts.clock);
  let cancel: (() => void) | null = null;
  let overflowed = false;
  const wait = (ms: number, act: () => void): void => {
    cancel?.();
    cancel = parts.clock.timer(ms, act);
  };
  const settle = (): readonly ExchangeEvent[] => {
    cancel?.();
    cancel = null;
    overflowed = false;
    return batch.take();
  };
  const flush = (): void => {
    const events = settle();
    if (events.length > 0 && parts.isVisible()) parts.send('exchanges.events', events);
  };
  const anew = (): void => {
    settle();
    if (!parts.isVisible()) return;
    // Ends are in no snapshot, and the log may not have the last of them yet.
    const last = ends.list();
    if (last.length > 0) parts.send('exchanges.events', last);
    parts.send('exchanges.snapshot', parts.inFlight());
  };
  return {
    note(event) {
      ends.note(event);
      if (overflowed) return;
      if (cancel === null) {
        // Asked once for each batch, for it is the window system that answers.
        if (!parts.isVisible()) return;
        wait(BATCH_EVERY_MS, flush);
      }
      if (batch.add(event)) return;
      overflowed = true;
      batch.take();
      wait(ANEW_EVERY_MS, anew);
    },
    visible: anew,
    stop: () => { settle(); },
  };
}
