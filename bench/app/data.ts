import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import { freePort } from '../free-port.ts';
import { logRow } from '../log-rows.ts';
import { KEY } from '../targets/target.ts';

/** A data folder that is ready to be used by the app. */
export interface AppData {
  readonly path: string;
  /** Port of its endpoint. */
  readonly port: number;
  remove(): void;
}

const MARK = 'bench-rows.json';
const BATCH = 5_000;
const BETWEEN_ROWS_MS = 2_500;

/** Prepares a data folder with one upstream and a log of so many rows, newest a moment ago. With a folder that is kept the rows are made once. */
export async function appData(upstreamUrl: string, rows: number, kept: string | null, say: (text: string) => void): Promise<AppData> {
  const path = kept ?? mkdtempSync(join(tmpdir(), 'holdfast-bench-app-'));
  mkdirSync(path, { recursive: true });
  const port = await freePort();
  const opening = await openStore({ dataDir: path, secretBox: createSecretFile(join(path, 'secrets.json')), log: { info: () => undefined, warn: say, error: say }, clock: systemClock });
  if (opening.kind !== 'open') throw new Error(`the store of ${path} was refused: ${JSON.stringify(opening)}`);
  const { store } = opening;
  try {
    const outcome = await store.importDocument(documentFor(upstreamUrl, port));
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.faults));
    const mark = join(path, MARK);
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== String(rows)) {
      await fill(store, rows, say);
      writeFileSync(mark, String(rows));
    }
  } finally {
    await store.close();
  }
  return { path, port, remove: () => { if (kept === null) rmSync(path, { recursive: true, force: true, maxRetries: 5 }); } };
}

async function fill({ journal, flush }: Store, rows: number, say: (text: string) => void): Promise<void> {
  const bornMs = Date.now() - rows * BETWEEN_ROWS_MS;
  for (let n = 0; n < rows; n += BATCH) {
    for (let m = n; m < Math.min(n + BATCH, rows); m += 1) {
      const row = logRow(m, bornMs);
      journal.note({ kind: 'finished', id: row.id, row });
    }
    if (!await flush()) throw new Error('the disk does not take the rows');
    if (n % 100_000 === 0) say(`${n} rows made`);
  }
}

function documentFor(upstreamUrl: string, port: number): object {
  return {
    holdfast: 1,
    settings: {
      'gateway.port': port, 'logs.max_mb': 10_240, 'logs.retention_days': 365, 'gateway.breaker': { enabled: false }, 'gateway.retry_budget': { enabled: false },
      'gateway.retry_preset': 'custom', 'gateway.retry_policy': { backoff: 'constant', baseMs: 0, maxMs: 0, jitter: 0 },
    },
    upstreams: [{ id: 'mock', name: 'Mock', preset: 'generic', base_url: upstreamUrl, formats: ['anthropic', 'chat'], credential: { kind: 'stored', value: 'sk-bench' }, proxy: 'none' }],
    keys: [{ name: 'bench', key: KEY }],
  };
}
