/** The times that the figures of the overview are asked for. */
export const FIGURE_SPANS = ['1h', '24h', '7d', '30d'] as const;
export type FigureSpan = (typeof FIGURE_SPANS)[number];

/** How a span is cut: this many buckets of this many ms. */
export const FIGURE_CUTS: Readonly<Record<FigureSpan, { readonly buckets: number; readonly bucketMs: number }>> = {
  '1h': { buckets: 60, bucketMs: 60_000 },
  '24h': { buckets: 48, bucketMs: 1_800_000 },
  '7d': { buckets: 84, bucketMs: 7_200_000 },
  '30d': { buckets: 60, bucketMs: 43_200_000 },
};

/** What became of the exchanges that began in a time. Counts, ms, tokens and millionths of a dollar. */
export interface FigureCounts {
  /** Exchanges that have ended; the six below add up to it. */
  readonly requests: number;
  /** Success without retry or failover. */
  readonly firstTry: number;
  /** Success after at least one retry. */
  readonly rescuedByRetry: number;
  /** Success without a retry, after at least one failover. */
  readonly rescuedByFailover: number;
  /** Failed, truncated or interrupted. */
  readonly failed: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly pauseMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Exchanges that brought content and did not tell their tokens. */
  readonly untold: number;
  /** Exchanges whose tokens are known and have no price. */
  readonly unpriced: number;
  /** Of the priced ones. */
  readonly costMicros: number;
}

/** The counts of one bar of the chart; ms since 1970, `to` not included. */
export interface FigureBucket extends FigureCounts { readonly from: number; readonly to: number }

/** The figures of a span. Buckets begin at round times of the local clock and the last one is still filling, so `to` may lie ahead of now. */
export interface Figures {
  readonly span: FigureSpan;
  readonly from: number;
  readonly to: number;
  readonly totals: FigureCounts;
  /** Oldest first, empty ones included. */
  readonly buckets: readonly FigureBucket[];
  /** Requests that were refused, and those that failed because an upstream did not take the key. */
  readonly rejectedKeys: number;
}
