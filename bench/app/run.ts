// `npm run bench -- app`: measures the real app with its window (README.md). Progress goes to stderr, the report to stdout.
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { start } from '../process.ts';
import { appData } from './data.ts';
import { startWindow } from './window.ts';
import { events, exporting, memory, queries, scroll, type Finding, type Scene } from './works.ts';

const WORKS: Readonly<Record<string, (scene: Scene) => Promise<readonly Finding[]>>> = { scroll, events, queries, exporting, memory };
const USAGE = `npm run bench -- app [options]
  --works A,B       ${Object.keys(WORKS).join(' ')} (default: all)
  --rows N          rows in the log before, default 1000000
  --keep FOLDER     a data folder that stays, so that its rows are made once
  --repetitions N   of the works that compare, default 3
`;

const say = (text: string): void => { process.stderr.write(`bench: ${text}\n`); };
const load = (): string => loadavg().map((one) => one.toFixed(1)).join(' ');

async function measure(names: readonly string[], rows: number, kept: string | null, repetitions: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const mock = await start('others', process.execPath, [fileURLToPath(new URL('../upstream.ts', import.meta.url))]);
  const mockUrl = `http://127.0.0.1:${Number(mock.line['port'])}`;
  try {
    const data = await appData(mockUrl, rows, kept, say);
    try {
      for (const name of names) {
        // Each on a fresh start, so that none inherits from another.
        const window = await startWindow(data);
        try {
          const before = load();
          const found = await WORKS[name]?.({ window, data, mock: { url: mockUrl, pid: mock.pid }, repetitions, say }) ?? [];
          findings.push(...found.map((one) => ({ ...one, what: `${one.what} [load ${before}]` })));
          for (const one of found) say(`${one.what}: ${one.found}`);
        } finally {
          await window.stop();
        }
      }
    } finally {
      data.remove();
    }
  } finally {
    await mock.stop();
  }
  return findings;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { process.exit(1); });
const { values } = parseArgs({ args: process.argv.slice(2), options: { works: { type: 'string' }, rows: { type: 'string', default: '1000000' }, keep: { type: 'string' }, repetitions: { type: 'string', default: '3' }, help: { type: 'boolean', default: false } } });
const names = values.works?.split(',') ?? Object.keys(WORKS);
const rows = Number(values.rows);
const repetitions = Number(values.repetitions);
if (values.help || names.some((name) => !(name in WORKS)) || !(rows >= 20_000 && rows <= 5_000_000) || !(repetitions >= 1 && repetitions <= 20)) {
  process.stderr.write(`${USAGE}  (rows 20000 to 5000000, repetitions 1 to 20)\n`);
  process.exitCode = values.help ? 0 : 2;
} else {
  const findings = await measure(names, rows, values.keep ?? null, repetitions);
  const lines = findings.map(({ what, found, goal, met }) => `| ${what} | ${found} | ${goal} | ${met === null ? '' : met ? 'yes' : '**no**'} |`);
  process.stdout.write(`### The app with ${rows} rows\n\n| what | found | goal | met |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`);
}
