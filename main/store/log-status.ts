import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogStatus } from '../../shared/log-status.ts';
import type { Clock } from '../gateway/ports.ts';
import type { Losses } from './losses.ts';
import { DATABASE_NAME } from './protocol.ts';

const TOLD_EVERY_MS = 1_000;

/** How the writing of the log goes, asked and told. */
export interface StoredLogStatus {
  get(): Promise<LogStatus>;
  /** Told when something was lost, or waits, or waits no more; at most once a second. The answer ends it. */
  onChange(listener: (status: LogStatus) => void): () => void;
}

export interface LogStatusParts {
  readonly clock: Clock;
  readonly dataDir: string;
  losses(): Losses;
}

/** `changed` is to be called whenever `losses` may have changed, `stop` at the end. */
export function createLogStatus({ clock, dataDir, losses }: LogStatusParts): StoredLogStatus & { changed(): void; stop(): void } {
  const listeners = new Set<(status: LogStatus) => void>();
  let cancel: (() => void) | null = null;
  const get = async (): Promise<LogStatus> => {
    const { rows, refused, bodies, waiting } = losses();
    return { rowsLost: rows, refusedNotWritten: refused, bodiesLost: bodies, waiting, sizeBytes: await sizeOf(join(dataDir, DATABASE_NAME)) };
  };
  const tell = async (): Promise<void> => {
    const status = await get();
    for (const listener of [...listeners]) listener(status);
  };
  return {
    get,
    onChange: (listener) => {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    changed: () => {
      if (listeners.size === 0) return;
      cancel ??= clock.timer(TOLD_EVERY_MS, () => {
        cancel = null;
        void tell();
      });
    },
    stop: () => {
      cancel?.();
      listeners.clear();
    },
  };
}

async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all([file, `${file}-wal`].map((path) => stat(path).then(({ size }) => size, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
