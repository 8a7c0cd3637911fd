// The app's own log on disk: five files of 1 MiB, masked, and never in the way.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogFile } from '../../../main/system/log-file.ts';
import { bothOf, createLog } from '../../../main/system/log.ts';
import { temporaryFolder } from '../../support/store-parts.ts';

const folder = (): string => join(temporaryFolder(), 'log');

it('writes nothing before it has begun, and then what came before, masked', () => {
  const place = folder();
  const file = createLogFile(place);
  const seen: string[] = [];
  const log = createLog(bothOf({ write: (line) => { seen.push(line); } }, file));
  log.info('early', { key: 'sk-secret' });
  expect(existsSync(place)).toBe(false);
  file.maskWith((line) => line.replaceAll('sk-secret', '[masked]'));
  file.begin();
  log.warn('later');
  expect(file.recent(10).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['early', 'later']);
  expect(readFileSync(join(place, 'holdfast.log'), 'utf8')).not.toContain('sk-secret');
  expect(statSync(join(place, 'holdfast.log')).mode & 0o777).toBe(0o600);
  expect(seen).toHaveLength(2);
});

it('keeps five files of at most 1 MiB, the newest lines at hand', () => {
  const place = folder();
  const file = createLogFile(place);
  file.begin();
  const line = (n: number): string => `${String(n).padStart(8, '0')} ${'x'.repeat(99_990)}\n`;
  for (let n = 0; n < 100; n++) file.write(line(n));
  expect(readdirSync(place).sort()).toEqual(['holdfast.1.log', 'holdfast.2.log', 'holdfast.3.log', 'holdfast.4.log', 'holdfast.log']);
  for (const name of readdirSync(place)) expect(statSync(join(place, name)).size).toBeLessThanOrEqual(1024 * 1024);
  expect(file.recent(12).map((one) => Number(one.slice(0, 8)))).toEqual(Array.from({ length: 12 }, (_, n) => 88 + n));
});

it('goes on in the file of the run before', () => {
  const place = folder();
  const first = createLogFile(place);
  first.begin();
  first.write('one\n');
  const second = createLogFile(place);
  second.begin();
  second.write('two\n');
  expect(second.recent(10)).toEqual(['one', 'two']);
  second.clear();
  expect(second.recent(10)).toEqual([]);
  second.write('three\n');
  expect(second.recent(10)).toEqual(['three']);
});

// SPEC 15: a disk that takes nothing.
it('throws nothing where it cannot write', () => {
  const parent = temporaryFolder();
  writeFileSync(join(parent, 'file'), '');
  const file = createLogFile(join(parent, 'file', 'log'));
  file.begin();
  expect(() => { file.write('x\n'); }).not.toThrow();
  expect(file.recent(1)).toEqual([]);
});
