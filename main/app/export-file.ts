import { randomUUID } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ExportFailure, ExportOutcome, ExportProgress } from '../../shared/export.ts';
import type { LogCursor } from '../../shared/log.ts';
import type { ExportSlice } from '../store/protocol.ts';

export interface ExportFileParts {
  readonly file: string;
  /** What stands before the first row. */
  readonly head: string;
  /** The rows older than a cursor; null: from the newest on. Rejects when the log cannot be read. */
  slice(before: LogCursor | null): Promise<ExportSlice>;
  /** Rows there will be; may come at any time, and rejecting it means that nobody knows. */
  readonly total: Promise<number | null>;
  progress(progress: ExportProgress): void;
}

/** Writes rows slice by slice beside the file and puts it in its place at the end: whoever looks finds the old file or the whole new one. Never rejects. */
export async function writeExport(parts: ExportFileParts, cancelled: AbortSignal): Promise<ExportOutcome> {
  // Hidden, and readable by its user alone: it holds what was asked of whom.
  const beside = join(dirname(parts.file), `.${basename(parts.file).slice(0, 100)}.${randomUUID()}.part`);
  // Followed before anything is waited for: a count that fails is no fault of the export.
  let known: number | null = null;
  parts.total.then((count) => { known = count; }, () => undefined);
  let handle: FileHandle | null = null;
  try {
    handle = await open(beside, 'wx', 0o600);
    const end = await writeRows(parts, handle, () => known, cancelled);
    // A full disk may tell only now.
    if (end.kind === 'written') await handle.sync();
    await handle.close();
    handle = null;
    const outcome = cancelled.aborted ? { kind: 'cancelled' as const } : end;
    if (outcome.kind === 'written') await rename(beside, parts.file);
    else await remove(beside);
    return outcome;
  } catch (error) {
    await handle?.close().catch(() => undefined);
    await remove(beside);
    return { kind: 'failed', reason: exportFailure(error) };
  }
}

async function writeRows({ file, head, slice, progress }: ExportFileParts, handle: FileHandle, total: () => number | null, cancelled: AbortSignal): Promise<ExportOutcome> {
  let written = 0;
  if (head !== '') await handle.writeFile(head);
  let before: LogCursor | null = null;
  for (;;) {
    if (cancelled.aborted) return { kind: 'cancelled' };
    const page: ExportSlice | null = await slice(before).catch(() => null);
    if (page === null) return { kind: 'failed', reason: 'log_unreadable' };
    if (page.bytes.byteLength > 0) await handle.writeFile(page.bytes);
    written += page.rows;
    progress({ written, total: total() });
    if (page.next === null) return { kind: 'written', file, rows: written };
    before = page.next;
  }
}

// What the folder does not let go of now is swept by nobody, so it is tried again for a moment.
function remove(file: string): Promise<void> {
  return rm(file, { force: true, maxRetries: 3 }).catch(() => undefined);
}

/** What an error of the file system means to the user. */
export function exportFailure(error: unknown): ExportFailure {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG': return 'disk_full';
    case 'ENOENT':
    case 'ENOTDIR': return 'folder_gone';
    case 'EBUSY':
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOTEMPTY': return 'file_in_use';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS': return 'not_allowed';
    default: return 'unknown';
  }
}
