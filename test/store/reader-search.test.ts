import { expect, test } from 'vitest';
import type { AttemptRow, ExchangeRow, LogCursor, LogFilter } from '../../shared/log.ts';
import { readingOf } from '../support/log-reading.ts';
import { rowWith } from '../support/store-parts.ts';

const attempt = (part: Partial<AttemptRow>): AttemptRow => ({
  n: 1, round: 0, upstream: 'A', model: 'm', started_ms: 0, duration_ms: 1, outcome: 'failed', status: 503, class: 'transient', code: 'c', message: null, where: 'head', hint_ms: null, pause_ms: null,
  pause_reason: null, queued_ms: 0, first_content_ms: null, bytes: 0, sent_whole: true, resent: false, bypass: false, ...part,
});
const tried = (message: string, part: Partial<AttemptRow> = {}): Partial<ExchangeRow> => ({ attempts: 2, retries: 1, detail: { retries: 1, attempts: [attempt({ message, ...part }), attempt({ n: 2, outcome: 'answered', status: 200, code: null })] } });

async function find(text: string, ...rows: Partial<ExchangeRow>[]): Promise<string[]> {
  const log = readingOf(rows.map((row, n) => rowWith({ id: `row-${n}`, started_at: 1_000 - n, path: '/p', client: null, key_name: null, model_asked: null, model_served: null, upstream: null, ...row })));
  const page = await log.settle(log.reading.list({ view: 'requests', filter: { text }, limit: 100 }));
  const { rows: counted } = await log.settle(log.reading.count({ view: 'requests', filter: { text } }));
  expect(counted).toBe(page.rows.length);
  return page.rows.map((row) => row.id);
}

const FIELDS: readonly Partial<ExchangeRow>[] = [
  { model_asked: 'x-needle-1' }, { model_served: 'NEEDLE' }, { path: '/v1/needle' }, { error_code: 'needle_error' }, { error_message: 'a Needle in it' }, { session_id: 's-needle' }, { id: 'needle-id' },
  { upstream: 'needle' }, { client: 'needle/1' },
];

test.each(FIELDS)('a text is found in %o', async (row) => {
  expect(await find('nEEdle', {}, row, { key_name: 'needle', route: 'needle' })).toEqual([row.id ?? 'row-1']);
});

const MATCHES: readonly [text: string, found: string, not: string][] = [
  ['%', '100% sure', 'a hundred'], ['_', 'snake_case', 'kebab-case'], ['a_b', 'a_b', 'axb'], ['50%o', '50%off', '50 and off'], ['\\', 'C:\\temp', 'C:/temp'], ['\\%', 'odd \\% thing', 'odd % thing'],
  ['*', 'a*b', 'ab'], ['?', 'why?', 'why'], ['[x]', 'see [x]', 'see x'], ['"', 'say "no"', 'say no'], [`'`, `it's`, 'its'], ['--', 'a -- b', 'a - b'],
  // A letter with two cases brings patterns in, whose own signs must stay plain.
  ['ü*[?]', 'Ü*[?] end', 'üxx?x'], ['ü]^-%_\\', 'Ü]^-%_\\', 'Ü]^-aa\\'],
  ['载', '当前过载', '当前'], ['过载', '模型过载了', '模型过重载'], ['한국', '한국어', '일본어'], ['😀', 'so 😀', 'so 😁'],
  ['überlastet', 'ÜBERLASTET', 'Uberlastet'], ['ПРИВЕТ мир', 'привет МИР', 'привет, мир'], ['ΑΘΗΝΑ', 'αθηνα', 'αθήνα'], ['ÉTÉ', 'un été', 'un ete'],
];

test.each(MATCHES)('%s is found in "%s" and not in "%s"', async (text, found, not) => {
  expect(await find(text, { error_message: not }, { error_message: found }, { error_message: null })).toEqual(['row-1']);
});

test('a text does not reach over the end of a field', async () => {
  expect(await find('ab', { upstream: 'a', client: 'b' }, { upstream: 'ab' })).toEqual(['row-1']);
});

test.each([['overloaded'], ['ÜBERLASTET'], ['say "hi"'], ['back\\slash'], ['过载'], ['line\nbreak']])('what a failed attempt said (%s) finds the request that was rescued', async (text) => {
  expect(await find(text, tried('all well'), tried(`The upstream: ${text.toLowerCase()}.`), {})).toEqual(['row-1']);
});

test('names of attempts are searched, the words of the record itself are not', async () => {
  expect(await find('second', tried('', { upstream: 'Second Home' }), tried('', { model: 'second-model' }), tried('', { code: 'second_code' }))).toEqual(['row-0', 'row-1', 'row-2']);
  expect(await find('sent_whole', tried('no'))).toEqual([]);
});

// Keys, classes, numbers and signs of the record; the start and the end of each; escapes that look like letters.
const OWN = ['round', 'tru', 'transient', 'head', 'backoff', '503', '.5', '1e', '"', '":', ',"', '\\n', 'nbreak', 'n', 'message', 'essag', 'used_m', 'pause_ms', 'attempt', 'paus', '[', '},{', 'null', '-7'];

test.each(OWN)('of the record itself %s is not found, and is where an attempt said it', async (text) => {
  const bare = tried('x', { upstream: 'x', model: 'x', code: 'x', hint_ms: 0.5, queued_ms: 1e-7, pause_reason: 'backoff' });
  const quiet = { ...bare, id: 'zzz-0', detail: { ...bare.detail!, left_during: 'pause' as const, attempts: bare.detail!.attempts.map((one) => ({ ...one, upstream: 'x', model: 'x', code: 'x', message: one.n === 1 ? 'x\n\tx' : null })) } };
  expect(await find(text, quiet, { ...quiet, id: 'zzz-1', detail: { attempts: [attempt({ message: `it said ${text} to us` }), attempt({ upstream: 'x', model: 'x', code: null })] } })).toEqual(['zzz-1']);
});

test('a detail that is no JSON hides nothing and stops nothing', async () => {
  const log = readingOf([rowWith({ id: 'good', started_at: 1, ...tried('round') }), rowWith({ id: 'bad', started_at: 2, attempts: 2 })]);
  log.writer.prepare(`UPDATE gateway_logs SET detail = '{round' WHERE id = 'bad'`).run();
  const page = await log.settle(log.reading.list({ view: 'requests', filter: { text: 'round' }, limit: 10 }));
  expect(page.rows.map((row) => row.id)).toEqual(['good']);
});

const MANY = Array.from({ length: 4_000 }, (_, n) => rowWith({ id: `m${String(n).padStart(4, '0')}`, started_at: 10_000 + n, error_message: n % 1_000 === 0 ? 'a rare word' : 'nothing' }));

test('a search that takes long gives what it has, says how far it is, and goes on from there to the end', async () => {
  const log = readingOf(MANY);
  log.timePasses(60);
  const filter: LogFilter = { text: 'RARE word' };
  const ids: string[] = [];
  const scanned: number[] = [];
  for (let before: LogCursor | undefined; ;) {
    const page = await log.settle(log.reading.list({ view: 'requests', filter, limit: 50, ...(before && { before }) }));
    ids.push(...page.rows.map((row) => row.id));
    expect(page.scanned?.total).toBe(4_000);
    scanned.push(page.scanned!.rows);
    if (page.next === null) break;
    before = page.next;
  }
  expect(ids).toEqual(['m3000', 'm2000', 'm1000', 'm0000']);
  expect(scanned.length).toBeGreaterThan(3);
  expect(scanned).toEqual([...scanned].sort((a, b) => a - b));
  expect(scanned.at(-1)).toBe(4_000);
});

test('a search ends as soon as its page is full', async () => {
  const log = readingOf(MANY);
  const page = await log.settle(log.reading.list({ view: 'requests', filter: { text: 'nothing' }, limit: 20 }));
  expect(page.rows).toHaveLength(20);
  expect(page.scanned).toEqual({ rows: 20, total: 4_000 });
});

test('a search inside a filter counts only what it has to look at', async () => {
  const log = readingOf(MANY.map((row, n) => ({ ...row, upstream: n % 40 === 0 ? 'Few' : 'Many' })));
  const page = await log.settle(log.reading.list({ view: 'requests', filter: { text: 'rare', upstreams: ['Few'] }, limit: 20 }));
  expect(page.rows.map((row) => row.id)).toEqual(['m3000', 'm2000', 'm1000', 'm0000']);
  expect(page.scanned).toEqual({ rows: 100, total: 100 });
});

test('a count that would take too long says that there are at least so many', async () => {
  const log = readingOf(MANY);
  log.timePasses(300);
  const counted = await log.settle(log.reading.count({ view: 'requests', filter: { text: 'nothing' } }));
  expect(counted.exact).toBe(false);
  expect(counted.rows).toBeGreaterThan(500);
  expect(counted.rows).toBeLessThan(3_996);
});
