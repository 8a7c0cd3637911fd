import type { Database } from 'better-sqlite3';
import { FIGURE_CUTS, type FigureCounts, type Figures, type FigureSpan } from '../../../shared/figures.ts';
import { FIGURE_COLUMNS, FIGURE_MINUTES, type FigureNumbers } from '../figure-counts.ts';

const MINUTE_MS = 60_000;
const NOTHING: FigureNumbers = FIGURE_COLUMNS.map(() => 0);

/** The figures of a span that ends now, in buckets that begin at round times of the local clock. */
export function figures(db: Database, { span, utcMs }: { readonly span: FigureSpan; readonly utcMs: number }): Figures {
  const { buckets: count, bucketMs } = FIGURE_CUTS[span];
  const zoneMs = -new Date(utcMs).getTimezoneOffset() * MINUTE_MS;
  const to = (Math.floor((utcMs + zoneMs) / bucketMs) + 1) * bucketMs - zoneMs;
  const from = to - count * bucketMs;
  const found = sums(db, from, to, bucketMs);
  const numbers = Array.from({ length: count }, (_, index) => found.get(index) ?? NOTHING);
  const totals = numbers.reduce((sum, bucket) => sum.map((value, index) => value + (bucket[index] ?? 0)), NOTHING);
  return {
    span, from, to,
    totals: countsFrom(totals),
    buckets: numbers.map((bucket, index) => ({ from: from + index * bucketMs, to: from + (index + 1) * bucketMs, ...countsFrom(bucket) })),
    rejectedKeys: totals[FIGURE_COLUMNS.indexOf('rejected_keys')] ?? 0,
  };
}

function sums(db: Database, from: number, to: number, bucketMs: number): Map<number, FigureNumbers> {
  const minutes = FIGURE_MINUTES.findLast((each) => bucketMs % (each * MINUTE_MS) === 0) ?? 1;
  const rows = db.prepare(`SELECT (began - ?) / ?, ${FIGURE_COLUMNS.map((column) => `sum(${column})`).join(', ')} FROM gateway_figures WHERE minutes = ? AND began >= ? AND began < ? GROUP BY 1`).raw();
  const found = rows.all(BigInt(from / MINUTE_MS), BigInt(bucketMs / MINUTE_MS), minutes, from / MINUTE_MS, to / MINUTE_MS) as number[][];
  return new Map(found.map(([bucket, ...numbers]) => [bucket ?? 0, numbers]));
}

function countsFrom(numbers: FigureNumbers): FigureCounts {
  const of = (column: (typeof FIGURE_COLUMNS)[number]): number => numbers[FIGURE_COLUMNS.indexOf(column)] ?? 0;
  return {
    requests: of('requests'), firstTry: of('first_try'), rescuedByRetry: of('rescued_by_retry'), rescuedByFailover: of('rescued_by_failover'),
    failed: of('failed'), refused: of('refused'), cancelled: of('cancelled'), pauseMs: of('pause_ms'),
    inputTokens: of('input_tokens'), outputTokens: of('output_tokens'), cacheReadTokens: of('cache_read_tokens'), cacheWriteTokens: of('cache_write_tokens'),
    untold: of('untold'), unpriced: of('unpriced'), costMicros: of('cost_micros'),
  };
}
