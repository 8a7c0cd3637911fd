import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { rowOf } from '../../main/store/log-row.ts';
import type { HoldfastDocument } from '../../shared/document.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import type { SettingKey } from '../../shared/settings.ts';
import type { CredentialDocument } from '../../shared/upstream.ts';
import { projectNode, root } from '../../scripts/lib/paths.mjs';

/** The gateway key of every document made here. */
export const TEST_KEY = 'hf-a-key-for-tests';

/** Pauses of a few ms, the rest as `patient`. */
const QUICK_POLICY = {
  backoff: 'exponential', baseMs: 5, maxMs: 40, jitter: 0.2, maxAttempts: 0, hint: 'follow', hintMinMs: 250,
  statuses: [500, 502, 503, 504, 529], retryOnTimeout: false, attemptTimeoutMs: 0,
} as const;

/** Settings with which the gateway retries at once; the number of rounds can be limited (0: not). */
export const quickRetries = (maxAttempts = 0): Partial<Record<SettingKey, unknown>> => ({
  'gateway.retry_wait_secs': 30, 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...QUICK_POLICY, maxAttempts },
});

/** A document with one upstream that speaks every format and takes any model. */
export function documentFor(
  upstreamUrl: string, settings: Partial<Record<SettingKey, unknown>>, credential: CredentialDocument = { kind: 'stored', value: 'sk-scripted' },
): HoldfastDocument {
  return {
    holdfast: 1,
    settings,
    upstreams: [{
      id: 'scripted', name: 'Scripted', preset: 'generic', base_url: upstreamUrl, formats: ['anthropic', 'chat', 'responses', 'gemini'],
      credential, headers: {}, proxy: 'none', models: [], max_in_flight: 0, enabled: true,
    }],
    routes: [],
    keys: [{ name: 'test', key: TEST_KEY }],
  };
}

/** A folder for the data of one gateway. */
export function dataFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-gateway-'));
  return { path, remove: () => { rmSync(path, { recursive: true, force: true, maxRetries: 5 }); } };
}

/** What is in the log of a data folder, oldest first. */
export function rowsIn(dataDir: string): readonly ExchangeRow[] {
  const database = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
  try {
    return database.prepare('SELECT * FROM gateway_logs ORDER BY started_at, id').all().map((record) => rowOf(record as Record<string, unknown>));
  } finally {
    database.close();
  }
}

/** A gateway without a window, in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  /** A key that it takes. */
  readonly key: string;
  /** Stops it as SIGTERM does, checks that it ended well, and gives what it has written to its log. */
  stop(): Promise<readonly ExchangeRow[]>;
}

/** Stops a process as a service manager would; its exit code. */
export async function terminate(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

/** The program as it stands in the sources, or as it is shipped (build first). */
const PROGRAMS = { source: join(root, 'main', 'headless.ts'), built: join(root, 'out', 'main', 'headless.js') } as const;

/** Runs the headless gateway on a data folder, with a document taken over before it listens. */
export async function startGatewayProcess(dataDir: string, document: HoldfastDocument, program: keyof typeof PROGRAMS): Promise<GatewayProcess> {
  const file = join(dataDir, 'document.json');
  writeFileSync(file, JSON.stringify(document), { mode: 0o600 });
  const child = spawn(projectNode, [PROGRAMS[program], '--data-dir', dataDir, '--port', '0', '--import', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  let log = '';
  child.stderr.on('data', (bytes: Buffer) => { log += bytes.toString(); });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => { reject(new Error(`the gateway ended with code ${code} before it listened:\n${log}`)); });
  });
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    key: TEST_KEY,
    stop: async () => {
      const code = await terminate(child);
      if (code !== 0) throw new Error(`the gateway ended with code ${code}:\n${log}`);
      return rowsIn(dataDir);
    },
  };
}
