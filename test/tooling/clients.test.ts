import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { projectNode, root } from '../../scripts/lib/paths.mjs';
import { run } from '../../scripts/lib/run.mjs';

// Installs into a cache of its own with an npm that does what a test says; nothing is fetched.

/** Lays the programs of the package that it is asked for; `npm-mode` beside it says how it fails. */
const FAKE_NPM = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const here = import.meta.dirname;
const mode = existsSync(join(here, 'npm-mode')) ? readFileSync(join(here, 'npm-mode'), 'utf8') : 'well';
const [[name, version]] = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).dependencies);
appendFileSync(join(here, 'installs'), name + '\\n');
const says = mode === 'other version' ? '9.9.9' : version;
const lay = (program, text) => {
  const path = join('node_modules', name, program);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
};
lay('bin/claude.exe', '#!/bin/sh\\necho ' + says + '\\n');
if (mode === 'breaks') process.exit(1);
for (const program of ['bin/codex.js', 'bundle/gemini.js']) lay(program, 'console.log(' + JSON.stringify(says) + ')');
`;

function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clients-'));
  onTestFinished(() => { rmSync(folder, { recursive: true, force: true }); });
  writeFileSync(join(folder, 'npm-cli.js'), FAKE_NPM);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const program = `
    const { hasClients, installClients } = await import(${JSON.stringify(join(root, 'scripts', 'lib', 'clients.mjs'))});
    try { await installClients(); } catch (error) { console.log(error.message); }
    console.log(hasClients() ? 'complete' : 'incomplete');`;
  return {
    folder,
    mode: (mode: string) => { writeFileSync(join(folder, 'npm-mode'), mode); },
    install: () => run(projectNode, ['--input-type=module', '--eval', program], {
      env: { PATH: process.env['PATH'], XDG_CACHE_HOME: folder, npm_execpath: join(folder, 'npm-cli.js'), npm_node_execpath: projectNode },
    }),
    installs: () => readFileSync(join(folder, 'installs'), 'utf8').trim().split('\n'),
    kept: () => readdirSync(join(folder, 'holdfast', 'clients')).filter((name) => !name.endsWith('.draft')).sort(),
  };
}

const ALL = ['claude-code-2.1.328', 'codex-0.169.0', 'gemini-cli-0.61.0'];

it('installs each client into a folder of its own, once', async () => {
  const { install, installs, kept } = machine();
  expect((await install()).output).toContain('\ncomplete');
  expect(kept()).toEqual(ALL);
  expect((await install()).output.trim()).toBe('complete');
  expect(installs()).toEqual(['@anthropic-ai/claude-code', '@openai/codex', '@google/gemini-cli']);
});

it('takes no interrupted install for a whole one, and repairs it the next time', async () => {
  const { folder, install, kept, mode } = machine();
  mode('breaks');
  const broken = await install();
  expect(broken.output).toContain('@anthropic-ai/claude-code@2.1.328 could not be installed');
  expect(broken.output).toContain('\nincomplete');
  expect(kept()).toEqual([]);
  // What was killed in the middle may have left anything at all.
  writeFileSync(join(folder, 'holdfast', 'clients', 'claude-code-2.1.328.draft', 'node_modules', 'half'), 'x');
  mode('well');
  expect((await install()).output).toContain('\ncomplete');
  expect(kept()).toEqual(ALL);
  expect(existsSync(join(folder, 'holdfast', 'clients', 'claude-code-2.1.328', 'node_modules', 'half'))).toBe(false);
});

it('repairs a client whose program has gone, and leaves the others alone', async () => {
  const { folder, install, installs } = machine();
  await install();
  const program = join(folder, 'holdfast', 'clients', 'codex-0.169.0', 'node_modules', '@openai', 'codex', 'bin', 'codex.js');
  rmSync(program);
  expect((await install()).output).toContain('\ncomplete');
  expect(existsSync(program)).toBe(true);
  expect(installs().slice(3)).toEqual(['@openai/codex']);
});

it('keeps no client that is not the version it should be', async () => {
  const { install, kept, mode } = machine();
  mode('other version');
  expect((await install()).output).toContain('does not start here');
  expect(kept()).toEqual([]);
});
