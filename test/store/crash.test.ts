import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { LogCursor } from '../../shared/log.ts';
import { openAt, openedStore, temporaryFolder } from '../support/store-parts.ts';

const program = fileURLToPath(new URL('./busy-process.ts', import.meta.url));

/** Starts the busy process; `said` gives what it has said to be on disk, `killed` ends it without a word of warning. */
function busy(dataDir: string) {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => { child.on('close', () => { resolve(); }); });
  const said: { rows: number; waitSecs: number }[] = [];
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
    heard: (count: number) => new Promise<void>((resolve, reject) => {
      heard = () => { if (said.length >= count) resolve(); };
      heard();
      void ended.then(() => { reject(new Error('the busy process has ended by itself')); });
    }),
  };
}

// SPEC 12.3, 14, 18.1
test('after kill -9 in the middle of writing the folder opens at once, what was said to be on disk is there, and nothing is in flight', async () => {
  const dataDir = temporaryFolder();
  const writer = busy(dataDir);
  await writer.heard(6);
  expect((await openAt(dataDir)).kind).toBe('locked');
  await writer.kill();
  const { rows, waitSecs } = writer.said.at(-1)!;

  const store = await openedStore(dataDir);
  expect(store.notices).toEqual([]);
  // The write after the last word may have come to the disk or not.
  expect([waitSecs, (waitSecs + 25) % 600]).toContain(store.config.settings()['gateway.retry_wait_secs']);
  const found = new Map<string, string | null>();
  for (let before: LogCursor | undefined; ;) {
    const page = await store.logs.list({ view: 'requests', filter: {}, limit: 500, ...(before && { before }) });
    for (const row of page.rows) {
      expect(row.state).toBe('done');
      found.set(row.id, row.outcome);
    }
    if (page.next === null) break;
    before = page.next;
  }
  for (let n = 0; n < rows; n++) expect(found.get(`row-${String(n).padStart(6, '0')}`), `row ${n}`).toBe(n % 3 === 0 ? 'interrupted' : 'success');
  expect(store.interrupted).toBeGreaterThanOrEqual(Math.ceil(rows / 3));
  await store.close();
  expect((await openedStore(dataDir)).interrupted).toBe(0);
});
