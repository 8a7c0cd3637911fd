// UI "Export what the filter shows as CSV or NDJSON, with progress and cancel"; SPEC 15: a clear message and nothing lost.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportFailure, writeExport, type ExportFileParts } from '../../../main/app/export-file.ts';
import type { ExportSlice } from '../../../main/store/protocol.ts';
import type { ExportProgress } from '../../../shared/export.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
  onTestFinished(() => { rmSync(path, { recursive: true, force: true }); });
  return path;
}

const cursor = (n: number) => ({ started_at: n, id: String(n) });
const page = (text: string, rows: number, next: number | null): ExportSlice => ({ bytes: Buffer.from(text), rows, next: next === null ? null : cursor(next) });
const running = () => new AbortController().signal;

function partsFor(file: string, slices: readonly (() => ExportSlice | Promise<ExportSlice>)[], part: Partial<ExportFileParts> = {}) {
  const asked: (number | null)[] = [];
  const told: ExportProgress[] = [];
  const parts: ExportFileParts = {
    file, head: 'head\n', total: Promise.resolve(3), progress: (now) => { told.push(now); },
    slice: async (before) => {
      asked.push(before?.started_at ?? null);
      const next = slices[asked.length - 1];
      if (next === undefined) throw new Error('asked too often');
      return next();
    },
    ...part,
  };
  return { parts, asked, told };
}

describe('an export', () => {
  it('joins the slices, each behind the last row of the one before, also where a search found nothing', async () => {
    const file = join(folder(), 'out.csv');
    const { parts, asked, told } = partsFor(file, [() => page('a\nb\n', 2, 5), () => page('', 0, 3), () => page('c\n', 1, null)]);
    expect(await writeExport(parts, running())).toEqual({ kind: 'written', file, rows: 3 });
    expect(readFileSync(file, 'utf8')).toBe('head\na\nb\nc\n');
    expect(asked).toEqual([null, 5, 3]);
    expect(told).toEqual([{ written: 2, total: 3 }, { written: 2, total: 3 }, { written: 3, total: 3 }]);
  });

  it('goes on when nobody knows how many rows there will be', async () => {
    const file = join(folder(), 'out.csv');
    const { parts, told } = partsFor(file, [() => page('a\n', 1, null)], { total: Promise.reject(new Error('the count was given up')) });
    expect(await writeExport(parts, running())).toMatchObject({ kind: 'written', rows: 1 });
    expect(told).toEqual([{ written: 1, total: null }]);
  });

  it.skipIf(process.platform === 'win32')('can be read by its user alone', async () => {
    const file = join(folder(), 'out.csv');
    await writeExport(partsFor(file, [() => page('a\n', 1, null)]).parts, running());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that is cancelled leaves nothing, and what was there before untouched', async () => {
    const path = folder();
    const file = join(path, 'out.csv');
    writeFileSync(file, 'of yesterday');
    const stop = new AbortController();
    let during: string[] = [];
    const { parts, asked } = partsFor(file, [() => page('a\n', 1, 5), () => {
      during = readdirSync(path);
      stop.abort();
      return page('b\n', 1, 3);
    }]);
    expect(await writeExport(parts, stop.signal)).toEqual({ kind: 'cancelled' });
    expect(during).toHaveLength(2);
    expect(asked).toHaveLength(2);
    expect(readdirSync(path)).toEqual(['out.csv']);
    expect(readFileSync(file, 'utf8')).toBe('of yesterday');
  });

  it('that is cancelled with its last slice is cancelled', async () => {
    const path = folder();
    const stop = new AbortController();
    const { parts } = partsFor(join(path, 'out.csv'), [() => {
      stop.abort();
      return page('a\n', 1, null);
    }]);
    expect(await writeExport(parts, stop.signal)).toEqual({ kind: 'cancelled' });
    expect(readdirSync(path)).toEqual([]);
  });

  it('takes the place of the file that was there', async () => {
    const file = join(folder(), 'out.csv');
    writeFileSync(file, 'of yesterday');
    await writeExport(partsFor(file, [() => page('a\n', 1, null)]).parts, running());
    expect(readFileSync(file, 'utf8')).toBe('head\na\n');
  });

  it('says that the folder is gone, also when it goes meanwhile', async () => {
    expect(await writeExport(partsFor('/nowhere/at-all/out.csv', []).parts, running())).toEqual({ kind: 'failed', reason: 'folder_gone' });
    const path = join(folder(), 'stick');
    mkdirSync(path);
    const { parts } = partsFor(join(path, 'out.csv'), [() => page('a\n', 1, 5), () => {
      rmSync(path, { recursive: true });
      return page('b\n', 1, null);
    }]);
    expect(await writeExport(parts, running())).toEqual({ kind: 'failed', reason: 'folder_gone' });
    expect(existsSync(path)).toBe(false);
  });

  it('says that a folder of this name is in the way', async () => {
    const path = folder();
    mkdirSync(join(path, 'out.csv'));
    expect(await writeExport(partsFor(join(path, 'out.csv'), [() => page('a\n', 1, null)]).parts, running())).toEqual({ kind: 'failed', reason: 'file_in_use' });
    expect(readdirSync(path)).toEqual(['out.csv']);
  });

  it('says that the log cannot be read, and leaves nothing', async () => {
    const path = folder();
    const { parts } = partsFor(join(path, 'out.csv'), [() => page('a\n', 1, 5), () => Promise.reject(new Error('the database disk image is malformed'))]);
    expect(await writeExport(parts, running())).toEqual({ kind: 'failed', reason: 'log_unreadable' });
    expect(readdirSync(path)).toEqual([]);
  });

  // The one file whose disk is always full.
  it.runIf(existsSync('/dev/full'))('says that the disk is full', async () => {
    const error = await writeFile('/dev/full', 'a').then(() => null, (thrown: unknown) => thrown);
    expect(exportFailure(error)).toBe('disk_full');
  });

  it('says that it may not write there', () => {
    expect(exportFailure(Object.assign(new Error('read-only'), { code: 'EROFS' }))).toBe('not_allowed');
    expect(exportFailure(new Error('who knows'))).toBe('unknown');
  });
});
