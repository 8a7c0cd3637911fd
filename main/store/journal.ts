import type { ExchangeEvent } from '../../shared/events.ts';
import type { Clock, Journal, Log } from '../gateway/ports.ts';
import { rowValues } from './log-row.ts';
import type { RowChange, RowsWritten } from './protocol.ts';

// With the time of the transaction itself a row is on disk within 100 ms (SPEC 12.3).
const BATCH_MS = 50;
const FIRST_AGAIN_MS = 500;
const LONGEST_AGAIN_MS = 30_000;
const MOST_ROWS = 10_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;
// Refused requests may come from a hostile page (SPEC 12.4).
const REFUSED_PER_MINUTE = 60;

export interface Losses {
  /** Ends of exchanges that are not on disk and never will be. */
  readonly rows: number;
  /** Refused requests beyond 60 a minute, counted instead of written. */
  readonly refused: number;
  /** Headers and bodies that are not on disk and never will be. */
  readonly bodies: number;
  /** The disk does not take rows now. */
  readonly waiting: boolean;
}

/** The journal of the store: takes events without ever waiting, writes their rows in batches. */
export interface RowJournal extends Journal {
  losses(): Losses;
  /** Resolves when all that was noted before is written or lost: true; false when the disk does not take it now. */
  flush(): Promise<boolean>;
  /** As `flush`; what cannot be written then is lost. */
  close(): Promise<void>;
}

export interface JournalParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Rejects only when the writer is gone for good. */
  write(changes: readonly RowChange[]): Promise<RowsWritten>;
  /** Told after anything of `losses` has changed. */
  changed(): void;
}

export function createJournal({ clock, log, write, changed }: JournalParts): RowJournal {
  // By exchange, in the order of the first change; emptied by each batch.
  let waiting = new Map<string, RowChange>();
  let characters = 0;
  let lostRows = 0;
  let refused = 0;
  let refusedWindow = { startedMs: -Infinity, count: 0 };
  let writing: Promise<boolean> | null = null;
  let cancelTimer: (() => void) | null = null;
  // Null while the disk takes what it is given.
  let againMs: number | null = null;

  const lose = (count: number, reason: string): void => {
    if (count === 0) return;
    lostRows += count;
    changed();
    log.error('rows of the log are lost', { count, reason });
  };

  const put = (id: string, change: RowChange): void => {
    const known = waiting.get(id);
    if (known === undefined && (waiting.size >= MOST_ROWS || characters >= MOST_CHARACTERS)) {
      // A begin that finds no room loses nothing: the end will bring the whole row.
      if (change.kind === 'finish') lose(1, 'too many rows wait to be written');
      return;
    }
    waiting.set(id, change);
    characters += sizeOf(change) - (known === undefined ? 0 : sizeOf(known));
    if (writing === null && cancelTimer === null) schedule(BATCH_MS);
  };

  const schedule = (waitMs: number): void => {
    cancelTimer = clock.timer(waitMs, () => {
      cancelTimer = null;
      void send();
    });
  };

  const send = (): Promise<boolean> => {
    if (writing !== null) return writing;
    cancelTimer?.();
    cancelTimer = null;
    if (waiting.size === 0) return Promise.resolve(true);
    const batch = waiting;
    waiting = new Map();
    characters = 0;
    writing = writeBatch(batch).finally(() => {
      writing = null;
    }).then((written) => {
      if (waiting.size > 0 && cancelTimer === null) schedule(written ? BATCH_MS : againMs ?? FIRST_AGAIN_MS);
      return written;
    });
    return writing;
  };

  const writeBatch = async (batch: Map<string, RowChange>): Promise<boolean> => {
    let answer: RowsWritten;
    try {
      answer = await write([...batch.values()]);
    } catch (error) {
      lose(endsIn(batch), String(error));
      return true;
    }
    if (answer.kind === 'written') {
      if (againMs !== null) log.info('rows of the log are written again');
      if (againMs !== null) changed();
      againMs = null;
      lose(answer.lost, answer.reason ?? 'unknown');
      return true;
    }
    // Told once, not at every try.
    if (againMs === null) log.warn('rows of the log wait: the database cannot be written now', { reason: answer.reason });
    if (againMs === null) changed();
    againMs = againMs === null ? FIRST_AGAIN_MS : Math.min(againMs * 2, LONGEST_AGAIN_MS);
    // Changes that came meanwhile are newer. The batch was within the bound, and goes ahead of what has come since.
    const since = waiting;
    waiting = batch;
    characters = [...batch.values()].reduce((sum, change) => sum + sizeOf(change), 0);
    for (const [id, change] of since) put(id, change);
    return false;
  };

  const mayWriteRefused = (): boolean => {
    const nowMs = clock.now();
    if (nowMs - refusedWindow.startedMs >= 60_000) refusedWindow = { startedMs: nowMs, count: 0 };
    return ++refusedWindow.count <= REFUSED_PER_MINUTE;
  };

  const take = (event: ExchangeEvent): void => {
    if (event.kind === 'started') {
      put(event.id, { kind: 'begin', values: rowValues(event.row) });
    } else if (event.kind === 'finished') {
      if (event.row.outcome !== 'refused' || mayWriteRefused()) {
        put(event.id, { kind: 'finish', values: rowValues(event.row) });
      } else {
        refused++;
        changed();
        put(event.id, { kind: 'forget', id: event.id });
      }
    }
  };

  const flush = async (): Promise<boolean> => {
    if (writing !== null && !(await writing)) return false;
    while (waiting.size > 0) if (!(await send())) return false;
    return true;
  };

  return {
    note: (event) => {
      try {
        take(event);
      } catch (error) {
        lose(event.kind === 'finished' ? 1 : 0, String(error));
      }
    },
    losses: () => ({ rows: lostRows, refused, bodies: 0, waiting: againMs !== null }),
    flush,
    close: async () => {
      if (!(await flush())) lose(endsIn(waiting), 'the database could not be written at the end');
      cancelTimer?.();
      cancelTimer = null;
    },
  };
}

function endsIn(batch: ReadonlyMap<string, RowChange>): number {
  return [...batch.values()].filter((change) => change.kind === 'finish').length;
}

function sizeOf(change: RowChange): number {
  if (change.kind === 'forget') return 0;
  return change.values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
}
