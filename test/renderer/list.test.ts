// The list of requests as a pure fold: pages and live events in, rows out (UI.md, Requests).
import { describe, expect, it } from 'vitest';
import { emptyList, foldList, KEPT_AT_TOP, NO_FILTER, type ListAction, type ListState } from '../../renderer/requests/list.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { exchange, NOON, running } from './support/rows.ts';

const row = (n: number, part: Partial<ExchangeRow> = {}) => exchange({ id: `r${String(n).padStart(4, '0')}`, started_at: NOON + n * 1_000, ...part });
const live = (n: number, part: Partial<ExchangeRow> = {}) => running({ id: `r${String(n).padStart(4, '0')}`, started_at: NOON + n * 1_000, ...part });
const events = (...all: readonly ExchangeEvent[]): ListAction => ({ kind: 'events', events: all, running: () => undefined });
const started = (one: ExchangeRow): ExchangeEvent => ({ kind: 'started', id: one.id, row: one });
const finished = (one: ExchangeRow): ExchangeEvent => ({ kind: 'finished', id: one.id, row: one });
const ids = (state: ListState) => state.rows.map((one) => one.id);
const play = (state: ListState, ...actions: readonly ListAction[]) => actions.reduce(foldList, state);
const loaded = (rows: readonly ExchangeRow[], more = false): ListAction => ({ kind: 'loaded', page: { rows, next: more ? { started_at: NOON, id: 'r0000' } : null } });

describe('the list of requests', () => {
  const base = play(emptyList(NO_FILTER), loaded([row(2), row(1)]));

  it('shows a request that starts on top while the user is there', () => {
    expect(ids(play(base, events(started(live(3)))))).toEqual(['r0003', 'r0002', 'r0001']);
  });

  it('keeps new requests aside while the user reads further down, counts them, and shows them at the top again', () => {
    const below = play(base, { kind: 'scrolled', atTop: false }, events(started(live(3)), started(live(4))));
    expect(ids(below)).toEqual(['r0002', 'r0001']);
    expect(below.fresh).toHaveLength(2);
    const back = play(below, { kind: 'scrolled', atTop: true });
    expect(ids(back)).toEqual(['r0004', 'r0003', 'r0002', 'r0001']);
    expect(back.fresh).toEqual([]);
  });

  it('replaces a running row by its end in its place, also among those kept aside', () => {
    const shown = play(base, events(started(live(3)), started(live(4)), finished(row(3, { retries: 2 }))));
    expect(shown.rows.map((one) => [one.id, one.state, one.retries])).toEqual([['r0004', 'in_flight', 0], ['r0003', 'done', 2], ['r0002', 'done', 0], ['r0001', 'done', 0]]);
    const aside = play(base, { kind: 'scrolled', atTop: false }, events(started(live(3)), finished(row(3, { outcome: 'failed' }))));
    expect(aside.fresh.map((one) => one.outcome)).toEqual(['failed']);
  });

  it('puts a request that ends late, but began early, where its time belongs', () => {
    const failedOnly = play(emptyList({ outcomes: ['failed'], retriedOnly: false }), loaded([row(9, { outcome: 'failed' }), row(5, { outcome: 'failed' })]));
    expect(ids(play(failedOnly, events(finished(row(7, { outcome: 'failed' })))))).toEqual(['r0009', 'r0007', 'r0005']);
  });

  it('shows under a filter only what passes it', () => {
    const failedOnly = play(emptyList({ outcomes: ['failed'], retriedOnly: false }), loaded([]));
    expect(ids(play(failedOnly, events(started(live(3)), finished(row(4)))))).toEqual([]);
  });

  it('shows a running request under "retried only" from its first retry on', () => {
    const retried = play(emptyList({ outcomes: [], retriedOnly: true }), loaded([]));
    const attempt = (round: number): ListAction => ({ kind: 'events', running: () => live(3, { retries: round }), events: [{ kind: 'attempt_started', id: 'r0003', at: NOON, n: round + 1, round, upstream: 'a', model: 'm' }] });
    expect(ids(play(retried, attempt(0)))).toEqual([]);
    expect(ids(play(retried, attempt(1)))).toEqual(['r0003']);
  });

  it('leaves out what lies below the last loaded row, since its page brings it', () => {
    const partial = play(emptyList(NO_FILTER), loaded([row(9), row(8)], true));
    expect(ids(play(partial, events(finished(row(2)))))).toEqual(['r0009', 'r0008']);
  });

  it('adds older rows below without doubling any', () => {
    const partial = play(emptyList(NO_FILTER), loaded([row(9), row(8)], true));
    expect(ids(play(partial, { kind: 'older_loaded', page: { rows: [row(8), row(7)], next: null } }))).toEqual(['r0009', 'r0008', 'r0007']);
  });

  it('joins a newer first page to what it has, and starts over where a gap would be', () => {
    expect(ids(play(base, loaded([row(4), row(3), row(2)], true)))).toEqual(['r0004', 'r0003', 'r0002', 'r0001']);
    expect(ids(play(base, loaded([row(40), row(39)], true)))).toEqual(['r0040', 'r0039']);
  });

  it('keeps what events brought before the first page, and never takes an end back', () => {
    const early = play(emptyList(NO_FILTER), events(started(live(3)), started(live(4)), finished(row(3))), loaded([live(3), row(2)], true));
    expect(early.rows.map((one) => [one.id, one.state])).toEqual([['r0004', 'in_flight'], ['r0003', 'done'], ['r0002', 'done']]);
    expect(play(early, loaded([live(3), row(2)], true)).rows.map((one) => one.state)).toEqual(['in_flight', 'done', 'done']);
  });

  it('does not grow for ever while its top is watched, and goes on below from where it was cut', () => {
    const many = Array.from({ length: 2 * KEPT_AT_TOP + 1 }, (_, n) => finished(row(n + 10)));
    const state = play(base, events(...many));
    expect(state.rows.length).toBeLessThanOrEqual(2 * KEPT_AT_TOP);
    expect(state.rows[0]?.id).toBe(`r${2 * KEPT_AT_TOP + 10}`);
    expect(state.next?.id).toBe(play(base, events(...many.slice(0, 2 * KEPT_AT_TOP - 1))).rows[KEPT_AT_TOP - 1]?.id);
  });

  it('keeps its rows when a later load fails, and says so only when it has none', () => {
    expect(play(base, { kind: 'failed' }).phase).toBe('ready');
    expect(play(emptyList(NO_FILTER), { kind: 'failed' }).phase).toBe('failed');
  });
});
