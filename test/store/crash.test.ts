import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openAt, openedStore, temporaryFolder } from '../support/store-parts.ts';

const program = fileURLToPath(new URL('./busy-process.ts', import.meta.url));
// A minute and a half of kills are for those who ask for them (`npm test -- store --hard`).
const KILLS = process.env['HOLDFAST_HARD'] === '1' ? 50 : 8;
const LONGEST_MS = 600_000;

interface Said { readonly noted?: number; readonly atMs?: number; readonly waitSecs?: number }

/** Starts the busy process; `said` is what it has said so far, `kill` ends it without a word of warning. */
function busy(dataDir: string, run: number) {
  const child = spawn(process.execPath, [program, dataDir, String(run)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => { child.on('close', () => { resolve(); }); });
  const said: Said[] = [];
  const lines = createInterface(child.stdout);
  let heard = (): void => undefined;
  lines.on('line', (line) => {
    said.push(JSON.parse(line));
    heard();
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    said, kill,
    /** When it has worked for so long by its own clock. */
    workedFor: (ms: number) => new Promise<void>((resolve, reject) => {
      const times = (): number[] => said.flatMap(({ atMs }) => (atMs === undefined ? [] : [atMs]));
      heard = () => { if ((times().at(-1) ?? 0) - (times()[0] ?? 0) >= ms) resolve(); };
      heard();
      void ended.then(() => { reject(new Error('the busy process has ended by itself')); });
    }),
  };
}

// SPEC 12.3, 14, 18.1
test(`after kill -9 under load, ${KILLS} times, the folder opens at once and nothing that ended a second before is missing`, async () => {
  const dataDir = temporaryFolder();
  for (let run = 0; run < KILLS; run++) {
    const writer = busy(dataDir, run);
    // At another point of the batches each time.
    await writer.workedFor(1_100 + run * 7);
    if (run === 0) expect((await openAt(dataDir)).kind).toBe('locked');
    const killedAtMs = Date.now();
    await writer.kill();

    const store = await openedStore(dataDir);
    expect(store.notices).toEqual([]);
    const db = new Database(join(dataDir, 'holdfast.db'), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare(`SELECT count(*) FROM gateway_logs WHERE state <> 'done' OR outcome IS NULL`).pluck().get()).toBe(0);
    const found = new Map(db.prepare('SELECT id, outcome FROM gateway_logs WHERE id LIKE ?').raw().all(`run-${String(run).padStart(3, '0')}-%`) as [string, string][]);
    const safe = writer.said.findLast(({ atMs }) => atMs !== undefined && atMs < killedAtMs - 1_000)?.noted ?? 0;
    expect(safe).toBeGreaterThan(0);
    for (let n = 0; n < safe; n++) {
      const id = `run-${String(run).padStart(3, '0')}-${String(n).padStart(7, '0')}`;
      expect(found.get(id), id).toBe(n % 3 === 0 ? 'interrupted' : 'success');
    }
    // Figures say what the rows say, whatever of them came to the disk; nothing is kept beside a row that is not there.
    const sums = (sql: string): unknown => db.prepare(sql).raw().get();
    expect(sums('SELECT sum(requests), sum(first_try), sum(rescued_by_retry), sum(failed), sum(input_tokens) FROM gateway_figures WHERE minutes = 1'))
      .toEqual(sums(`SELECT count(*), sum(outcome = 'success' AND retries = 0), sum(outcome = 'success' AND retries > 0), sum(outcome = 'interrupted'), sum(input_tokens) FROM gateway_logs`));
    expect(sums('SELECT count(*) FROM gateway_log_contents WHERE id NOT IN (SELECT id FROM gateway_logs)')).toEqual([0]);
    expect(sums(`SELECT count(*) > 0 FROM gateway_log_bodies WHERE id LIKE 'run-${String(run).padStart(3, '0')}-%'`)).toEqual([1]);
    // The one after the last that was said may be on disk or not.
    const waitSecs = writer.said.findLast((words) => words.waitSecs !== undefined)?.waitSecs ?? 120;
    expect([waitSecs, (waitSecs + 10) % 600, 10]).toContain(store.config.settings()['gateway.retry_wait_secs']);
    db.close();
    await store.close();
  }
  expect((await openedStore(dataDir)).interrupted).toBe(0);
}, LONGEST_MS);
