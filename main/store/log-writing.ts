import type { Settings } from '../../shared/settings.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import { createJournal, type RowJournal } from './journal.ts';
import { createLogStatus, type StoredLogStatus } from './log-status.ts';
import { createRetention } from './retention.ts';
import type { WriterThread } from './writer-thread.ts';

export interface LogWritingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly writer: Pick<WriterThread, 'call'>;
  settings(): Settings;
  /** What has to be masked in contents by its value. */
  secrets(): readonly string[];
  /** The database file had been removed and was put back: whoever has the removed one open must open it anew. */
  fileReplaced(): Promise<void>;
}

/** The writing half of the log: the journal, how it goes, and what is removed of it as time goes by. */
export interface LogWriting {
  readonly journal: RowJournal;
  readonly status: StoredLogStatus;
  /** Resolves when the sweeps have ended, some time after `until` has aborted. */
  readonly swept: Promise<void>;
  /** Writes what waits, and tells nobody any more. */
  close(): Promise<void>;
}

/** Sweeps until `until` aborts. */
export function startLogWriting({ clock, log, dataDir, writer, settings, secrets, fileReplaced }: LogWritingParts, until: AbortSignal): LogWriting {
  const status = createLogStatus({ clock, dataDir, losses: () => journal.losses() });
  const retention = createRetention({ clock, log, settings, step: (limits) => writer.call('retain', limits) });
  const journal = createJournal({
    clock, log,
    write: async (batch) => {
      const written = await writer.call('write_rows', { ...batch, secrets: batch.contents.length === 0 ? [] : secrets() });
      if (written.kind !== 'written') return written;
      retention.grown(written.usedBytes);
      if (written.fileWasGone) {
        log.warn('the database file had been removed: it was put back');
        await fileReplaced();
      }
      return written;
    },
    changed: () => { status.changed(); },
  });
  return {
    journal, status,
    swept: retention.keep(until),
    close: async () => {
      await journal.close();
      status.stop();
    },
  };
}
