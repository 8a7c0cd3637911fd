// `npm run bench`: measures the gateway against bare ones on this machine (README.md). Progress goes to stderr, the report to stdout.
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { assertNever } from '../shared/assert-never.ts';
import { readOptions, USAGE, type BenchOptions, type TargetName } from './options.ts';
import { canPin, start } from './process.ts';
import { lineOf, report } from './report.ts';
import { runSuite, type Run } from './suite.ts';
import { startBare } from './targets/bare.ts';
import { startElectron, startHeadless } from './targets/product.ts';
import type { Target } from './targets/target.ts';

const PROGRAM = fileURLToPath(new URL('../out/main/headless.js', import.meta.url));

const say = (text: string): void => { process.stderr.write(`bench: ${text}\n`); };

function startTarget(name: TargetName, upstreamUrl: string): Promise<Target> {
  switch (name) {
    case 'direct': return Promise.resolve({ name, url: upstreamUrl, pid: null, stop: () => Promise.resolve() });
    case 'minimal':
    case 'http-proxy': return startBare(name, upstreamUrl);
    case 'product': return startHeadless(name, PROGRAM, upstreamUrl);
    case 'electron': return startElectron(PROGRAM, upstreamUrl);
    default: return assertNever(name);
  }
}

async function measure(options: BenchOptions): Promise<readonly Run[]> {
  const endMs = performance.now() + options.minutes * 60_000;
  const runs: Run[] = [];
  const targets: Target[] = [];
  const mock = await start('others', process.execPath, [fileURLToPath(new URL('./upstream.ts', import.meta.url))]);
  const upstreamUrl = `http://127.0.0.1:${Number(mock.line['port'])}`;
  const done = (run: Run): void => {
    runs.push(run);
    say(lineOf(run));
    if (options.out !== null) appendFileSync(options.out, `${JSON.stringify(run)}\n`);
  };
  try {
    for (const name of options.targets) targets.push(await startTarget(name, upstreamUrl));
    for (const { name, file } of options.programs) targets.push(await startHeadless(name, file, upstreamUrl));
    await runSuite({ ...options, targets, endMs, mockPid: mock.pid, done });
  } finally {
    await Promise.all([...targets.map((target) => target.stop()), mock.stop()]);
  }
  return runs;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { process.exit(1); });
const options = readOptions(process.argv.slice(2));
if (options === null || typeof options === 'string') {
  process.stderr.write(options === null ? USAGE : `bench: ${options}\n${USAGE}`);
  process.exitCode = options === null ? 0 : 2;
} else {
  if (!canPin) say('processes cannot be kept on cores of their own here (that takes Linux, two cores and taskset): take the numbers as a hint');
  say(`Node ${process.versions.node}, load before the start ${loadavg().map((load) => load.toFixed(1)).join(' ')}`);
  process.stdout.write(`${report(await measure(options))}\n`);
}
