import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPackage, projectNode, root } from './paths.mjs';
import { countsOf } from './report.mjs';
import { run } from './run.mjs';

/** @typedef {import('./report.mjs').Step} Step */

const sources = ['shared', 'main', 'renderer', 'test'].filter((folder) => existsSync(join(root, folder)));

/**
 * What is checked without running the product, by name: the script inside node_modules and its arguments. The build comes first: tests run what it makes.
 * @type {Record<string, string[]>}
 */
const CHECKS = {
  build: ['../scripts/build.mjs'],
  lint: ['eslint/bin/eslint.js', '--config', 'test/tooling/eslint.config.mjs', '--cache', '--cache-location', 'node_modules/.cache/holdfast/eslint', '--max-warnings', '0', '.'],
  types: ['typescript/bin/tsc', '--project', 'tsconfig.json'],
  layers: ['dependency-cruiser/bin/dependency-cruiser.mjs', '--config', 'test/tooling/dependency-cruiser.cjs', '--output-type', 'err', ...sources],
  unused: ['knip/bin/knip.js', '--config', 'test/tooling/knip.json', '--no-progress'],
};

export const checks = Object.keys(CHECKS);

/** The folders of tests that need no window, and those that drive the real app: each a project of test/tooling/vitest.config.ts. */
export const plainTests = ['unit', 'laws', 'gateway', 'store', 'headless', 'renderer', 'tooling'];
export const windowTests = ['e2e', 'package', 'clients'];

/** What the tools print is read as plain text, also where colours are forced. */
const plain = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' };

/**
 * Runs one check; it counts as one test.
 * @param {string} name
 * @returns {Promise<Step & { output: string }>}
 */
export async function runCheck(name) {
  const [script = '', ...args] = CHECKS[name] ?? [];
  const started = Date.now();
  const { code, output } = await run(projectNode, [inPackage(script), ...args], { cwd: root, env: plain });
  const passed = code === 0 ? 1 : 0;
  return { name, ms: Date.now() - started, passed, failed: 1 - passed, skipped: 0, output };
}

/** @param {string} project */
function hasTests(project) {
  const folder = join(root, 'test', project);
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => /\.test\.tsx?$/.test(String(name)));
}

/**
 * Runs the tests below `test/<name>/`.
 * @param {string} name
 * @param {Record<string, string>} [more] environment variables for them
 * @returns {Promise<Step & { output: string }>}
 */
export async function runTests(name, more = {}) {
  if (!hasTests(name)) return { name, ms: 0, passed: 0, failed: 0, skipped: 0, why: 'no tests', output: '' };
  const started = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-report-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--config', 'test/tooling/vitest.config.ts', '--project', name, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output } = await run(projectNode, [inPackage('vitest/vitest.mjs'), ...args], { cwd: root, env: { ...plain, ...more } });
  const counts = countsOf(existsSync(report) ? readFileSync(report, 'utf8') : '', code);
  rmSync(folder, { recursive: true, force: true });
  // What a test has measured and everybody should see.
  const note = [...output.matchAll(/^measured: (.+)$/gm)].map(([, words]) => words).join('; ');
  return { name, ms: Date.now() - started, ...counts, ...(note !== '' && { note }), output };
}
