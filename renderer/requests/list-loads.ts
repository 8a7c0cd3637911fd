import type { LogCursor, LogFilter } from '../../shared/log.ts';
import type { ListState } from './list.ts';

/** What the list has to ask of the log next. */
export type Load =
  | { readonly kind: 'first' }
  | { readonly kind: 'older'; readonly before: LogCursor }
  | { readonly kind: 'newer'; readonly after: LogCursor }
  /** The user went far from the loaded piece, to the row with this number from the top. */
  | { readonly kind: 'jump'; readonly index: number };

/** Row numbers in sight; `to` is the one after the last. */
export interface Sight { readonly from: number; readonly to: number }

// Rows are asked for before they are in sight; further off than FAR, page after page would take longer than a jump.
const NEAR = 240;
const FAR = 600;
// Hits that fill the page.
const FILLED = 80;

/** What is missing around what is in sight; null when nothing is. */
export function nextLoad(state: ListState, sight: Sight): Load | null {
  if (state.phase !== 'ready') return state.phase === 'loading' ? { kind: 'first' } : null;
  const [first] = state.rows;
  const end = state.offset + state.rows.length;
  const below = state.next !== null && sight.from > end + FAR;
  const above = state.above !== null && sight.to < state.offset - FAR;
  if (first !== undefined && (below || above)) return { kind: 'jump', index: sight.from };
  if (state.above !== null && sight.from < state.offset + NEAR) return { kind: 'newer', after: state.above };
  // A search that found enough rests until somebody scrolls: each of its pages may read the whole log.
  const near = state.filter.text === undefined ? NEAR : FILLED;
  return state.next !== null && sight.to > end - near ? { kind: 'older', before: state.next } : null;
}

/** Whether a text search still looks for what fills the page. */
export function isSearching(state: ListState): boolean {
  return state.filter.text !== undefined && (state.phase === 'loading' || (state.phase === 'ready' && state.next !== null && state.offset + state.rows.length < FILLED));
}

/** Rows the list is drawn with: the piece, what is above it, and below it what the log is known to hold. */
export function shownCount(state: ListState, known: number | null): number {
  const end = state.offset + state.rows.length;
  return state.next === null ? end : Math.min(MOST_SHOWN, Math.max(end, known ?? 0));
}

// Chromium places things exactly up to 2^24 px; 34 px a row. Beyond it a place in the list is a share of the whole.
const MOST_SHOWN = 490_000;

/** What finding a place asks of the log. */
export interface PlaceQuestions {
  /** When the oldest row began, ms since 1970; null when there is none. */
  readonly oldest: () => Promise<number | null>;
  /** How many rows began at or after a moment; null when there are too many to count. */
  readonly since: (utcMs: number) => Promise<number | null>;
}

const CLOSE_ENOUGH = 300;

/** The moment so that about `index` of `total` rows are newer, and how many really are; narrows it down in a few steps. Null when the log is empty. */
export async function findPlace(index: number, total: number, nowMs: number, filter: LogFilter, ask: PlaceQuestions): Promise<{ readonly at: number; readonly offset: number } | null> {
  const oldest = await ask.oldest();
  if (oldest === null) return null;
  let high = { at: Math.min(filter.to ?? nowMs, nowMs), rows: 0 };
  let low = { at: oldest, rows: total };
  let place = { at: oldest, offset: index };
  for (let step = 0; step < 6 && high.at > low.at; step++) {
    const share = (index - high.rows) / Math.max(1, low.rows - high.rows);
    const at = Math.round(high.at - Math.min(0.98, Math.max(0.02, share)) * (high.at - low.at));
    const rows = await ask.since(at);
    // Too many to count: the moment is an estimate then, and the number of rows above it with it.
    place = { at, offset: rows ?? index };
    if (rows === null || Math.abs(rows - index) < CLOSE_ENOUGH) return place;
    if (rows > index) low = { at, rows };
    else high = { at, rows };
  }
  return place;
}
