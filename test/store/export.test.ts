// UI "Export what the filter shows as CSV or NDJSON"; SPEC 12.5: secrets are in no export.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { logRow } from '../../bench/log-rows.ts';
import { writeExport } from '../../main/app/export-file.ts';
import { exportHead } from '../../main/store/export-text.ts';
import { openStore, type Store } from '../../main/store/store.ts';
import { systemClock } from '../../main/system/clock.ts';
import { createSecretFile } from '../../main/system/secret-file.ts';
import type { ExportFormat } from '../../shared/export.ts';
import type { ExchangeRow, LogFilter } from '../../shared/log.ts';

const ROWS = 2_600;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function storeWith(rows: readonly ExchangeRow[]): Promise<{ readonly store: Store; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }); });
  const opening = await openStore({ dataDir: folder, secretBox: createSecretFile(join(folder, 'secrets.json')), log: silent, clock: systemClock });
  if (opening.kind !== 'open') throw new Error(JSON.stringify(opening));
  onTestFinished(() => opening.store.close());
  await add(opening.store, rows);
  return { store: opening.store, folder };
}

async function add(store: Store, rows: readonly ExchangeRow[]): Promise<void> {
  for (const row of rows) store.journal.note({ kind: 'finished', id: row.id, row });
  expect(await store.flush()).toBe(true);
}

async function exported(store: Store, folder: string, filter: LogFilter, as: ExportFormat, between: () => Promise<void> = async () => undefined): Promise<string> {
  const file = join(folder, `out.${as}`);
  const outcome = await writeExport({
    file, head: exportHead(as), total: store.logs.exportTotal(filter), progress: () => undefined,
    slice: async (before) => {
      if (before !== null) await between();
      return store.logs.exportSlice({ filter, as }, before);
    },
  }, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: 'written', file });
  return readFileSync(file, 'utf8');
}

const rowsOf = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as ExchangeRow);
const all = Array.from({ length: ROWS }, (_, n) => logRow(n, Date.now() - ROWS * 2_500));
const newestFirst = [...all].sort((a, b) => b.started_at - a.started_at || (a.id < b.id ? 1 : -1));

describe('an export of the log', () => {
  it('has every row once, newest first, as it is stored', async () => {
    const { store, folder } = await storeWith(all);
    expect(rowsOf(await exported(store, folder, {}, 'ndjson'))).toEqual(newestFirst);
    expect(await store.logs.exportTotal({})).toBe(ROWS);
  });

  it('has what the filter leaves, also for a search', async () => {
    const { store, folder } = await storeWith(all);
    const filter: LogFilter = { retriedOnly: true, outcomes: ['success', 'failed'] };
    const wanted = newestFirst.filter((row) => row.retries > 0 && (row.outcome === 'success' || row.outcome === 'failed'));
    expect(wanted.length).toBeGreaterThan(50);
    expect(rowsOf(await exported(store, folder, filter, 'ndjson')).map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    const model = all[7]?.model_asked ?? '';
    const found = newestFirst.filter((row) => JSON.stringify(row).toLowerCase().includes(model));
    expect(rowsOf(await exported(store, folder, { text: model.toUpperCase() }, 'ndjson')).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
  });

  it('is a header alone when nothing passes', async () => {
    const { store, folder } = await storeWith(all.slice(0, 3));
    expect(await exported(store, folder, { models: ['no such model'] }, 'csv')).toBe(exportHead('csv'));
    expect(await exported(store, folder, { models: ['no such model'] }, 'ndjson')).toBe('');
  });

  it('has no row twice and loses none while others arrive, and a row in flight that ends meanwhile is there once', async () => {
    const { store, folder } = await storeWith(all);
    let n = ROWS;
    const between = async (): Promise<void> => {
      const born = Date.now() - ROWS * 2_500;
      await add(store, Array.from({ length: 50 }, () => logRow(n++, born)));
    };
    const ids = rowsOf(await exported(store, folder, {}, 'ndjson', between)).map(({ id }) => id);
    expect(n).toBeGreaterThan(ROWS);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(newestFirst.map(({ id }) => id));
  });

  it('takes no view\'s place and gives its own to none', async () => {
    const { store, folder } = await storeWith(all);
    const pages: boolean[] = [];
    await exported(store, folder, {}, 'csv', async () => {
      const page = await store.logs.list({ view: 'requests', filter: {}, limit: 10 });
      pages.push(page.superseded);
    });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages).not.toContain(true);
  });
});
