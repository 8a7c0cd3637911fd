// Reading a large log: pages, filters, searches, counts, and how soon a newer query is answered (README.md). `npm run bench -- log-read`.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { DATABASE_NAME, type ReaderCalls } from '../main/store/protocol.ts';
import { createReading, type Reading } from '../main/store/reader/reading.ts';
import { startWorker } from '../main/store/worker-calls.ts';
import type { LogCursor, LogFilter, LogPage, LogQuery } from '../shared/log.ts';
import { buildLog } from './log-build.ts';
import { COMMON, RARE } from './log-rows.ts';
import { median } from './measure.ts';

const PAGE = 200;
const TIMES = 15;

const FILTERS: readonly [string, LogFilter][] = [
  ['none', {}], ['outcome success', { outcomes: ['success'] }], ['outcome truncated', { outcomes: ['truncated'] }], ['three outcomes', { outcomes: ['failed', 'cancelled', 'refused'] }], ['retried only', { retriedOnly: true }],
  ['upstream, common', { upstreams: [COMMON.upstream] }], ['upstream, rare', { upstreams: [RARE.upstream] }], ['model, common', { models: [COMMON.model] }], ['model, rare', { models: [RARE.model] }],
  ['client, common', { clients: [COMMON.client] }], ['client, rare', { clients: [RARE.client] }], ['key, common', { keys: [COMMON.key] }], ['key, rare', { keys: [RARE.key] }],
  ['status 2xx', { statusClasses: [2] }], ['status 5xx', { statusClasses: [5] }], ['error code, common', { errorCodes: [COMMON.errorCode] }], ['error code, rare', { errorCodes: [RARE.errorCode] }],
  ['error code, absent', { errorCodes: ['never_seen'] }], ['session', { sessionId: RARE.session }],
];
const PAIRS: readonly [string, LogFilter][] = [
  ['retried only + model, common', { retriedOnly: true, models: [COMMON.model] }], ['retried only + model, rare', { retriedOnly: true, models: [RARE.model] }], ['success + model, rare', { outcomes: ['success'], models: [RARE.model] }],
  ['success + 5xx (no row has both)', { outcomes: ['success'], statusClasses: [5] }], ['model, common + client, common', { models: [COMMON.model], clients: [COMMON.client] }],
  ['upstream, rare + error code, rare', { upstreams: [RARE.upstream], errorCodes: [RARE.errorCode] }], ['three outcomes + retried + key', { outcomes: ['failed', 'truncated', 'refused'], retriedOnly: true, keys: [COMMON.key] }],
];
const TEXTS: readonly [string, string][] = [
  ['common', COMMON.word], ['two Chinese characters, common', COMMON.twoCharacters], ['rare', RARE.word], ['rare, capitals', RARE.word.toUpperCase()], ['one Chinese character, rare', RARE.oneCharacter],
  ['two Chinese characters, rare', RARE.twoCharacters], ['absent', 'xyzzy-absent'], ['absent, percent and underscore', '100%_absent'], ['absent, Cyrillic', 'отсутствует'], ['absent, one umlaut', 'zürich'], ['a word of the JSON', 'sent_whole'],
];

const say = (line: string): void => { process.stdout.write(`${line}\n`); };
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const table = (...head: string[]): void => { say(`\n| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`); };
const row = (...cells: (string | number)[]): void => { say(`| ${cells.join(' | ')} |`); };
const load = (): string => loadavg().map((one) => one.toFixed(1)).join(' ');

/** `cpuMs` is of this thread alone, in steps of some ms: what it would take on a machine with nothing else to do, but for the disk. */
async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly answer: T; readonly tookMs: number; readonly cpuMs: number }> {
  const before = process.threadCpuUsage();
  const beganMs = performance.now();
  const answer = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, tookMs: performance.now() - beganMs, cpuMs: (user + system) / 1_000 };
}

const asked = (filter: LogFilter, before?: LogCursor): LogQuery => ({ view: 'requests', filter, limit: PAGE, ...(before && { before }) });
const list = (reading: Reading, filter: LogFilter, before?: LogCursor): Promise<LogPage> => reading.list(asked(filter, before));

async function pages(reading: Reading, filters: readonly [string, LogFilter][], bornMs: number, count: number): Promise<void> {
  table('filter', 'first time, ms', 'median ms', 'slowest ms', 'CPU ms', 'rows', 'partial');
  const day = { from: bornMs + count * 1_250, to: bornMs + count * 1_250 + 86_400_000 };
  for (const [name, filter] of filters.flatMap(([name, filter]): [string, LogFilter][] => [[name, filter], [`${name}, one day`, { ...filter, ...day }]])) {
    const taken: number[] = [];
    let cpu = 0;
    let page: LogPage | null = null;
    for (let n = 0; n < TIMES; n++) {
      const { answer, tookMs, cpuMs } = await timed(() => list(reading, filter));
      taken.push(tookMs);
      cpu += cpuMs;
      page = answer;
    }
    row(name, ms(taken[0] ?? NaN), ms(median(taken)), ms(Math.max(...taken)), ms(cpu / TIMES), page?.rows.length ?? 0, page !== null && page.rows.length < PAGE && page.next !== null ? 'yes' : '');
  }
}

async function deep(reading: Reading): Promise<void> {
  table('paging through the log', 'pages', 'median ms', 'slowest ms');
  const taken: number[] = [];
  let before: LogCursor | undefined;
  for (let n = 0; n < 300; n++) {
    const { answer, tookMs } = await timed(() => list(reading, {}, before));
    taken.push(tookMs);
    if (answer.next === null) break;
    before = answer.next;
  }
  row(`by ${PAGE}`, taken.length, ms(median(taken)), ms(Math.max(...taken)));
}

async function search(reading: Reading, text: string): Promise<{ readonly firstMs: number | null; readonly endMs: number; readonly found: number; readonly calls: number }> {
  const beganMs = performance.now();
  let firstMs: number | null = null;
  let found = 0;
  let before: LogCursor | undefined;
  for (let calls = 1; ; calls++) {
    const page = await list(reading, { text }, before);
    found += page.rows.length;
    if (firstMs === null && found > 0) firstMs = performance.now() - beganMs;
    // Who has found many has no need to see the end.
    if (page.next === null || found >= 5_000) return { firstMs, endMs: performance.now() - beganMs, found, calls };
    before = page.next;
  }
}

async function searches(reading: Reading): Promise<void> {
  table('search', 'first hits after ms', 'end (or 5,000 hits) after ms', 'CPU ms', 'hits', 'calls');
  for (const [name, text] of TEXTS) {
    const { answer: { firstMs, endMs, found, calls }, cpuMs } = await timed(() => search(reading, text));
    row(name, firstMs === null ? '-' : ms(firstMs), ms(endMs), ms(cpuMs), found, calls);
  }
}

// In its own thread, as in the app.
async function cancels(dataDir: string): Promise<void> {
  const reader = startWorker<ReaderCalls>('reader', dataDir, (reason) => { throw new Error(reason); });
  const newer: number[] = [];
  const between: number[] = [];
  for (let n = 0; n < 20; n++) {
    const older = reader.call('list', asked({ text: 'xyzzy-absent' }));
    await new Promise((resolve) => { setTimeout(resolve, 40); });
    const other = await timed(() => reader.call('get', 'nobody'));
    const next = await timed(() => reader.call('list', asked({})));
    // A small log is searched before anybody can think better of it.
    if (!(await older).superseded) continue;
    between.push(other.tookMs);
    newer.push(next.tookMs);
  }
  await reader.call('close', null);
  await reader.terminate();
  table('while a search runs', 'median ms', 'slowest ms');
  row('a newer query of the view: its first page', ms(median(newer)), ms(Math.max(...newer)));
  row('another question (one row)', ms(median(between)), ms(Math.max(...between)));
}

async function counts(reading: Reading): Promise<void> {
  table('count', 'ms', 'CPU ms', 'rows', 'exact');
  for (const [name, filter] of [...FILTERS.slice(0, 5), ...PAIRS, ...TEXTS.slice(0, 1).map(([name, text]): [string, LogFilter] => [`text, ${name}`, { text }])]) {
    const { answer, tookMs, cpuMs } = await timed(() => reading.count({ view: 'requests', filter }));
    row(name, ms(tookMs), ms(cpuMs), answer.rows, answer.exact ? 'yes' : 'at least');
  }
  const { tookMs, cpuMs } = await timed(() => reading.facets(null));
  row('values for the filter menus', ms(tookMs), ms(cpuMs), '', '');
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const count = Number(values.rows);
const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
process.on('exit', () => { rmSync(dataDir, { recursive: true, force: true }); });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { process.exit(1); });
const bornMs = Date.now() - count * 2_500;
const built = buildLog(dataDir, count, bornMs);
say(`Node ${process.versions.node}, load ${load()}; ${count} rows of ${built.payloadBytes.toFixed(0)} bytes, written at ${built.perSec.toFixed(0)} rows/s (begin and end); file ${(built.fileBytes / 1e6).toFixed(0)} MB = ${(built.fileBytes / count / built.payloadBytes).toFixed(2)} x payload`);
const db = new Database(join(dataDir, DATABASE_NAME), { readonly: true });
const reading = createReading(db, { now: () => performance.now(), later: setImmediate });
await pages(reading, FILTERS, bornMs, count);
await pages(reading, PAIRS, bornMs, count);
await deep(reading);
await searches(reading);
await cancels(dataDir);
await counts(reading);
say(`\nload at the end ${load()}`);
db.close();
