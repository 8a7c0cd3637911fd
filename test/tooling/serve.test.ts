// SPEC 18.1: `npm run serve` is the program itself: its line on stdout, its signals, its exit codes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder = '';
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-serve-'));
});
afterEach(() => {
  for (const program of started.splice(0)) program.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function serve(...args: string[]) {
  const program = spawn('npm', ['run', '--silent', 'serve', '--', '--data-dir', join(folder, 'data'), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(program);
  return program;
}

/** Whether something still answers at the address. */
const answers = (url: string) => fetch(`${url}/healthz`).then(
  (response) => response.ok,
  () => false,
);

it.each(['SIGTERM', 'SIGINT'] as const)('prints one line of JSON and nothing else, and ends by itself when npm gets %s', async (signal) => {
  const program = serve('--port', '0');
  const lines: string[] = [];
  const output = createInterface({ input: program.stdout });
  output.on('line', (line) => lines.push(line));
  await Promise.race([once(output, 'line'), once(program, 'exit')]);
  expect(program.exitCode, 'the exit code of a program that should run').toBeNull();
  const { event, url, key } = JSON.parse(lines[0] ?? '') as Record<string, string>;
  expect(event).toBe('listening');
  expect(key).toMatch(/^hf-/);
  expect(await answers(url ?? '')).toBe(true);
  program.kill(signal);
  const [code] = (await once(program, 'close')) as [number | null];
  expect(code).toBe(0);
  expect(await answers(url ?? '')).toBe(false);
  expect(lines).toHaveLength(1);
});

it('gives the exit code 2 for a bad document, with nothing on stdout', async () => {
  const document = join(folder, 'bad.json');
  writeFileSync(document, JSON.stringify({ holdfast: 1, settings: { 'gateway.retry_wait_secs': 601 } }));
  const program = serve('--port', '0', '--import', document);
  let output = '';
  program.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(program, 'close')) as [number | null];
  expect(code).toBe(2);
  expect(output).toBe('');
});
