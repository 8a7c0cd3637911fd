// DESIGN 3: every layer rule is seen failing once, on the import that it is there to forbid, and what is allowed stays allowed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const config = join(root, 'test/tooling/dependency-cruiser.cjs');

interface Breach {
  rule: string;
  from: string;
  to: string;
}

/** Files that are imported below; none of them imports anything. */
const targets = [
  'shared/ipc.ts',
  'shared/log.ts',
  'locales/en.json',
  'main/index.ts',
  'main/app/window.ts',
  'main/store/store.ts',
  'main/clients/codex.ts',
  'main/gateway/gateway.ts',
  'main/gateway/ports.ts',
  'main/gateway/health.ts',
  'main/gateway/core/failure.ts',
  'main/gateway/core/retry/policy.ts',
  'main/gateway/core/formats/sse.ts',
  'main/gateway/core/formats/chat/reader.ts',
  'main/gateway/upstream/attempt.ts',
  'main/gateway/downstream/reply.ts',
  'renderer/bridge.ts',
  'test/support/fake.ts',
];

const breaches: Breach[] = [
  { rule: '1-shared-sees-itself', from: 'shared/a.ts', to: 'node:fs' },
  { rule: '1-shared-sees-itself', from: 'shared/b.ts', to: 'main/gateway/ports.ts' },
  { rule: '1-shared-sees-itself', from: 'shared/c.ts', to: 'pino' },
  { rule: '2-core-sees-core-and-shared', from: 'main/gateway/core/a.ts', to: 'main/gateway/ports.ts' },
  { rule: '2-core-sees-core-and-shared', from: 'main/gateway/core/b.ts', to: 'node:buffer' },
  { rule: '2-core-folders-are-apart', from: 'main/gateway/core/opening/a.ts', to: 'main/gateway/core/retry/policy.ts' },
  { rule: '2-formats-are-apart', from: 'main/gateway/core/formats/gemini/a.ts', to: 'main/gateway/core/formats/chat/reader.ts' },
  { rule: '3-loop-sees-no-edge', from: 'main/gateway/exchange.ts', to: 'main/gateway/upstream/attempt.ts' },
  { rule: '3-loop-sees-no-edge', from: 'main/gateway/affinity.ts', to: 'node:timers' },
  { rule: '3-loop-sees-no-edge', from: 'main/gateway/budget.ts', to: 'main/gateway/gateway.ts' },
  { rule: '3-edges-are-apart', from: 'main/gateway/upstream/a.ts', to: 'main/gateway/downstream/reply.ts' },
  { rule: '3-edges-are-apart', from: 'main/gateway/downstream/a.ts', to: 'main/gateway/upstream/attempt.ts' },
  { rule: '4-gateway-stands-alone', from: 'main/gateway/upstream/b.ts', to: 'main/store/store.ts' },
  { rule: '4-gateway-stands-alone', from: 'main/gateway/downstream/b.ts', to: 'main/index.ts' },
  { rule: '4-main-sees-no-window', from: 'main/app/a.ts', to: 'renderer/bridge.ts' },
  { rule: '5-neighbours-see-the-contract', from: 'main/store/a.ts', to: 'main/gateway/health.ts' },
  { rule: '5-neighbours-see-the-contract', from: 'main/system/a.ts', to: 'main/store/store.ts' },
  { rule: '5-neighbours-see-the-contract', from: 'main/clients/a.ts', to: 'main/app/window.ts' },
  { rule: '6-preload-sees-the-channels', from: 'main/preload/a.ts', to: 'shared/log.ts' },
  { rule: '6-preload-sees-the-channels', from: 'main/preload/b.ts', to: 'node:path' },
  { rule: '6-renderer-sees-the-contract', from: 'renderer/a.ts', to: 'main/gateway/core/failure.ts' },
  { rule: '6-renderer-is-no-node', from: 'renderer/b.ts', to: 'node:fs' },
  { rule: '6-hooks-hold-the-bridge', from: 'renderer/overview/page.tsx', to: 'renderer/bridge.ts' },
  { rule: '7-fastify-at-home', from: 'main/gateway/upstream/c.ts', to: 'fastify' },
  { rule: '7-undici-at-home', from: 'main/gateway/downstream/c.ts', to: 'undici' },
  { rule: '7-sqlite-at-home', from: 'main/app/b.ts', to: 'better-sqlite3' },
  { rule: '7-react-at-home', from: 'main/app/c.ts', to: 'react' },
  { rule: '7-electron-at-home', from: 'main/headless.ts', to: 'electron' },
  { rule: '8-no-cycles', from: 'main/ipc/a.ts', to: 'main/ipc/b.ts' },
  { rule: '8-nothing-imports-tests', from: 'main/ipc/c.ts', to: 'test/support/fake.ts' },
];

const allowed: Omit<Breach, 'rule'>[] = [
  // Closes the cycle that is reported above, once, at its other end.
  { from: 'main/ipc/b.ts', to: 'main/ipc/a.ts' },
  { from: 'shared/d.ts', to: 'zod' },
  { from: 'main/gateway/core/formats/chat/index.ts', to: 'main/gateway/core/formats/sse.ts' },
  { from: 'main/gateway/core/formats/index.ts', to: 'main/gateway/core/formats/chat/reader.ts' },
  { from: 'main/gateway/core/routing/a.ts', to: 'main/gateway/core/failure.ts' },
  { from: 'main/gateway/pauses.ts', to: 'main/gateway/health.ts' },
  { from: 'main/gateway/rounds.ts', to: 'main/gateway/core/retry/policy.ts' },
  { from: 'main/gateway/upstream/d.ts', to: 'undici' },
  { from: 'main/gateway/downstream/d.ts', to: 'fastify' },
  { from: 'main/store/b.ts', to: 'better-sqlite3' },
  { from: 'main/store/c.ts', to: 'main/gateway/ports.ts' },
  { from: 'main/preload/c.ts', to: 'electron' },
  { from: 'main/app/d.ts', to: 'main/clients/codex.ts' },
  { from: 'renderer/c.ts', to: 'locales/en.json' },
  { from: 'renderer/overview/use-overview.ts', to: 'renderer/bridge.ts' },
  { from: 'renderer/d.tsx', to: 'react' },
  { from: 'test/unit/a.ts', to: 'main/store/store.ts' },
];

/** The import of a target as one writes it in `from`. */
function specifier(from: string, to: string): string {
  if (!/^(shared|locales|main|renderer|test)\//.test(to)) return to;
  return `${'../'.repeat(from.split('/').length - 1) || './'}${to}`;
}

describe('the layer rules', () => {
  const tree = mkdtempSync(join(tmpdir(), 'holdfast-layers-'));
  let found: Breach[] = [];

  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };

  beforeAll(async () => {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    for (const path of targets) plant(path, path.endsWith('.json') ? '{}' : 'export const planted = 1;\n');
    // Half of the imports are of types alone: those count as well.
    [...breaches, ...allowed].forEach(({ from, to }, n) => plant(from, `${n % 2 === 0 ? 'import type' : 'import'} * as planted from '${specifier(from, to)}';\nexport type Planted = typeof planted;\n`));
    const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, '--config', config, '--output-type', 'json', 'shared', 'main', 'renderer', 'test'], { cwd: tree, maxBuffer: 64 << 20 }).catch(
      // Breaches make it end with an exit code of its own.
      (failed: unknown) => failed as { stdout: string },
    );
    const report = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string; to: string }[] } };
    found = report.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it.each(breaches)('$rule: $from must not import $to', ({ rule, from, to }) => {
    const name = to.replace(/^node:/, '');
    expect(found.filter((breach) => breach.from === from).map((breach) => breach.rule)).toEqual([rule]);
    expect(found.find((breach) => breach.from === from)?.to).toMatch(new RegExp(`(^|/)${name}(/|$)`));
  });

  it.each(allowed)('$from may import $to', ({ from }) => {
    expect(found.filter((breach) => breach.from === from)).toEqual([]);
  });

  it('leaves no rule without a breach that shows it', () => {
    const { forbidden } = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] };
    expect([...new Set(breaches.map(({ rule }) => rule))].sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });
});
