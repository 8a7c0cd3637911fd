// SPEC 15, 18.2: a file that cannot be read is a fault like any other.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importFile } from '../../../main/app/import.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-import-'));
  onTestFinished(() => { rmSync(folder, { recursive: true }); });
  const file = join(folder, 'document.json');
  writeFileSync(file, text);
  return file;
}

const never = () => { throw new Error('nothing may be imported'); };

it('hands over what the file holds and counts what came in', async () => {
  const given: unknown[] = [];
  const result = await importFile(fileWith('\uFEFF{"holdfast":1}'), (input) => {
    given.push(input);
    return Promise.resolve({ kind: 'imported', settings: 1, upstreams: 2, routes: 3, keys: 4, backup: '/b' });
  });
  expect(given).toEqual([{ holdfast: 1 }]);
  expect(result).toEqual({ kind: 'imported', file: 'document.json', settings: 1, upstreams: 2, routes: 3, keys: 4 });
});

it('names the faults that the store finds', async () => {
  const faults = [{ path: 'upstreams[0].id', message: 'is missing' }];
  expect(await importFile(fileWith('{}'), () => Promise.resolve({ kind: 'refused', faults }))).toEqual({ kind: 'refused', file: 'document.json', faults });
});

it('refuses what is no JSON, is not there, or is far too large', async () => {
  expect(await importFile(fileWith('{"holdfast":'), never)).toMatchObject({ kind: 'refused', faults: [{ path: '', message: expect.stringContaining('not valid JSON') as string }] });
  expect(await importFile('/nowhere/at-all.json', never)).toMatchObject({ kind: 'refused', file: 'at-all.json' });
  const large = fileWith('');
  truncateSync(large, 17 * 1024 * 1024);
  expect(await importFile(large, never)).toMatchObject({ kind: 'refused', faults: [{ message: expect.stringContaining('16 MiB') as string }] });
});
