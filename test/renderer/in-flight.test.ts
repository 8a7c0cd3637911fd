// The running exchanges as a pure fold of events (SPEC 13).
import { describe, expect, it } from 'vitest';
import { foldInFlight, fromSnapshot } from '../../renderer/live/in-flight.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import { exchange, NOON, running } from './support/rows.ts';

const id = 'a';
const starts = (n: number, round: number, at: number): ExchangeEvent => ({ kind: 'attempt_started', id, at: NOON + at, n, round, upstream: 'up', model: 'm' });
const fails = (n: number, at: number): ExchangeEvent => ({ kind: 'attempt_failed', id, at: NOON + at, n, upstream: 'up', class: 'transient', code: 'overloaded_error', status: 503 });
const pausing = (retry: number, at: number, ms: number): ExchangeEvent => ({ kind: 'pausing', id, upstreams: ['up'], retry, started: NOON + at, retry_at: NOON + at + ms, until: NOON + 120_000, reason: 'backoff' });
const ended: ExchangeEvent = { kind: 'pause_ended', id, why: 'time' };
const begin: ExchangeEvent = { kind: 'started', id, row: running({ id }) };
const after = (...events: readonly ExchangeEvent[]) => foldInFlight(new Map(), events).get(id);

describe('the running exchanges', () => {
  it('pause with the time of the retry and of giving up', () => {
    const live = after(begin, starts(1, 0, 0), fails(1, 400), pausing(1, 400, 2_000));
    expect(live).toMatchObject({ state: 'pausing', pause: { retry: 1, retry_at: NOON + 2_400, until: NOON + 120_000 } });
  });

  it('build the attempts of the row while they happen, pauses and retries with them', () => {
    const live = after(begin, starts(1, 0, 0), fails(1, 400), pausing(1, 400, 2_000), ended, starts(2, 1, 2_400), fails(2, 2_700), pausing(2, 2_700, 4_000), ended, starts(3, 2, 6_700));
    expect(live?.row.retries).toBe(2);
    expect(live?.row.pause_ms).toBe(6_000);
    expect(live?.row.detail.attempts.map((one) => [one.n, one.started_ms, one.duration_ms, one.pause_ms])).toEqual([[1, 0, 400, null], [2, 2_400, 300, 2_000]]);
    expect(live?.running).toMatchObject({ n: 3, round: 2 });
  });

  it('keep the first and the last of very many attempts, as the row does in the end', () => {
    const storm = Array.from({ length: 1_000 }, (_, n) => [starts(n + 1, n, n), fails(n + 1, n + 1)]).flat();
    const attempts = after(begin, ...storm)?.row.detail.attempts ?? [];
    expect(attempts).toHaveLength(200);
    expect([attempts[0]?.n, attempts[99]?.n, attempts[100]?.n, attempts[199]?.n]).toEqual([1, 100, 901, 1_000]);
    expect(after(begin, ...storm)?.row.attempts).toBe(1_000);
  });

  it('answer from the release on, and are gone at their end', () => {
    const events = [begin, starts(1, 0, 0), { kind: 'released', id, at: NOON + 900, upstream: 'up' }] as const;
    expect(after(...events)).toMatchObject({ state: 'answering', upstream: 'up', row: { first_content_ms: 900 } });
    expect(after(...events, { kind: 'finished', id, row: exchange({ id }) })).toBeUndefined();
  });

  it('ignore events of an exchange whose beginning was never told', () => {
    expect(after(starts(1, 0, 0), pausing(1, 0, 10))).toBeUndefined();
  });

  it('start from a snapshot, oldest first, pauses included', () => {
    const live = fromSnapshot([
      { row: running({ id: 'late', started_at: NOON + 5 }), state: 'attempting', upstream: null, retries: 0, pause: null },
      { row: running({ id, started_at: NOON }), state: 'pausing', upstream: 'up', retries: 1, pause: pausing(2, 0, 10) as Extract<ExchangeEvent, { kind: 'pausing' }> },
    ]);
    expect([...live.keys()]).toEqual([id, 'late']);
    expect(foldInFlight(live, [ended]).get(id)).toMatchObject({ state: 'attempting', pause: null });
  });
});
