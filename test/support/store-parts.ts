import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOpening, type StoreParts } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import type { ExchangeRow } from '../../shared/log.ts';

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

/** A row of the log that has ended well. */
export function rowWith(changes: Partial<ExchangeRow> = {}): ExchangeRow {
  return {
    id: '0193-0001', started_at: 1_795_990_000_000, ended_at: 1_795_990_001_500, state: 'done', outcome: 'success', key_name: 'default',
    client: 'curl', session_id: null, format: 'anthropic', path: '/v1/messages', model_asked: 'm-test', model_served: 'm-test', route: 'r',
    upstream: 'A', streamed: true, status: 200, error_code: null, error_message: null, retries: 0, attempts: 1, failovers: 0, give_up: null,
    pause_ms: 0, queued_ms: 0, first_content_ms: 320.5, duration_ms: 1_500, request_bytes: 120, answer_bytes: 900, input_tokens: 12,
    output_tokens: 34, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null, cost_micros: null, client_retry: null,
    detail: { attempts: [] }, ...changes,
  };
}
