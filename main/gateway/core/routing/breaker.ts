import type { BreakerPhase } from '../../../../shared/health.ts';
import type { Settings } from '../../../../shared/settings.ts';

export type BreakerSettings = Settings['gateway.breaker'];

/** How an attempt was let through: as usual, as the one probe of a half-open breaker, or past it because nobody else was left (SPEC 9.4). */
export type Entry = 'normal' | 'probe' | 'bypass';

/** The verdict of one exchange on one upstream. */
interface Verdict {
  readonly exchange: string;
  readonly atMs: number;
  readonly failed: boolean;
}

/** A verdict and those before it: a chain, because one is added for every exchange and they are counted only when one failed. */
interface Booked {
  readonly verdict: Verdict;
  readonly before: Booked | null;
  /** How many there are from here on, and whether a failure is among them. */
  readonly count: number;
  readonly anyFailed: boolean;
}

/** What is known of one upstream and model. A value: every function below gives a new one. Times are monotonic ms. */
export interface Breaker {
  /** Open until then, half-open after it; null when closed. */
  readonly openUntilMs: number | null;
  /** How long it was open last; 0 since it closed. */
  readonly coolMs: number;
  readonly failuresInRow: number;
  /** The newest of them; some at the end of the chain may have left the window. */
  readonly newest: Booked | null;
  /** Whether the probe of the half-open breaker is under way. */
  readonly probing: boolean;
  /** Rests until then for a reason of its own: rate limit, quota, rejected key. */
  readonly restUntilMs: number;
}

export const CLOSED: Breaker = { openUntilMs: null, coolMs: 0, failuresInRow: 0, newest: null, probing: false, restUntilMs: -Infinity };

export type { BreakerPhase };

export function phaseOf(breaker: Breaker, nowMs: number): BreakerPhase {
  if (breaker.openUntilMs === null) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'half_open';
}

/** Whether an attempt may start: open admits nobody before its time, half-open exactly one (law 8). A bypass stands above this. */
export function admits(breaker: Breaker, nowMs: number): Exclude<Entry, 'bypass'> | null {
  if (nowMs < breaker.restUntilMs) return null;
  const phase = phaseOf(breaker, nowMs);
  if (phase === 'closed') return 'normal';
  return phase === 'half_open' && !breaker.probing ? 'probe' : null;
}

/** An attempt starts. */
export function entered(breaker: Breaker, entry: Entry): Breaker {
  return entry === 'probe' ? { ...breaker, probing: true } : breaker;
}

/** The attempt says nothing about the upstream: it was cancelled, or failed through no fault of it. A probe gives its place back. */
export function withdrawn(breaker: Breaker, entry: Entry): Breaker {
  return entry === 'probe' ? { ...breaker, probing: false } : breaker;
}

/** The attempt succeeded. A failure that the same exchange booked before is turned into this success. */
export function succeeded(breaker: Breaker, entry: Entry, exchange: string, settings: BreakerSettings, nowMs: number): Breaker {
  // A success that was let through an open breaker shows that the upstream is back: window and doubling are forgotten.
  if (entry !== 'normal') return { ...CLOSED, restUntilMs: entry === 'bypass' ? -Infinity : breaker.restUntilMs };
  if (breaker.openUntilMs !== null) return breaker;
  return { ...breaker, failuresInRow: 0, newest: booked(breaker, { exchange, atMs: nowMs, failed: false }, settings, nowMs) };
}

/** The attempt failed in a way that counts. Each exchange books one failure, however often it tried here. */
export function failed(breaker: Breaker, entry: Entry, exchange: string, settings: BreakerSettings, nowMs: number): Breaker {
  if (entry === 'bypass') return breaker;
  if (entry === 'probe') return { ...opened(breaker, settings, nowMs), probing: false };
  // Attempts that began before it opened, or a second failure of the same exchange, say nothing new.
  if (breaker.openUntilMs !== null || hasFailed(breaker, exchange)) return breaker;
  const next = { ...breaker, failuresInRow: breaker.failuresInRow + 1, newest: booked(breaker, { exchange, atMs: nowMs, failed: true }, settings, nowMs) };
  const verdicts = verdictsOf(next, settings, nowMs);
  const share = verdicts.filter((verdict) => verdict.failed).length / verdicts.length;
  const tooMany = next.failuresInRow >= settings.failures || (verdicts.length >= settings.min_samples && share >= settings.ratio);
  return tooMany ? opened(next, settings, nowMs) : next;
}

/** The upstream said, or showed, that it is not to be asked before `untilMs`. Never shortens a rest. */
export function rested(breaker: Breaker, untilMs: number): Breaker {
  return { ...breaker, restUntilMs: Math.max(breaker.restUntilMs, untilMs) };
}

function opened(breaker: Breaker, settings: BreakerSettings, nowMs: number): Breaker {
  const coolMs = Math.min(settings.max_cool_secs * 1_000, breaker.coolMs === 0 ? settings.cool_secs * 1_000 : breaker.coolMs * 2);
  return { ...breaker, coolMs, openUntilMs: nowMs + coolMs };
}

// A window of a busy upstream stays bounded; the share of a thousand verdicts does not change by the oldest.
const MOST_VERDICTS = 1_000;

/** The verdicts of the window, oldest first, the newest thousand at most. */
export function verdictsOf(breaker: Breaker, settings: BreakerSettings, nowMs: number): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  for (let link = breaker.newest; link !== null && verdicts.length < MOST_VERDICTS && link.verdict.atMs > nowMs - settings.window_secs * 1_000; link = link.before) verdicts.push(link.verdict);
  return verdicts.reverse();
}

function hasFailed(breaker: Breaker, exchange: string): boolean {
  for (let link = breaker.newest; link?.anyFailed === true; link = link.before) if (link.verdict.failed && link.verdict.exchange === exchange) return true;
  return false;
}

/** Adds a verdict; it takes the place of the failure that the same exchange has booked before. What is out of the window goes when the chain has grown to twice its length. */
function booked(breaker: Breaker, verdict: Verdict, settings: BreakerSettings, nowMs: number): Booked {
  const isLong = (breaker.newest?.count ?? 0) >= 2 * MOST_VERDICTS;
  if (!isLong && !hasFailed(breaker, verdict.exchange)) return linked(breaker.newest, verdict);
  const others = verdictsOf(breaker, settings, nowMs).filter((one) => one.exchange !== verdict.exchange);
  return linked(others.reduce<Booked | null>(linked, null), verdict);
}

function linked(before: Booked | null, verdict: Verdict): Booked {
  return { verdict, before, count: (before?.count ?? 0) + 1, anyFailed: verdict.failed || (before?.anyFailed ?? false) };
}
