// UI "Export what the filter shows as CSV or NDJSON, with progress and cancel".
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createExports, exportName, type ExportsParts } from '../../../main/app/export.ts';
import type { ExportProgress } from '../../../shared/export.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const ALL = { filter: {}, as: 'csv' } as const;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const slice = (next: number | null) => ({ bytes: Buffer.from('a\n'), rows: 1, next: next === null ? null : { started_at: next, id: 'a' } });

function world(part: Partial<ExportsParts> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
  onTestFinished(() => { rmSync(path, { recursive: true, force: true }); });
  const clock = createFakeClock();
  const offered: string[] = [];
  const told: ExportProgress[] = [];
  const exports = createExports({
    clock, log: silent, folder: () => path, count: () => Promise.resolve(2), slice: () => Promise.resolve(slice(null)),
    choose: (name) => { offered.push(name); return Promise.resolve(join(path, `${offered.length}.csv`)); },
    progress: (now) => { told.push(now); },
    ...part,
  });
  return { path, clock, offered, told, exports };
}

it('offers a name with the time in the folder of downloads, and from then on where the user went', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'holdfast-export-'));
  onTestFinished(() => { rmSync(elsewhere, { recursive: true, force: true }); });
  const offered: string[] = [];
  const { exports, path, clock } = world({ choose: (name) => { offered.push(name); return Promise.resolve(join(elsewhere, 'mine.csv')); } });
  await exports.start(ALL);
  await exports.start({ filter: {}, as: 'ndjson' });
  expect(offered).toEqual([join(path, exportName('csv', clock.utc())), join(elsewhere, exportName('ndjson', clock.utc()))]);
  expect(exportName('csv', new Date(2026, 2, 4, 5, 6).getTime())).toBe('holdfast-requests-2026-03-04-0506.csv');
});

it('writes nothing when the user changes their mind', async () => {
  const { exports, path } = world({ choose: () => Promise.resolve(null), slice: () => { throw new Error('nothing may be read'); } });
  expect(await exports.start(ALL)).toEqual({ kind: 'cancelled' });
  expect(readdirSync(path)).toEqual([]);
});

it('tells how far it is five times a second at most, and nothing after its end', async () => {
  let asked = 0;
  let go = (): void => undefined;
  const { exports, clock, told } = world({
    slice: async () => {
      asked++;
      if (asked === 4 || asked === 7) await new Promise<void>((resolve) => { go = resolve; });
      return slice(asked === 10 ? null : asked);
    },
  });
  const outcome = exports.start(ALL);
  await expect.poll(() => asked).toBe(4);
  await clock.advance(199);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual([{ written: 3, total: 2 }]);
  go();
  await expect.poll(() => asked).toBe(7);
  await clock.advance(200);
  expect(told.map(({ written }) => written)).toEqual([3, 6]);
  go();
  expect(await outcome).toMatchObject({ kind: 'written', rows: 10 });
  await clock.advance(1_000);
  expect(told).toHaveLength(2);
  expect(clock.pending()).toBe(0);
});

it('ends when it is cancelled, and cancelling waits until nothing is left', async () => {
  const { exports, path, offered } = world({ slice: () => Promise.resolve(slice(1)) });
  const outcome = exports.start(ALL);
  await expect.poll(() => offered.length).toBe(1);
  await expect.poll(() => readdirSync(path).length).toBe(1);
  await exports.cancel();
  expect(readdirSync(path)).toEqual([]);
  expect(await outcome).toEqual({ kind: 'cancelled' });
  // Nobody to cancel is no fault.
  await exports.cancel();
});

it('gives way to a newer one', async () => {
  let endless = true;
  const { exports, path } = world({ slice: () => Promise.resolve(slice(endless ? 1 : null)) });
  const first = exports.start(ALL);
  await expect.poll(() => readdirSync(path).length).toBe(1);
  endless = false;
  const second = exports.start(ALL);
  expect([await first, await second].map(({ kind }) => kind)).toEqual(expect.arrayContaining(['written']));
  expect(readdirSync(path).every((name) => name.endsWith('.csv') && !name.startsWith('.'))).toBe(true);
});
