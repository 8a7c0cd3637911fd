import type { ExchangeEvent } from '../../shared/events.ts';
import type { Clock, ContentsJournal, Journal, Log } from '../gateway/ports.ts';
import { createLossCount, type Losses } from './losses.ts';
import type { LogBatch, RowsWritten } from './protocol.ts';
import { createRowQueue } from './row-queue.ts';
import { withoutUnsendable } from './unsendable.ts';

// With the time of the transaction itself a row is on disk within 100 ms (SPEC 12.3).
const BATCH_MS = 50;
// When the log was quiet before, an end is there at once for who looks, and costs a transaction of its own.
const SOON_MS = 10;
const FIRST_AGAIN_MS = 500;
const LONGEST_AGAIN_MS = 30_000;
// Refused requests may come from a hostile page (SPEC 12.4).
const REFUSED_PER_MINUTE = 60;

/** The journal of the store: takes events and contents without ever waiting, writes them in batches. */
export interface RowJournal extends Journal, ContentsJournal {
  losses(): Losses;
  /** Resolves when all that was noted before is written or lost: true; false when the disk does not take it now. */
  flush(): Promise<boolean>;
  /** As `flush`; what cannot be written then is lost. */
  close(): Promise<void>;
}

export interface JournalParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Rejects when the writer cannot be reached now, and throws a `DataCloneError` when something in the batch cannot be handed over. */
  write(batch: LogBatch): Promise<RowsWritten>;
  /** Told after anything of `losses` has changed. */
  changed(): void;
}

export function createJournal({ clock, log, write, changed }: JournalParts): RowJournal {
  const queue = createRowQueue();
  const losses = createLossCount({ clock, log, changed });
  let refusedWindow = { startedMs: -Infinity, count: 0 };
  let writing: Promise<boolean> | null = null;
  let timer: { readonly dueMs: number; cancel(): void } | null = null;
  let lastSentMs = -Infinity;
  let stuck = false;
  let againMs = FIRST_AGAIN_MS;

  const schedule = (waitMs: number): void => {
    const dueMs = clock.now() + waitMs;
    if (writing !== null || (timer !== null && timer.dueMs <= dueMs)) return;
    timer?.cancel();
    timer = {
      dueMs,
      cancel: clock.timer(waitMs, () => {
        timer = null;
        void send();
      }),
    };
  };

  /** For something new: soon, yet no batch follows the one before at once; and a disk that takes nothing is asked at its own pace. */
  const scheduleNext = (waitMs: number): void => {
    if (!stuck) schedule(Math.max(waitMs, lastSentMs + BATCH_MS - clock.now()));
  };

  const send = (): Promise<boolean> => {
    if (writing !== null) return writing;
    timer?.cancel();
    timer = null;
    if (queue.isEmpty()) return Promise.resolve(true);
    lastSentMs = clock.now();
    const inQueue = queue.rows();
    const batch = queue.next();
    writing = writeBatch(batch).then((written) => {
      writing = null;
      if (queue.isEmpty()) return written;
      // What did not fit into the batch has waited already.
      if (!written) schedule(againMs);
      else schedule(inQueue > batch.rows.length || batch.rows.length === 0 ? 0 : BATCH_MS);
      return written;
    });
    return writing;
  };

  const writeBatch = async (batch: LogBatch): Promise<boolean> => {
    let answer: RowsWritten;
    try {
      answer = await write(batch);
    } catch (error) {
      const rest = isCloneError(error) ? withoutUnsendable(batch) : batch;
      losses.rows(endsIn(batch) - endsIn(rest), String(error));
      losses.contents(batch.contents.length - rest.contents.length);
      for (const change of batch.rows) if (change.kind === 'finished' && !rest.rows.includes(change)) queue.takeBack(change.id);
      if (rest.rows.length + rest.contents.length < batch.rows.length + batch.contents.length) return writeBatch(rest);
      answer = { kind: 'later', reason: error instanceof Error ? error.message : String(error) };
    }
    if (answer.kind === 'written') {
      stuck = false;
      losses.waits(null);
      losses.rows(answer.lost, answer.reason ?? 'unknown');
      losses.contents(answer.lostContents);
      againMs = FIRST_AGAIN_MS;
      return true;
    }
    stuck = true;
    againMs = losses.waits(answer.reason) ? FIRST_AGAIN_MS : Math.min(againMs * 2, LONGEST_AGAIN_MS);
    queue.putBack(batch);
    losses.contents(queue.takeDropped());
    return false;
  };

  const mayWriteRefused = (): boolean => {
    const nowMs = clock.now();
    if (nowMs - refusedWindow.startedMs >= 60_000) refusedWindow = { startedMs: nowMs, count: 0 };
    return ++refusedWindow.count <= REFUSED_PER_MINUTE;
  };

  const take = (event: ExchangeEvent): void => {
    if (event.kind === 'started') {
      // One that finds no room loses nothing: the end will bring the whole row.
      queue.put(event);
    } else if (event.kind === 'finished') {
      if (event.row.outcome === 'refused' && !mayWriteRefused()) {
        losses.refused();
        queue.put({ kind: 'forget', id: event.id });
      } else if (!queue.put(event)) {
        losses.rows(1, 'too many rows wait to be written');
        queue.takeBack(event.id);
      }
    } else {
      return;
    }
    losses.contents(queue.takeDropped());
    scheduleNext(event.kind === 'started' ? BATCH_MS : SOON_MS);
  };

  const flush = async (): Promise<boolean> => {
    if (writing !== null && !(await writing)) return false;
    while (!queue.isEmpty()) if (!(await send())) return false;
    return true;
  };

  return {
    note: (event) => {
      try {
        take(event);
      } catch (error) {
        losses.rows(event.kind === 'finished' ? 1 : 0, String(error));
      }
    },
    keep: (id, contents, characters) => {
      queue.keep(id, contents, characters);
      losses.contents(queue.takeDropped());
      scheduleNext(BATCH_MS);
    },
    losses: () => losses.now(),
    flush,
    close: async () => {
      if (!(await flush())) {
        while (!queue.isEmpty()) {
          const rest = queue.next();
          losses.rows(endsIn(rest), 'the database could not be written at the end');
          losses.contents(rest.contents.length);
        }
      }
      timer?.cancel();
      timer = null;
    },
  };
}

function endsIn(batch: LogBatch): number {
  return batch.rows.filter((change) => change.kind === 'finished').length;
}

function isCloneError(error: unknown): boolean {
  return error instanceof Error && error.name === 'DataCloneError';
}
