import type { HealthFigures, LastError } from '../../shared/health.ts';

/** What the figures of one upstream and model are made of (SPEC 19: each attempt counts). Bounded: an hour in minutes, and the newest samples. */
export interface Tally {
  readonly minutes: Minute[];
  /** Times to first content, newest last. */
  readonly samples: { readonly atMs: number; readonly tookMs: number }[];
  lastError: LastError | null;
  /** Attempts under way; shared with what takes its place when the upstream is forgotten meanwhile. */
  readonly running: { count: number };
}

interface Minute {
  readonly minute: number;
  answered: number;
  answeredInRetry: number;
  failed: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
// A median does not get better by more of them.
const MOST_SAMPLES = 200;

export function newTally(running: Tally['running'] = { count: 0 }): Tally {
  return { minutes: [], samples: [], lastError: null, running };
}

/** Books the end of an attempt; times are monotonic ms. */
export function tallied(tally: Tally, what: 'answered' | 'answered_in_retry' | 'failed', nowMs: number): void {
  const minute = Math.floor(nowMs / MINUTE_MS);
  let last = tally.minutes.at(-1);
  if (last?.minute !== minute) {
    last = { minute, answered: 0, answeredInRetry: 0, failed: 0 };
    tally.minutes.push(last);
    while ((tally.minutes[0]?.minute ?? minute) <= minute - HOUR_MS / MINUTE_MS) tally.minutes.shift();
  }
  if (what === 'failed') last.failed++;
  else last.answered++;
  if (what === 'answered_in_retry') last.answeredInRetry++;
}

export function sampled(tally: Tally, tookMs: number, nowMs: number): void {
  tally.samples.push({ atMs: nowMs, tookMs });
  if (tally.samples.length > MOST_SAMPLES) tally.samples.shift();
}

/** The figures of the last hour over some tallies: those of one model, or of all models of an upstream. `inFlight` is what runs now. */
export function figuresOf(tallies: readonly Tally[], inFlight: number, nowMs: number): HealthFigures {
  const oldest = Math.floor(nowMs / MINUTE_MS) - HOUR_MS / MINUTE_MS;
  const minutes = tallies.flatMap((tally) => tally.minutes.filter((one) => one.minute > oldest));
  const sum = (of: (minute: Minute) => number): number => minutes.reduce((total, minute) => total + of(minute), 0);
  const answered = sum((minute) => minute.answered);
  const attempts = answered + sum((minute) => minute.failed);
  const samples = tallies.flatMap((tally) => tally.samples.filter((sample) => sample.atMs > nowMs - HOUR_MS).map((sample) => sample.tookMs));
  const errors = tallies.flatMap((tally) => (tally.lastError === null ? [] : [tally.lastError]));
  return {
    attempts,
    successShare: attempts === 0 ? null : answered / attempts,
    retriedShare: answered === 0 ? null : sum((minute) => minute.answeredInRetry) / answered,
    firstContentMs: median(samples),
    inFlight,
    lastError: errors.reduce<LastError | null>((newest, error) => (newest === null || error.at > newest.at ? error : newest), null),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
