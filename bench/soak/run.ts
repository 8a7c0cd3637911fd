// `npm run bench -- soak`: two hours of mixed traffic with faults, pressed into ten minutes, against the gateway without a window. Prints what it holds as time goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { wait } from '../measure.ts';
import { stopperOf } from '../process.ts';
import { KEY } from '../targets/target.ts';
import { sendTraffic, type Ends } from './clients.ts';
import { diceOf } from './dice.ts';
import type { Held } from './probe.ts';
import { startFaultyUpstream } from './upstream.ts';

const USAGE = 'npm run bench -- soak [--minutes 10] [--per-sec 40] [--seed N] [--program FILE]\n';
const PROGRAM = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url));
// After each leg the traffic rests, so that what is held is told from what is under way; pooled connections to upstreams have gone by then.
const MOST_LEGS = 8;
const REST_MS = 8_000;

// Waits and limits are a twelfth and less of what users have: that is how the hours are pressed together.
const settings = {
  'gateway.port': 0, 'gateway.metrics': true, 'gateway.retry_wait_secs': 4, 'gateway.keepalive_secs': 5, 'gateway.idle_timeout_secs': 30, 'gateway.retry_preset': 'custom',
  'gateway.retry_policy': { backoff: 'exponential', baseMs: 30, maxMs: 400, jitter: 0.2, maxAttempts: 0, hint: 'follow', hintMinMs: 50, statuses: [500, 502, 503, 504, 529], retryOnTimeout: true, attemptTimeoutMs: 1_500 },
  'gateway.breaker': { enabled: true, failures: 5, ratio: 0.7, min_samples: 20, window_secs: 5, cool_secs: 1, max_cool_secs: 3 }, 'logs.bodies': 'errors',
};

const { values } = parseArgs({ options: { 'minutes': { type: 'string', default: '10' }, 'per-sec': { type: 'string', default: '40' }, 'seed': { type: 'string', default: '1' }, 'program': { type: 'string', default: PROGRAM }, 'help': { type: 'boolean', default: false } } });
const [minutes, perSec, seed] = [Number(values.minutes), Number(values['per-sec']), Number(values.seed)];
if (values.help || !(minutes > 0 && minutes <= 120) || !(perSec > 0 && perSec <= 2_000) || !Number.isInteger(seed)) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { process.exit(1); });

const upstream = await startFaultyUpstream(diceOf(seed));
const folder = mkdtempSync(join(tmpdir(), 'holdfast-soak-'));
const document = join(folder, 'document.json');
const account = (id: string) => ({ id, name: id, preset: 'generic', base_url: `${upstream.url}/${id}`, formats: ['anthropic', 'chat'], credential: { kind: 'stored', value: 'sk-soak' }, proxy: 'none' });
writeFileSync(document, JSON.stringify({ holdfast: 1, settings, upstreams: [account('a'), account('b')], keys: [{ name: 'soak', key: KEY }] }));
const child = spawn(process.execPath, ['--expose-gc', '--import', new URL('./probe.ts', import.meta.url).href, values.program, '--data-dir', folder, '--import', document], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
const stop = stopperOf(child);
if (child.stdout === null) throw new Error('the gateway has no stdout');
const [line] = await once(createInterface({ input: child.stdout }), 'line') as [string];
const { url } = JSON.parse(line) as { url: string };

async function held(): Promise<Held> {
  child.send('held');
  const [answer] = await once(child, 'message') as [Held];
  return answer;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { 'x-api-key': KEY } })).text();
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
}

const cells = (...values: readonly (string | number | null)[]): string => `| ${values.map((value) => (value === null ? '-' : typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : value)).join(' | ')} |`;
process.stdout.write(`Soak of ${minutes} min at ${perSec} requests a second, seed ${seed}; Node ${process.versions.node}, load ${loadavg().map((load) => load.toFixed(1)).join(' ')}\n\n`);
process.stdout.write(`${cells('min', 'requests', 'attempts', 'in flight', 'sockets', 'listeners', 'timers', 'descriptors', 'heap MiB', 'buffers MiB', 'RSS MiB', 'warnings')}\n${cells(...Array.from({ length: 12 }, () => '--:'))}\n`);

const dice = diceOf(seed + 1);
const ends: Ends = { counts: new Map(), wrong: [] };
const rests: Held[] = [];
const startMs = performance.now();
const legs = Math.min(MOST_LEGS, Math.max(2, Math.floor(minutes)));
const row = async (): Promise<Held> => {
  const now = await held();
  const total = [...ends.counts.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${cells((performance.now() - startMs) / 60_000, total, upstream.asked(), await metric('gateway_in_flight'), now.sockets, now.listeners, now.timers, now.descriptors, now.heapMiB, now.buffersMiB, now.rssMiB, now.warnings)}\n`);
  return now;
};
await row();
for (let leg = 1; leg <= legs; leg++) {
  const untilMs = startMs + (minutes * 60_000 * leg) / legs - Math.min(REST_MS, (minutes * 60_000) / legs / 2);
  const traffic = sendTraffic(url, perSec, untilMs, dice, ends);
  await wait(Math.max(0, (untilMs - performance.now()) / 2));
  await row();
  await traffic;
  await wait(REST_MS);
  rests.push(await row());
}
const dropped = await metric('gateway_log_rows_dropped_total');
const inFlight = await metric('gateway_in_flight');
await stop();
upstream.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

// The second rest is the measure, where there are more than two: by the first not everything has been used once.
const [first, last] = [rests[rests.length > 2 ? 1 : 0], rests.at(-1)];
const faults = first === undefined || last === undefined ? ['nothing was measured'] : [
  ...(last.sockets - first.sockets > 8 ? [`${last.sockets - first.sockets} more sockets at rest`] : []),
  ...(last.listeners === first.listeners ? [] : ['another number of listeners']),
  ...(last.timers - first.timers > 4 ? [`${last.timers - first.timers} more timers at rest`] : []),
  ...(last.descriptors !== null && first.descriptors !== null && last.descriptors - first.descriptors > 12 ? [`${last.descriptors - first.descriptors} more descriptors at rest`] : []),
  ...(last.heapMiB - first.heapMiB > Math.max(6, first.heapMiB * 0.15) ? [`${(last.heapMiB - first.heapMiB).toFixed(1)} MiB more heap at rest`] : []),
  ...(last.buffersMiB - first.buffersMiB > 8 ? [`${(last.buffersMiB - first.buffersMiB).toFixed(1)} MiB more buffers at rest`] : []),
  ...(last.warnings > 0 ? [`${last.warnings} warnings of Node`] : []), ...(inFlight > 0 ? [`${inFlight} exchanges still in flight`] : []), ...(dropped > 0 ? [`${dropped} rows lost`] : []),
  ...(ends.wrong.length > 0 ? [`${ends.wrong.length} requests without an answer, the first: ${ends.wrong[0] ?? ''}`] : []), ...(child.exitCode === 0 ? [] : [`the gateway ended with ${child.exitCode}`]),
];
process.stdout.write(`\nEnds: ${[...ends.counts].sort((a, b) => b[1] - a[1]).map(([end, count]) => `${end} ${count}`).join(', ')}\nLoad at the end ${loadavg().map((load) => load.toFixed(1)).join(' ')}\n`);
process.stdout.write(faults.length === 0 ? 'Flat: nothing more is held at the last rest than at the second.\n' : `Not flat: ${faults.join('; ')}.\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
