// The list of requests as a pure fold: pages and live events in, a piece of the log out (UI.md, Requests).
import { describe, expect, it } from 'vitest';
import { emptyList, foldList, FRESH_KEPT, KEPT, KEPT_AT_TOP, type ListAction, type ListState } from '../../renderer/requests/list.ts';
import { isSearching, nextLoad, shownCount } from '../../renderer/requests/list-loads.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow, LogPage } from '../../shared/log.ts';
import { exchange, NOON, running } from './support/rows.ts';

const idOf = (n: number) => `r${String(n).padStart(6, '0')}`;
const row = (n: number, part: Partial<ExchangeRow> = {}) => exchange({ id: idOf(n), started_at: NOON + n * 1_000, ...part });
const live = (n: number, part: Partial<ExchangeRow> = {}) => running({ id: idOf(n), started_at: NOON + n * 1_000, ...part });
const events = (...all: readonly ExchangeEvent[]): ListAction => ({ kind: 'events', events: all, running: () => undefined });
const started = (one: ExchangeRow): ExchangeEvent => ({ kind: 'started', id: one.id, row: one });
const finished = (one: ExchangeRow): ExchangeEvent => ({ kind: 'finished', id: one.id, row: one });
const ids = (state: ListState) => state.rows.map((one) => Number(one.id.slice(1)));
const play = (state: ListState, ...actions: readonly ListAction[]) => actions.reduce(foldList, state);
const page = (rows: readonly ExchangeRow[], next: number | null = null, scanned: LogPage['scanned'] = null): LogPage => ({ rows, next: next === null ? null : { started_at: NOON + next * 1_000, id: idOf(next) }, scanned, superseded: false });
const loaded = (rows: readonly ExchangeRow[], next: number | null = null): ListAction => ({ kind: 'loaded', page: page(rows, next) });
const older = (rows: readonly ExchangeRow[], next: number | null = null): ListAction => ({ kind: 'older_loaded', page: page(rows, next) });
/** Rows from `high` down to `low`. */
const down = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => row(high - at));
const below: ListAction = { kind: 'scrolled', atTop: false };

describe('the list of requests', () => {
  const base = play(emptyList({}), loaded([row(2), row(1)]));

  it('shows a request that starts on top while the user is there', () => {
    expect(ids(play(base, events(started(live(3)))))).toEqual([3, 2, 1]);
  });

  it('keeps new requests aside while the user reads further down, counts them, and shows them at the top again', () => {
    const reading = play(base, below, events(started(live(3)), started(live(4))));
    expect(ids(reading)).toEqual([2, 1]);
    expect(reading.fresh).toHaveLength(2);
    const back = play(reading, { kind: 'scrolled', atTop: true });
    expect(ids(back)).toEqual([4, 3, 2, 1]);
    expect(back.fresh).toEqual([]);
  });

  it('replaces a running row by its end in its place, also among those kept aside', () => {
    const shown = play(base, events(started(live(3)), started(live(4)), finished(row(3, { retries: 2 }))));
    expect(shown.rows.map((one) => [one.state, one.retries])).toEqual([['in_flight', 0], ['done', 2], ['done', 0], ['done', 0]]);
    const aside = play(base, below, events(started(live(3)), finished(row(3, { outcome: 'failed' }))));
    expect(aside.fresh.map((one) => one.outcome)).toEqual(['failed']);
  });

  it('puts a request that ends late, but began early, where its time belongs', () => {
    const failedOnly = play(emptyList({ outcomes: ['failed'] }), loaded([row(9, { outcome: 'failed' }), row(5, { outcome: 'failed' })]));
    expect(ids(play(failedOnly, events(finished(row(7, { outcome: 'failed' })))))).toEqual([9, 7, 5]);
  });

  it('shows under a filter only what passes it, and lets go what passes it no more', () => {
    const failedOnly = play(emptyList({ outcomes: ['failed'] }), loaded([]));
    expect(ids(play(failedOnly, events(started(live(3)), finished(row(4)))))).toEqual([]);
    const atA = play(emptyList({ upstreams: ['a'] }), loaded([]));
    const step = (upstream: string): ListAction => ({ kind: 'events', running: () => live(3, { upstream }), events: [{ kind: 'attempt_started', id: idOf(3), at: NOON, n: 1, round: 0, upstream, model: 'm' }] });
    expect(ids(play(atA, step('a')))).toEqual([3]);
    expect(ids(play(atA, step('a'), step('b')))).toEqual([]);
  });

  it('shows a running request under "retried only" from its first retry on', () => {
    const retried = play(emptyList({ retriedOnly: true }), loaded([]));
    const attempt = (round: number): ListAction => ({ kind: 'events', running: () => live(3, { retries: round }), events: [{ kind: 'attempt_started', id: idOf(3), at: NOON, n: round + 1, round, upstream: 'a', model: 'm' }] });
    expect(ids(play(retried, attempt(0)))).toEqual([]);
    expect(ids(play(retried, attempt(1)))).toEqual([3]);
  });

  it('leaves out what lies below the last loaded row, since its page brings it, and adds older rows without doubling any', () => {
    const partial = play(emptyList({}), loaded([row(9), row(8)], 8));
    expect(ids(play(partial, events(finished(row(2)))))).toEqual([9, 8]);
    expect(ids(play(partial, older([row(8), row(7)])))).toEqual([9, 8, 7]);
  });

  it('joins a newer first page to what it has, and starts over where a gap would be', () => {
    expect(ids(play(base, loaded([row(4), row(3), row(2)], 2)))).toEqual([4, 3, 2, 1]);
    expect(ids(play(base, loaded([row(40), row(39)], 39)))).toEqual([40, 39]);
  });

  it('keeps what events brought before the first page, and never takes an end back', () => {
    const early = play(emptyList({}), events(started(live(3)), started(live(4)), finished(row(3))), loaded([live(3), row(2)], 2));
    expect(early.rows.map((one) => [one.id, one.state])).toEqual([[idOf(4), 'in_flight'], [idOf(3), 'done'], [idOf(2), 'done']]);
  });

  it('stays bounded while its top is watched for ever', () => {
    let state = base;
    for (let n = 3; n < 3 + 2 * KEPT_AT_TOP + 10; n++) state = play(state, events(started(live(n))));
    expect(state.rows.length).toBeLessThanOrEqual(2 * KEPT_AT_TOP);
    expect(state.next).toEqual({ started_at: state.rows.at(-1)?.started_at, id: state.rows.at(-1)?.id });
  });

  it('stays bounded while somebody reads below for ever, and says at least how many are new', () => {
    let state = play(base, below);
    for (let n = 3; n < 3 + FRESH_KEPT + 10; n++) state = play(state, events(finished(row(n))));
    expect(state.fresh).toHaveLength(FRESH_KEPT);
    // Too many to be joined without a gap: the top is asked for anew.
    expect(ids(play(state, { kind: 'scrolled', atTop: true }))).toEqual([2, 1]);
    expect(ids(play(state, { kind: 'at_head', page: page(down(1_012, 900), 900) })).slice(0, 2)).toEqual([1_012, 1_011]);
  });
});

describe('the way through a long log', () => {
  const far = play(emptyList({}), loaded(down(9_999, 9_700), 9_700), below, ...Array.from({ length: 12 }, (_, at) => older(down(9_699 - at * 300, 9_400 - at * 300), 9_400 - at * 300)));

  it('keeps a bounded piece, and knows how many rows stand above it', () => {
    expect(far.rows).toHaveLength(KEPT);
    expect(far.offset).toBe(13 * 300 - KEPT);
    expect(far.offset + far.rows.length).toBe(3_900);
    expect(far.above).toEqual({ started_at: far.rows[0]?.started_at, id: far.rows[0]?.id });
    expect(shownCount(far, 10_000)).toBe(10_000);
    expect(shownCount(far, null)).toBe(3_900);
    expect(shownCount({ ...far, next: null }, 10_000)).toBe(3_900);
  });

  it('goes back up page by page to the very same rows', () => {
    let state = far;
    for (let high = far.offset; high > 0; high -= 300) {
      const top = 9_999 - Math.max(0, high - 300);
      state = play(state, { kind: 'newer_loaded', page: page(down(top, 9_999 - high + 1), high > 300 ? top : null) });
    }
    expect([state.offset, state.above, ids(state)[0], ids(state).length]).toEqual([0, null, 9_999, KEPT]);
    expect(state.next).toEqual({ started_at: state.rows.at(-1)?.started_at, id: state.rows.at(-1)?.id });
    expect(ids(state)).toEqual(down(9_999, 10_000 - KEPT).map((one) => Number(one.id.slice(1))));
  });

  it('corrects an estimated place at the head, and shows what came in meanwhile', () => {
    const jumped = play(far, { kind: 'jumped', page: page(down(5_000, 4_701), 4_701), offset: 40, above: { started_at: 0, id: '0' } }, events(started(live(10_000))));
    expect(jumped.fresh).toHaveLength(1);
    const atHead = play(jumped, { kind: 'newer_loaded', page: page(down(5_100, 5_001)) });
    expect([atHead.offset, atHead.rows.length, ids(atHead)[0], atHead.fresh.length]).toEqual([0, 401, 10_000, 0]);
  });

  it('asks for what is missing around what is in sight, for the nearest first and by a jump for the far', () => {
    expect(nextLoad(emptyList({}), { from: 0, to: 20 })).toEqual({ kind: 'first' });
    expect(nextLoad(far, { from: 2_700, to: 2_720 })).toBeNull();
    expect(nextLoad(far, { from: 3_850, to: 3_870 })).toEqual({ kind: 'older', before: far.next });
    expect(nextLoad(far, { from: 1_550, to: 1_570 })).toEqual({ kind: 'newer', after: far.above });
    expect(nextLoad(far, { from: 9_000, to: 9_020 })).toEqual({ kind: 'jump', index: 9_000 });
    expect(nextLoad(far, { from: 0, to: 20 })).toEqual({ kind: 'jump', index: 0 });
    expect(nextLoad({ ...far, next: null }, { from: 3_890, to: 3_900 })).toBeNull();
    expect(nextLoad({ ...far, phase: 'failed' }, { from: 9_000, to: 9_020 })).toBeNull();
  });

  it('searches on from page to page, also over pages without a hit, until the page is filled or the log is through', () => {
    const start = emptyList({ text: 'x' });
    const empty = play(start, { kind: 'loaded', page: page([], 500, { rows: 300, total: 1_000 }) });
    expect([isSearching(start), isSearching(empty)]).toEqual([true, true]);
    expect(nextLoad(empty, { from: 0, to: 0 })).toEqual({ kind: 'older', before: empty.next });
    const hit = play(empty, { kind: 'older_loaded', page: page([row(3, { model_asked: 'x' })], null, { rows: 1_000, total: 1_000 }) });
    expect([isSearching(hit), hit.scanned, ids(hit)]).toEqual([false, { rows: 1_000, total: 1_000 }, [3]]);
  });
});
