import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clientCommand } from '../../../scripts/lib/clients.mjs';
import { setUpFromReadme } from '../../support/readme.ts';

export const CLIENT_NAMES = ['claude', 'codex', 'gemini'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** Where the client is described, how it is asked for one task, and what else keeps it off the internet. */
interface Habits {
  readonly heading: string;
  args(task: string): readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const HABITS: Readonly<Record<ClientName, Habits>> = {
  claude: { heading: 'Claude Code', args: (task) => ['-p', task], env: { DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' } },
  codex: { heading: 'Codex', args: (task) => ['exec', '--skip-git-repo-check', task], env: {} },
  gemini: { heading: 'Gemini CLI', args: (task) => ['--skip-trust', '-m', 'gemini-3.5-pro', '-p', task], env: {} },
};

/** How a client ended, and what it wrote. */
export interface ClientRun { readonly code: number | null; readonly stdout: string; readonly stderr: string; readonly ms: number }

/** What may be said of a run besides its task. */
export interface RunOptions {
  /** Stops the client as Ctrl+C does. */
  readonly interrupt?: AbortSignal;
  /** How long it may take before it is killed, ms. */
  readonly limitMs?: number;
}

/** Lets a real client do one task through a gateway, set up as README.md says, in a home folder of its own. */
export async function runClient(name: ClientName, gateway: { readonly url: string; readonly key: string }, task: string, options: RunOptions = {}): Promise<ClientRun> {
  const { heading, args, env } = HABITS[name];
  const home = mkdtempSync(join(tmpdir(), `holdfast-${name}-`));
  try {
    const setUp = setUpFromReadme(heading, gateway.url, gateway.key);
    for (const { path, text } of setUp.files) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const work = join(home, 'work');
    mkdirSync(work);
    const [command, ...first] = clientCommand(name);
    // Nothing of this machine's environment: keys and proxies of whoever runs the tests would lead the client elsewhere.
    const environment = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TERM: 'dumb', HOME: home, ...env, ...setUp.env };
    return await runToEnd(command, [...first, ...args(task)], work, environment, options);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runToEnd(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>>, { interrupt, limitMs = 60_000 }: RunOptions): Promise<ClientRun> {
  const started = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // As a terminal does: a signal reaches every process of the client, and some are two.
  const signal = (which: NodeJS.Signals): void => { if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, which); };
  const kill = (): void => { signal('SIGKILL'); };
  const limit = setTimeout(kill, limitMs);
  process.once('exit', kill);
  interrupt?.addEventListener('abort', () => { signal('SIGINT'); });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes: Buffer) => { stdout += bytes.toString(); });
  child.stderr.on('data', (bytes: Buffer) => { stderr += bytes.toString(); });
  const [code] = await once(child, 'close') as [number | null];
  clearTimeout(limit);
  process.off('exit', kill);
  return { code, stdout, stderr, ms: performance.now() - started };
}
