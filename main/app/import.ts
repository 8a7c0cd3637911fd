import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImportResult } from '../../shared/ipc.ts';
import type { ImportOutcome } from '../store/import-document.ts';
import { parseDocumentText } from '../store/import-document.ts';

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Imports the document in a file, all or nothing (SPEC 18.2). A file that cannot be read is a fault like any other. */
export async function importFile(file: string, take: (input: unknown) => Promise<ImportOutcome>): Promise<ImportResult> {
  const name = basename(file);
  const text = await readText(file);
  if (!text.ok) return { kind: 'refused', file: name, faults: [{ path: '', message: text.reason }] };
  const parsed = parseDocumentText(text.text);
  if (!parsed.ok) return { kind: 'refused', file: name, faults: parsed.faults };
  const outcome = await take(parsed.input);
  if (outcome.kind === 'refused') return { kind: 'refused', file: name, faults: outcome.faults };
  const { settings, upstreams, routes, keys } = outcome;
  return { kind: 'imported', file: name, settings, upstreams, routes, keys };
}

async function readText(file: string): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }> {
  try {
    const { size } = await stat(file);
    if (size > MAX_DOCUMENT_BYTES) return { ok: false, reason: `the file is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB` };
    return { ok: true, text: await readFile(file, 'utf8') };
  } catch (error) {
    return { ok: false, reason: `the file cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}
