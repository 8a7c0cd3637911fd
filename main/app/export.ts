import { dirname, join } from 'node:path';
import type { ExportFormat, ExportOutcome, ExportProgress, ExportRequest } from '../../shared/export.ts';
import type { LogCursor, LogFilter } from '../../shared/log.ts';
import type { Clock, Log } from '../gateway/ports.ts';
import { exportHead } from '../store/export-text.ts';
import type { ExportSlice } from '../store/protocol.ts';
import { writeExport } from './export-file.ts';
import { atMostEvery } from './throttle.ts';

/** The window is told at most five times a second. */
const PROGRESS_EVERY_MS = 200;

export interface ExportsParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Rows as text, older than the cursor. Rejects when the log cannot be read. */
  slice(request: ExportRequest, before: LogCursor | null): Promise<ExportSlice>;
  /** Rows that pass a filter; null when nobody knows. */
  count(filter: LogFilter): Promise<number | null>;
  /** Asks the user for the file, offering this one; null when they changed their mind. */
  choose(offered: string, as: ExportFormat): Promise<string | null>;
  /** Where the first export is offered to go. */
  folder(): string;
  progress(progress: ExportProgress): void;
}

/** Exports of the log, one at a time. */
export interface Exports {
  /** Asks for a file and writes it. One that was running is cancelled: its window was loaded anew. Never rejects for a fault of the disk. */
  start(request: ExportRequest): Promise<ExportOutcome>;
  /** Cancels the running export; resolves when nothing is left of it. */
  cancel(): Promise<void>;
}

/** Makes the app's exports; none runs. */
export function createExports(parts: ExportsParts): Exports {
  let running: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;
  let folder: string | null = null;
  const cancel = async (): Promise<void> => {
    running?.stop.abort();
    await running?.ended;
  };
  return {
    cancel,
    async start(request) {
      await cancel();
      folder ??= parts.folder();
      const file = await parts.choose(join(folder, exportName(request.as, parts.clock.utc())), request.as);
      if (file === null) return { kind: 'cancelled' };
      folder = dirname(file);
      // Another one may have been started while both dialogs stood open.
      await cancel();
      const stop = new AbortController();
      const ended = run(parts, request, file, stop.signal);
      const mine = { stop, ended };
      running = mine;
      const outcome = await ended;
      if (running === mine) running = null;
      return outcome;
    },
  };
}

/** `holdfast-requests-2026-11-30-1432.csv`, by the local clock. */
export function exportName(as: ExportFormat, utcMs: number): string {
  const now = new Date(utcMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `holdfast-requests-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}.${as}`;
}

async function run(parts: ExportsParts, request: ExportRequest, file: string, cancelled: AbortSignal): Promise<ExportOutcome> {
  let latest: ExportProgress = { written: 0, total: null };
  const tell = atMostEvery(parts.clock, PROGRESS_EVERY_MS, () => { parts.progress(latest); });
  const outcome = await writeExport({
    file,
    head: exportHead(request.as),
    slice: (before) => parts.slice(request, before),
    total: parts.count(request.filter),
    progress: (now) => {
      latest = now;
      tell.soon();
    },
  }, cancelled);
  tell.cancel();
  if (outcome.kind === 'failed') parts.log.error('an export could not be written', { reason: outcome.reason, rows: latest.written });
  return outcome;
}
