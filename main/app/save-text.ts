import type { ExportFailure } from '../../shared/export.ts';
import { writeExport } from './export-file.ts';

/** Writes a text into a file, whole or not at all, for its user alone; null when it is written. Never rejects. */
export async function saveText(file: string, text: string): Promise<ExportFailure | null> {
  const outcome = await writeExport({
    file, head: text, total: Promise.resolve(null), progress: () => undefined,
    slice: () => Promise.resolve({ bytes: new Uint8Array(), rows: 0, next: null }),
  }, new AbortController().signal);
  return outcome.kind === 'failed' ? outcome.reason : null;
}
