import type { ExchangeEvent } from '../../shared/events.ts';
import type { Outcome } from '../../shared/failure.ts';
import type { ExchangeRow, LogCursor, LogPage } from '../../shared/log.ts';

/** What the list shows; empty outcomes mean any. */
export interface ListFilter {
  readonly outcomes: readonly Outcome[];
  readonly retriedOnly: boolean;
}

/** The filter that shows everything. */
export const NO_FILTER: ListFilter = { outcomes: [], retriedOnly: false };

/** The list of requests: newest first, with what came in while the user was reading further down kept aside. */
export interface ListState {
  readonly filter: ListFilter;
  readonly rows: readonly ExchangeRow[];
  /** Newer than what is shown; put on top when the user goes there. */
  readonly fresh: readonly ExchangeRow[];
  readonly atTop: boolean;
  /** Where older rows go on; null at the end. */
  readonly next: LogCursor | null;
  readonly phase: 'loading' | 'ready' | 'failed';
}

/** What can happen to the list. */
export type ListAction =
  | { readonly kind: 'filtered'; readonly filter: ListFilter }
  | { readonly kind: 'loaded'; readonly page: LogPage }
  | { readonly kind: 'older_loaded'; readonly page: LogPage }
  | { readonly kind: 'failed' }
  | { readonly kind: 'events'; readonly events: readonly ExchangeEvent[]; /** Rows of the running exchanges after these events. */ readonly running: (id: string) => ExchangeRow | undefined }
  | { readonly kind: 'known'; readonly row: ExchangeRow }
  | { readonly kind: 'scrolled'; readonly atTop: boolean };

/** Rows that stay when the list is shortened while its top is watched. */
export const KEPT_AT_TOP = 1_000;

/** An empty list that waits for its first page. */
export function emptyList(filter: ListFilter): ListState {
  return { filter, rows: [], fresh: [], atTop: true, next: null, phase: 'loading' };
}

/** Whether the list shows this row. */
export function passes(filter: ListFilter, row: ExchangeRow): boolean {
  if (filter.retriedOnly && row.retries === 0) return false;
  return filter.outcomes.length === 0 || (row.outcome !== null && filter.outcomes.includes(row.outcome));
}

/** The list after something happened. */
export function foldList(state: ListState, action: ListAction): ListState {
  switch (action.kind) {
    case 'filtered': return emptyList(action.filter);
    case 'failed': return state.rows.length > 0 ? state : { ...state, phase: 'failed' };
    case 'loaded': return loaded(state, action.page);
    case 'older_loaded': return { ...state, rows: merge(state.rows, action.page.rows), next: action.page.next };
    case 'events': return action.events.reduce((list, event) => afterEvent(list, event, action.running), state);
    case 'known': return replace(state, action.row);
    case 'scrolled': return scrolled(state, action.atTop);
  }
}

function scrolled(state: ListState, atTop: boolean): ListState {
  if (atTop && state.fresh.length > 0) return { ...state, atTop, rows: merge(state.fresh, state.rows), fresh: [] };
  return state.atTop === atTop ? state : { ...state, atTop };
}

// A page that does not reach down to what is shown would leave a gap, so it then takes its place.
function loaded(state: ListState, page: LogPage): ListState {
  // What events brought before the first page may not be on it yet.
  if (state.phase !== 'ready') return { ...state, rows: merge(state.rows, page.rows), next: page.next, phase: 'ready' };
  const meets = page.next === null || state.rows.some((row) => page.rows.some((one) => one.id === row.id));
  if (state.rows.length === 0 || !meets) return { ...state, rows: page.rows, fresh: [], next: page.next, phase: 'ready' };
  const newest = state.rows[0];
  const isNew = (row: ExchangeRow) => newest !== undefined && newer(row, newest) < 0;
  const known = page.rows.filter((row) => state.atTop || !isNew(row));
  const fresh = state.atTop ? [] : merge(page.rows.filter(isNew), state.fresh);
  return { ...state, rows: merge(known, state.rows), fresh, phase: 'ready' };
}

function afterEvent(state: ListState, event: ExchangeEvent, running: (id: string) => ExchangeRow | undefined): ListState {
  if (event.kind === 'started' || event.kind === 'finished') return take(state, event.row);
  // A running exchange passes `retriedOnly` from its first retry on.
  if (event.kind !== 'attempt_started' || event.round === 0) return state;
  const row = running(event.id);
  return row === undefined ? state : take(state, row);
}

function take(state: ListState, row: ExchangeRow): ListState {
  const shown = replace(state, row);
  if (shown !== state || !passes(state.filter, row)) return shown;
  const oldest = state.rows.at(-1);
  if (state.next !== null && oldest !== undefined && newer(row, oldest) > 0) return state; // Comes with its own page.
  return state.atTop ? shortened({ ...state, rows: merge([row], state.rows) }) : { ...state, fresh: merge([row], state.fresh) };
}

// A list that is only watched would grow for ever; what is cut off loads again on the way down.
function shortened(state: ListState): ListState {
  if (state.rows.length <= 2 * KEPT_AT_TOP) return state;
  const rows = state.rows.slice(0, KEPT_AT_TOP);
  const last = rows[KEPT_AT_TOP - 1] as ExchangeRow;
  return { ...state, rows, next: { started_at: last.started_at, id: last.id } };
}

function replace(state: ListState, row: ExchangeRow): ListState {
  const swap = (rows: readonly ExchangeRow[]) => (rows.some((one) => one.id === row.id) ? rows.map((one) => (one.id === row.id ? row : one)) : rows);
  const rows = swap(state.rows);
  const fresh = swap(state.fresh);
  return rows === state.rows && fresh === state.fresh ? state : { ...state, rows, fresh };
}

function newer(a: ExchangeRow, b: ExchangeRow): number {
  return b.started_at - a.started_at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

// Rows of `first` win over the same rows of `second`, but an end is never taken back. Everything of one side above the other, the
// usual case, costs no sort.
function merge(first: readonly ExchangeRow[], second: readonly ExchangeRow[]): readonly ExchangeRow[] {
  const ids = new Set(first.map((row) => row.id));
  const ended = new Map(second.filter((row) => row.state === 'done' && ids.has(row.id)).map((row) => [row.id, row]));
  const all = [...first.map((row) => (row.state === 'done' ? row : (ended.get(row.id) ?? row))), ...second.filter((row) => !ids.has(row.id))];
  const sorted = all.every((row, index) => index === 0 || newer(all[index - 1] as ExchangeRow, row) <= 0);
  return sorted ? all : all.sort(newer);
}
