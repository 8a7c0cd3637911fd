// What the set-up stands on: it must not break other runs, and must know when there is nothing to do.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packagesMatch } from '../../scripts/lib/packages.mjs';
import { unzip } from '../../scripts/lib/zip.mjs';
import { zipFile } from './support/zip-file.ts';

const script = (name: string) => fileURLToPath(new URL(`../../scripts/lib/${name}.mjs`, import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a Node of its own on a piece of code, with a cache folder of its own. */
const node = (code: string): ChildProcess => spawn(process.execPath, ['--input-type=module', '-e', code], { env: { ...process.env, XDG_CACHE_HOME: folder }, stdio: ['pipe', 'pipe', 'inherit'] });

async function outputOf(child: ChildProcess) {
  let output = '';
  child.stdout?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, output };
}

describe('the lock', () => {
  const log = () => join(folder, 'log');
  const work = () => `import { withLock } from ${JSON.stringify(script('lock'))}; import { appendFileSync } from 'node:fs'; import { setTimeout } from 'node:timers/promises';
    await withLock('planted', async () => { appendFileSync(${JSON.stringify(log())}, '<'); await setTimeout(20); appendFileSync(${JSON.stringify(log())}, '>'); });`;

  it('lets several processes work one after the other, never two at once', async () => {
    const ends = await Promise.all([1, 2, 3, 4].map(() => outputOf(node(work()))));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(readFileSync(log(), 'utf8')).toBe('<><><><>');
  });

  it('is taken over from a process that has died', async () => {
    const dead = node('');
    await once(dead, 'exit');
    mkdirSync(join(folder, 'holdfast', 'locks'), { recursive: true });
    writeFileSync(join(folder, 'holdfast', 'locks', 'planted.lock'), `${dead.pid ?? 0}@${hostname()}`);
    expect((await outputOf(node(work()))).code).toBe(0);
    expect(readFileSync(log(), 'utf8')).toBe('<>');
  });

  it('is given back when the work fails', async () => {
    const failing = node(`import { withLock } from ${JSON.stringify(script('lock'))}; await withLock('planted', () => Promise.reject(new Error('planted'))).catch(() => console.log('failed'));`);
    expect((await outputOf(failing)).output).toBe('failed\n');
    expect(existsSync(join(folder, 'holdfast', 'locks', 'planted.lock'))).toBe(false);
  });
});

describe('a program that is started after the set-up', () => {
  const become = (code: string) => `import { become } from ${JSON.stringify(script('run'))}; process.exitCode = await become(process.execPath, ['-e', ${JSON.stringify(code)}]);`;

  it('gives its exit code and its output, and nothing is added', async () => {
    expect(await outputOf(node(become('console.log("its own"); process.exit(4)')))).toEqual({ code: 4, signal: null, output: 'its own\n' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('gets %s and decides itself how it ends', async (signal) => {
    const child = node(become(`process.on('${signal}', () => process.exit(3)); setInterval(() => {}, 1000); console.log('ready')`));
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill(signal);
    expect((await outputOf(child)).code).toBe(3);
  });
});

describe('the installed packages', () => {
  const locked = {
    '': { name: 'planted' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/only-elsewhere': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  };
  const write = (installed: object | null) => {
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
    if (installed !== null) writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
    return packagesMatch(folder);
  };

  it('match when all that this machine needs is there as locked', () => {
    expect(write({ 'node_modules/a': locked['node_modules/a'] })).toBe(true);
  });

  it('do not match when an install was broken off', () => {
    expect(write(null)).toBe(false);
  });

  it('do not match when one is missing', () => {
    expect(write({})).toBe(false);
  });

  it('do not match when one has another version', () => {
    expect(write({ 'node_modules/a': { version: '1.0.1', integrity: 'sha512-c' } })).toBe(false);
  });
});

describe('unpacking a zip file', () => {
  const entry = (name: string, text: string, mode: number, packed = true) => ({ name, text, mode, packed });
  const zip = (...entries: ReturnType<typeof entry>[]) => {
    const path = join(folder, 'planted.zip');
    writeFileSync(path, zipFile(entries));
    return path;
  };

  it('brings back texts, modes and links, from packed and plain entries, and only those asked for', async () => {
    const path = zip(entry('top/', '', 0o040755, false), entry('top/run', 'x'.repeat(100_000), 0o100755), entry('top/plain', 'as it is', 0o100644, false), entry('top/empty', '', 0o100644, false), entry('top/link', 'run', 0o120777, false), entry('top/other', 'no', 0o100644));
    await unzip(path, join(folder, 'out'), (name) => (name === 'top/other' ? null : name.replace('top/', 'inner/')));
    const out = (name: string) => join(folder, 'out', 'inner', name);
    expect(readFileSync(out('run'), 'utf8')).toBe('x'.repeat(100_000));
    expect(statSync(out('run')).mode & 0o777).toBe(0o755);
    expect(readFileSync(out('plain'), 'utf8')).toBe('as it is');
    expect(statSync(out('empty')).size).toBe(0);
    expect(readlinkSync(out('link'))).toBe('run');
    expect(existsSync(out('other'))).toBe(false);
  });

  it('refuses a path that leads out of the folder', async () => {
    await expect(unzip(zip(entry('../out', 'no', 0o100644)), join(folder, 'out'), (name) => name)).rejects.toThrow('outside');
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('refuses what is no zip file', async () => {
    writeFileSync(join(folder, 'text'), 'hello '.repeat(100));
    await expect(unzip(join(folder, 'text'), folder, (name) => name)).rejects.toThrow('no zip file');
  });
});
