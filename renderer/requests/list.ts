import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow, LogCursor, LogFilter, LogPage } from '../../shared/log.ts';
import { passes } from './filter.ts';
import { cursorOf, merge, newer } from './row-order.ts';

/** A piece of the list of requests, newest first, and what came in while the user was reading further down, kept aside. */
export interface ListState {
  readonly filter: LogFilter;
  /** One unbroken piece of the log; what is far from it was let go and loads again on the way back. */
  readonly rows: readonly ExchangeRow[];
  /** How many rows stand above the piece; 0 at the head of the log. */
  readonly offset: number;
  /** Where newer rows go on; null when nothing but `fresh` is newer than the piece. */
  readonly above: LogCursor | null;
  /** Newer than what is shown, at most `FRESH_KEPT`. */
  readonly fresh: readonly ExchangeRow[];
  /** Whether the user sees the top of the list. */
  readonly atTop: boolean;
  /** Where older rows go on; null at the end. */
  readonly next: LogCursor | null;
  readonly phase: 'loading' | 'ready' | 'failed';
  /** For a text: how many rows below the newest its search has looked at, of how many. */
  readonly scanned: { readonly rows: number; readonly total: number } | null;
}

/** What can happen to the list. */
export type ListAction =
  | { readonly kind: 'filtered'; readonly filter: LogFilter }
  | { readonly kind: 'loaded'; readonly page: LogPage }
  /** The newest page in place of everything: the user goes to the top. */
  | { readonly kind: 'at_head'; readonly page: LogPage }
  | { readonly kind: 'older_loaded'; readonly page: LogPage }
  /** Rows right above the piece. */
  | { readonly kind: 'newer_loaded'; readonly page: LogPage }
  /** A piece from anywhere, with so many rows above it, which go on at `above`. */
  | { readonly kind: 'jumped'; readonly page: LogPage; readonly offset: number; readonly above: LogCursor }
  | { readonly kind: 'failed' }
  /** A newer question took the place of one that is still wanted: it has to be asked again. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'events'; readonly events: readonly ExchangeEvent[]; /** Rows of the running exchanges after these events. */ readonly running: (id: string) => ExchangeRow | undefined }
  | { readonly kind: 'known'; readonly row: ExchangeRow }
  | { readonly kind: 'scrolled'; readonly atTop: boolean };

/** Rows that stay when the list is shortened while its top is watched. */
export const KEPT_AT_TOP = 1_000;
/** Rows of the piece, whatever was scrolled through. */
export const KEPT = 2_400;
/** Rows kept aside; of more, only the newest. */
export const FRESH_KEPT = 1_000;

/** An empty list that waits for its first page. */
export function emptyList(filter: LogFilter): ListState {
  return { filter, rows: [], offset: 0, above: null, fresh: [], atTop: true, next: null, phase: 'loading', scanned: null };
}

/** The list after something happened. */
export function foldList(state: ListState, action: ListAction): ListState {
  switch (action.kind) {
    case 'filtered': return emptyList(action.filter);
    case 'failed': return state.rows.length > 0 ? state : { ...state, phase: 'failed' };
    case 'superseded': return { ...state };
    case 'loaded': return loaded(state, action.page);
    case 'at_head': return { ...emptyList(state.filter), atTop: state.atTop, rows: merge(action.page.rows, state.fresh), next: action.page.next, phase: 'ready', scanned: action.page.scanned };
    case 'older_loaded': return older(state, action.page);
    case 'newer_loaded': return newerLoaded(state, action.page);
    case 'jumped': return { ...state, rows: action.page.rows, offset: action.offset, above: action.above, next: action.page.next, scanned: action.page.scanned };
    case 'events': return action.events.reduce((list, event) => afterEvent(list, event, action.running), state);
    case 'known': return replace(state, action.row);
    case 'scrolled': return scrolled(state, action.atTop);
  }
}

function scrolled(state: ListState, atTop: boolean): ListState {
  if (atTop && state.above === null && state.fresh.length > 0 && state.fresh.length < FRESH_KEPT) return { ...state, atTop, rows: merge(state.fresh, state.rows), fresh: [] };
  return state.atTop === atTop ? state : { ...state, atTop };
}

// A page that does not reach down to what is shown would leave a gap, so it then takes its place.
function loaded(state: ListState, page: LogPage): ListState {
  // What events brought before the first page may not be on it yet.
  if (state.phase !== 'ready') return { ...state, rows: merge(state.rows, page.rows), next: page.next, phase: 'ready', scanned: page.scanned };
  if (state.above !== null) return { ...state, fresh: aside(state, page.rows.filter((row) => newest(state, row))) };
  const meets = page.next === null || state.rows.some((row) => page.rows.some((one) => one.id === row.id));
  if (state.rows.length === 0 || !meets) return { ...state, rows: page.rows, fresh: [], next: page.next, phase: 'ready', scanned: page.scanned };
  const known = page.rows.filter((row) => state.atTop || !newest(state, row));
  return { ...state, rows: merge(known, state.rows), fresh: state.atTop ? [] : aside(state, page.rows.filter((row) => newest(state, row))) };
}

function newest(state: ListState, row: ExchangeRow): boolean {
  const [first] = state.rows;
  return first !== undefined && newer(row, first) < 0;
}

function aside(state: ListState, rows: readonly ExchangeRow[]): readonly ExchangeRow[] {
  return merge(rows, state.fresh).slice(0, FRESH_KEPT);
}

function older(state: ListState, page: LogPage): ListState {
  const rows = merge(state.rows, page.rows);
  const dropped = Math.max(0, rows.length - KEPT);
  const kept = dropped === 0 ? rows : rows.slice(dropped);
  const [first] = kept;
  return { ...state, rows: kept, offset: state.offset + dropped, above: dropped > 0 && first !== undefined ? cursorOf(first) : state.above, next: page.next, scanned: page.scanned };
}

function newerLoaded(state: ListState, page: LogPage): ListState {
  const rows = merge(page.rows, state.rows);
  const grown = rows.length - state.rows.length;
  const kept = rows.length > KEPT ? rows.slice(0, KEPT) : rows;
  const cut = kept.length < rows.length ? kept.at(-1) : undefined;
  const next = cut === undefined ? state.next : cursorOf(cut);
  // At the head nothing is above, whatever the number of rows there was thought to be; below it there is something.
  if (page.next === null) return { ...state, rows: merge(state.fresh, kept), offset: 0, above: null, fresh: [], next };
  return { ...state, rows: kept, offset: Math.max(1, state.offset - grown), above: page.next, next };
}

function afterEvent(state: ListState, event: ExchangeEvent, running: (id: string) => ExchangeRow | undefined): ListState {
  if (event.kind === 'started' || event.kind === 'finished') return take(state, event.row);
  // A running exchange changes its upstream and its retries with each attempt, and with them whether it passes.
  if (event.kind !== 'attempt_started') return state;
  const row = running(event.id);
  return row === undefined ? state : take(state, row);
}

function take(state: ListState, row: ExchangeRow): ListState {
  const shown = replace(state, row);
  if (shown !== state || !passes(state.filter, row)) return shown;
  const oldest = state.rows.at(-1);
  if (state.next !== null && oldest !== undefined && newer(row, oldest) > 0) return state; // Comes with its own page.
  if (state.above !== null && !newest(state, row)) return { ...state, rows: merge([row], state.rows) };
  return state.atTop && state.above === null ? shortened({ ...state, rows: merge([row], state.rows) }) : { ...state, fresh: aside(state, [row]) };
}

// A list that is only watched would grow for ever; what is cut off loads again on the way down.
function shortened(state: ListState): ListState {
  if (state.rows.length <= 2 * KEPT_AT_TOP) return state;
  const rows = state.rows.slice(0, KEPT_AT_TOP);
  return { ...state, rows, next: cursorOf(rows[KEPT_AT_TOP - 1] as ExchangeRow) };
}

// A row that passes no more goes: it went on to another upstream, or ended otherwise than the filter wants.
function replace(state: ListState, row: ExchangeRow): ListState {
  const stays = passes(state.filter, row);
  const swap = (rows: readonly ExchangeRow[]) => {
    if (!rows.some((one) => one.id === row.id)) return rows;
    return stays ? rows.map((one) => (one.id === row.id ? row : one)) : rows.filter((one) => one.id !== row.id);
  };
  const rows = swap(state.rows);
  const fresh = swap(state.fresh);
  return rows === state.rows && fresh === state.fresh ? state : { ...state, rows, fresh };
}
