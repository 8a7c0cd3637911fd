import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOpening, type StoreParts } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';

export { rowWith } from './rows.ts';

/** A folder that goes when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-store-'));
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }); });
  return folder;
}

/** What a log was told. */
export interface LogLine { readonly level: 'info' | 'warn' | 'error'; readonly message: string; readonly fields: Readonly<Record<string, unknown>> | undefined }

/** A log that remembers. */
export function recordingLog() {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (message: string, fields?: Readonly<Record<string, unknown>>): void => { lines.push({ level, message, fields }); };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** Opens a store on a folder with real files, real threads and the real clock. */
export function openAt(dataDir: string, parts: Partial<StoreParts> = {}): Promise<StoreOpening> {
  return openStore({ dataDir, secretBox: createSecretFile(join(dataDir, 'secrets.json')), log: recordingLog(), clock: systemClock, ...parts });
}

/** As `openAt`, and closed when the test has ended; a refusal fails the test. */
export async function openedStore(dataDir: string, parts: Partial<StoreParts> = {}): Promise<Store> {
  const opening = await openAt(dataDir, parts);
  if (opening.kind !== 'open') throw new Error(`the store was refused: ${JSON.stringify(opening)}`);
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= opening.store.close());
  onTestFinished(close);
  return { ...opening.store, close };
}
