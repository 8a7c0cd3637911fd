import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { figures } from '../../main/store/reader/figures.ts';
import { dropOldFigures } from '../../main/store/writer/figures.ts';
import { MIGRATIONS } from '../../main/store/writer/migrations.ts';
import { openDatabase } from '../../main/store/writer/open.ts';
import { createRowWriter, endInterrupted } from '../../main/store/writer/rows.ts';
import { OUTCOMES } from '../../shared/failure.ts';
import { FIGURE_CUTS, FIGURE_SPANS, type FigureCounts } from '../../shared/figures.ts';
import type { AttemptRow, ExchangeRow } from '../../shared/log.ts';
import { rowWith, temporaryFolder } from '../support/store-parts.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 34, 56);

function opened(dataDir = temporaryFolder()) {
  const opening = openDatabase(dataDir, NOW);
  if (opening.kind !== 'open') throw new Error(opening.kind);
  const { db } = opening;
  const writer = createRowWriter(db, () => undefined);
  onTestFinished(() => {
    db.close();
    opening.release();
  });
  return {
    dataDir, db,
    begin: (...rows: ExchangeRow[]) => writer.write({ contents: [], rows: rows.map((row) => ({ kind: 'started', id: row.id, row: { ...row, state: 'in_flight', outcome: null } })) }),
    finish: (...rows: ExchangeRow[]) => writer.write({ contents: [], rows: rows.map((row) => ({ kind: 'finished', id: row.id, row })) }),
    forget: (...ids: string[]) => writer.write({ contents: [], rows: ids.map((id) => ({ kind: 'forget', id })) }),
  };
}

const kept = (db: Database.Database): unknown[] => db.prepare('SELECT * FROM gateway_figures WHERE requests <> 0 ORDER BY minutes, began').raw().all();
/** What the migration makes of the rows that are there. */
function fromRows(db: Database.Database): unknown[] {
  const step = MIGRATIONS.find((sql) => sql.includes('CREATE TABLE gateway_figures')) ?? '';
  return db.prepare(step.slice(step.indexOf('SELECT')).replace(/;\s*$/, ' ORDER BY 1, 2')).raw().all();
}

const attempt = (part: Partial<AttemptRow>): AttemptRow => ({
  n: 1, round: 0, upstream: 'A', model: 'm', started_ms: 0, duration_ms: 1, outcome: 'failed', status: 401, class: 'auth', code: 'c', message: null, where: 'head',
  hint_ms: null, pause_ms: null, pause_reason: null, queued_ms: 0, first_content_ms: null, bytes: 0, sent_whole: true, resent: false, bypass: false, ...part,
});
const number = fc.option(fc.integer({ min: 0, max: 10_000 }));
const row = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), started_at: fc.integer({ min: NOW - 200_000, max: NOW }), outcome: fc.constantFrom(...OUTCOMES), path: fc.constantFrom('/v1/messages', '/v1/messages/count_tokens?beta=true', '/v1beta/models/g:countTokens'),
  retries: fc.integer({ min: 0, max: 2 }), failovers: fc.integer({ min: 0, max: 2 }), pause_ms: fc.integer({ min: 0, max: 9_000 }), first_content_ms: number, input_tokens: number, output_tokens: number,
  cache_read_tokens: number, cache_write_tokens: number, cost_micros: number, detail: fc.constantFrom({ attempts: [] }, { attempts: [attempt({}), attempt({ class: 'transient' })] }, { attempts: [attempt({ class: null }), attempt({})] }),
}).map(rowWith);
const step = fc.oneof(fc.record({ kind: fc.constant('begin' as const), row }), fc.record({ kind: fc.constant('finish' as const), row }), fc.record({ kind: fc.constant('forget' as const), row }));

test('figures are the sums of the rows, in whatever order rows begin, end, end again and are taken back', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const log = opened();
    // An exchange keeps its beginning, whatever is said of it later.
    const bornAt = new Map<string, number>();
    for (const { kind, row: drawn } of steps) {
      const born = bornAt.get(drawn.id) ?? drawn.started_at;
      bornAt.set(drawn.id, born);
      const path = `/v1/messages${drawn.id < 'd' ? '/count_tokens' : ''}`;
      if (kind === 'forget') log.forget(drawn.id);
      else log[kind]({ ...drawn, path, started_at: born });
    }
    expect(kept(log.db)).toEqual(fromRows(log.db));
    // SPEC 12.3: what was in flight counts once, as interrupted.
    endInterrupted(log.db);
    expect(endInterrupted(log.db)).toBe(0);
    expect(kept(log.db)).toEqual(fromRows(log.db));
  }), { numRuns: 25 });
});

test('a row that cannot be stored adds nothing', () => {
  const log = opened();
  expect(log.finish(rowWith({ id: 'good' }), rowWith({ id: 'bad', format: null as never }))).toMatchObject({ lost: 1 });
  log.finish(rowWith({ id: 'good', retries: Number.NaN }));
  expect(kept(log.db)).toEqual(fromRows(log.db));
  expect(log.db.prepare('SELECT sum(requests) FROM gateway_figures WHERE minutes = 1').pluck().get()).toBe(1);
});

test('a batch that could not be written leaves nothing behind in the figures of the next one', () => {
  const log = opened();
  const pages = log.db.pragma('page_count', { simple: true }) as number;
  log.db.pragma(`max_page_count = ${pages + 3}`);
  const rows = Array.from({ length: 100 }, (_, n) => rowWith({ id: `r${n}`, error_message: 'x'.repeat(2_000) }));
  expect(log.finish(...rows).kind).toBe('later');
  log.db.pragma(`max_page_count = ${pages + 5_000}`);
  log.finish(...rows);
  expect(log.db.prepare('SELECT sum(requests) FROM gateway_figures WHERE minutes = 1').pluck().get()).toBe(100);
});

test('a database from before there were figures gets them from its rows, a detail that is no JSON included', () => {
  const dataDir = temporaryFolder();
  const before = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE gateway_figures'));
  const old = new Database(join(dataDir, 'holdfast.db'));
  for (const sql of MIGRATIONS.slice(0, before)) old.exec(sql);
  old.pragma(`user_version = ${before}`);
  const insert = old.prepare(`INSERT INTO gateway_logs (id, started_at, state, outcome, format, path, streamed, retries, attempts, failovers, detail) VALUES (?, ?, ?, ?, 'chat', '/', 1, ?, 1, 0, ?)`);
  insert.run('a', NOW, 'done', 'success', 3, '{}');
  insert.run('b', NOW, 'done', 'failed', 0, '{broken');
  insert.run('c', NOW, 'in_flight', null, 0, '{}');
  old.close();
  const { db } = opened(dataDir);
  expect(figures(db, { span: '1h', utcMs: NOW })).toMatchObject({ totals: { requests: 2, rescuedByRetry: 1, failed: 1 }, rejectedKeys: 0 });
});

test.each(FIGURE_SPANS)('%s: buckets without gap to the present one, which add up to the totals, and exchanges in the bucket in which they began', (span) => {
  const log = opened();
  const { buckets: count, bucketMs } = FIGURE_CUTS[span];
  const empty = figures(log.db, { span, utcMs: NOW });
  expect(empty.buckets).toHaveLength(count);
  expect(empty.totals.requests).toBe(0);
  expect(empty.to).toBeGreaterThan(NOW);
  expect(empty.to - NOW).toBeLessThanOrEqual(bucketMs);
  expect(empty.from).toBe(empty.to - count * bucketMs);
  empty.buckets.forEach((bucket, n) => { expect([bucket.from, bucket.to]).toEqual([empty.from + n * bucketMs, empty.from + (n + 1) * bucketMs]); });

  const at = (started_at: number, part: Partial<ExchangeRow>): void => { log.finish(rowWith({ id: `${started_at}-${JSON.stringify(part)}`, started_at, ...part })); };
  at(empty.from - 1, {});
  at(empty.from, { retries: 2, failovers: 1, pause_ms: 700, input_tokens: null, output_tokens: null });
  at(empty.from + bucketMs - 1, { failovers: 1, cost_micros: 250, cache_read_tokens: 5, cache_write_tokens: 6 });
  at(empty.from + bucketMs, { outcome: 'refused', input_tokens: null, output_tokens: null, first_content_ms: null });
  at(NOW, { outcome: 'failed', detail: { attempts: [attempt({})] }, input_tokens: null, output_tokens: null, first_content_ms: null });
  at(NOW - 1, { outcome: 'cancelled' });
  at(NOW - 2, { outcome: 'truncated' });
  at(NOW - 3, { outcome: 'interrupted' });
  at(empty.to, {});
  const found = figures(log.db, { span, utcMs: NOW });
  expect(found.buckets[0]).toMatchObject({ requests: 2, firstTry: 0, rescuedByRetry: 1, rescuedByFailover: 1, pauseMs: 700, untold: 1, unpriced: 0, costMicros: 250, inputTokens: 12, outputTokens: 34, cacheReadTokens: 5, cacheWriteTokens: 6 });
  expect(found.buckets[1]).toMatchObject({ requests: 1, refused: 1, untold: 0 });
  expect(found.buckets.at(-1)).toMatchObject({ requests: 4, failed: 3, cancelled: 1, unpriced: 3 });
  expect(found.rejectedKeys).toBe(2);
  for (const key of Object.keys(found.totals) as (keyof FigureCounts)[]) expect(found.totals[key], key).toBe(found.buckets.reduce((sum, bucket) => sum + bucket[key], 0));
  const { requests, firstTry, rescuedByRetry, rescuedByFailover, failed, refused, cancelled } = found.totals;
  expect(firstTry + rescuedByRetry + rescuedByFailover + failed + refused + cancelled).toBe(requests);
});

test('figures stay when their rows are removed, and go when no span reaches them', () => {
  const log = opened();
  const day = 86_400_000;
  const ages = [32, 30.5, 3, 1.5];
  log.finish(...ages.map((days) => rowWith({ id: `${days}`, started_at: NOW - days * day })));
  log.db.exec('DELETE FROM gateway_logs');
  expect(dropOldFigures(log.db, NOW)).toBe(false);
  const left = (minutes: number): unknown[] => log.db.prepare('SELECT began FROM gateway_figures WHERE minutes = ? ORDER BY began').pluck().all(minutes);
  const began = (days: number, minutes: number): number => Math.floor((NOW - days * day) / 60_000 / minutes) * minutes;
  expect(left(1)).toEqual([began(1.5, 1)]);
  expect(left(15)).toEqual([began(30.5, 15), began(3, 15), began(1.5, 15)]);
});
