// SPEC 14: what is edited takes effect at the next attempt, and nothing hangs in between.
import { describe, expect, it } from 'vitest';
import { answered, createExchangeRig, overloaded } from '../../support/exchange-rig.ts';
import { createSlots } from '../../../main/gateway/slots.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import type { Upstream } from '../../../shared/upstream.ts';

const a = upstreamOf({ id: 'a', baseUrl: 'http://a.test' });
const b = upstreamOf({ id: 'b', baseUrl: 'http://b.test' });
type Rig = ReturnType<typeof createExchangeRig>;
/** As the composition does after an edit. */
const edited = (rig: Rig): void => {
  rig.parts.slots.reconsider((id) => {
    const upstream = rig.upstreams.get(id);
    return upstream?.enabled === true ? upstream.maxInFlight : null;
  });
};
const set = (rig: Rig, upstream: Upstream): void => {
  rig.upstreams.set(upstream.id, upstream);
  edited(rig);
};
const remove = (rig: Rig, id: string): void => {
  rig.upstreams.delete(id);
  edited(rig);
};
const sentTo = (rig: Rig, count: number) => rig.signals.when(() => rig.sent.length >= count);

describe('in an attempt', () => {
  it('an upstream that is edited goes on as it began; the next attempt is made as it is now', async () => {
    const rig = createExchangeRig({ upstreams: [a] });
    rig.script('a', { ...overloaded, tookMs: 100 }, answered);
    const running = rig.start();
    await sentTo(rig, 1);
    set(rig, { ...a, baseUrl: 'http://new.test', name: 'New' });
    const { row } = await rig.finish(running.done);
    expect(rig.sent.map(({ order }) => order.upstream.baseUrl)).toEqual(['http://a.test', 'http://new.test']);
    expect(row).toMatchObject({ outcome: 'success', upstream: 'New' });
  });

  it.each(['deleted', 'disabled'] as const)('one that is %s may finish its answer', async (what) => {
    const rig = createExchangeRig({ upstreams: [a, b] });
    rig.script('a', { ...answered, tookMs: 100 });
    const running = rig.start();
    await sentTo(rig, 1);
    if (what === 'deleted') remove(rig, 'a');
    else set(rig, { ...a, enabled: false });
    expect((await rig.finish(running.done)).row).toMatchObject({ outcome: 'success', upstream: 'A', attempts: 1 });
  });

  it.each(['deleted', 'disabled'] as const)('one that is %s and fails is not asked again; the other is', async (what) => {
    const rig = createExchangeRig({ upstreams: [a, b] });
    rig.script('a', { ...overloaded, tookMs: 100 });
    rig.script('b', overloaded, answered);
    const running = rig.start();
    await sentTo(rig, 1);
    if (what === 'deleted') remove(rig, 'a');
    else set(rig, { ...a, enabled: false });
    await rig.finish(running.done);
    expect(rig.calls()).toBe('a@0 b@100 b@2100');
  });

  it('one that comes before it in the order changes nothing for what has arrived', async () => {
    const rig = createExchangeRig({ upstreams: [a] });
    rig.script('a', { ...overloaded, tookMs: 100 }, answered);
    const running = rig.start();
    await sentTo(rig, 1);
    const later = [...rig.upstreams];
    rig.upstreams.clear();
    for (const [id, upstream] of [['b', b] as const, ...later]) rig.upstreams.set(id, upstream);
    await rig.finish(running.done);
    expect(rig.sent.map(({ upstream }) => upstream)).toEqual(['a', 'a']);
    rig.script('b', answered);
    await rig.finish(rig.start().done);
    expect(rig.sent.at(-1)!.upstream).toBe('b');
  });
});

describe('in a pause', () => {
  it.each(['deleted', 'disabled'] as const)('the only one is %s: the exchange ends with what it has, and asks nobody', async (what) => {
    const rig = createExchangeRig({ upstreams: [a] });
    const running = rig.start();
    await rig.pausing();
    if (what === 'deleted') remove(rig, 'a');
    else set(rig, { ...a, enabled: false });
    const { row, client } = await rig.finish(running.done);
    expect(rig.sent).toHaveLength(1);
    expect(row).toMatchObject({ outcome: 'failed', give_up: 'no_candidate', retries: 0, attempts: 1 });
    expect(client.told.refusal).toMatchObject({ kind: 'upstream', failure: { status: 503 } });
  });

  it('one that is deleted and brought back in the pause is asked again', async () => {
    const rig = createExchangeRig({ upstreams: [a] });
    rig.script('a', overloaded, answered);
    const running = rig.start();
    await rig.pausing();
    remove(rig, 'a');
    set(rig, a);
    expect((await rig.finish(running.done)).row).toMatchObject({ outcome: 'success', retries: 1 });
  });

  it('a deleted gateway key ends it at once', async () => {
    const rig = createExchangeRig({ upstreams: [a] });
    const revoked = new AbortController();
    const running = rig.start({}, revoked.signal);
    await rig.pausing();
    const atMs = rig.clock.now();
    revoked.abort();
    expect((await rig.finish(running.done)).row).toMatchObject({ outcome: 'failed', give_up: 'cancelled' });
    expect([rig.clock.now(), rig.clock.pending()]).toEqual([atMs, 0]);
  });
});

describe('in a queue', () => {
  const capped = { ...a, maxInFlight: 1 };
  /** One exchange holds the only place, another waits for it. */
  async function queued(upstreams: readonly Upstream[] = [capped]) {
    const rig = createExchangeRig({ upstreams });
    rig.script('a', { hangs: true }, answered, answered);
    const holder = rig.start();
    await sentTo(rig, 1);
    const revoked = new AbortController();
    const waiter = rig.start({}, revoked.signal);
    await rig.signals.when(() => rig.events.some((event) => event.kind === 'queued'));
    const end = async () => {
      holder.client.leave();
      await rig.finish(holder.done);
    };
    return { rig, waiter, revoked, end };
  }

  it.each([0, 2])('a cap that is raised to %i lets it go on', async (maxInFlight) => {
    const { rig, waiter, end } = await queued();
    set(rig, { ...capped, maxInFlight });
    expect((await rig.finish(waiter.done)).row).toMatchObject({ outcome: 'success' });
    await end();
    expect(rig.parts.slots.inUse('a')).toBe(0);
  });

  it.each(['deleted', 'disabled'] as const)('the only one is %s: the exchange ends at once with a clear answer', async (what) => {
    const { rig, waiter, end } = await queued();
    const atMs = rig.clock.now();
    if (what === 'deleted') remove(rig, 'a');
    else set(rig, { ...capped, enabled: false });
    const { row } = await rig.finish(waiter.done);
    expect(row).toMatchObject({ outcome: 'failed', status: 503, error_code: 'route.no_upstream', attempts: 0 });
    expect(rig.clock.now()).toBe(atMs);
    await end();
    expect([rig.parts.slots.inUse('a'), rig.clock.pending()]).toEqual([0, 0]);
  });

  it('one of two is deleted: it goes on waiting for the other', async () => {
    const other = { ...b, maxInFlight: 1 };
    const rig = createExchangeRig({ upstreams: [capped, other] });
    rig.script('a', { hangs: true });
    rig.script('b', { hangs: true }, answered);
    const holders = [rig.start(), rig.start()];
    await sentTo(rig, 2);
    const waiter = rig.start();
    await rig.signals.when(() => rig.events.some((event) => event.kind === 'queued'));
    remove(rig, 'a');
    holders[0]!.client.leave();
    await rig.finish(holders[0]!.done);
    expect(rig.sent).toHaveLength(2);
    holders[1]!.client.leave();
    expect((await rig.finish(waiter.done)).row).toMatchObject({ outcome: 'success', upstream: 'B' });
  });

  it('a deleted gateway key ends it, and the place goes to the next', async () => {
    const { rig, waiter, revoked, end } = await queued();
    const next = rig.start();
    await rig.signals.when(() => rig.events.filter((event) => event.kind === 'queued').length === 2);
    revoked.abort();
    expect((await rig.finish(waiter.done)).row).toMatchObject({ outcome: 'failed', attempts: 0 });
    await end();
    expect((await rig.finish(next.done)).row).toMatchObject({ outcome: 'success' });
    expect(rig.parts.slots.inUse('a')).toBe(0);
  });

  it('a place that is granted for an upstream that has just gone is given back', async () => {
    const { rig, waiter, end } = await queued();
    // Gone without anybody having said so: the place comes free, and is of no use.
    rig.upstreams.delete('a');
    await end();
    expect((await rig.finish(waiter.done)).row).toMatchObject({ error_code: 'route.no_upstream' });
    expect(rig.parts.slots.inUse('a')).toBe(0);
  });
});

// SPEC 9.3
it('64 exchanges on a cap of 4: never more than 4 at once, served in the order they came', async () => {
  const rig = createExchangeRig({ upstreams: [{ ...a, maxInFlight: 4 }] });
  rig.script('a', ...Array.from({ length: 64 }, (_, n) => ({ ...answered, tookMs: 50 + ((n * 37) % 100) })));
  const started = Array.from({ length: 64 }, () => rig.start());
  let most = 0;
  const watch = rig.signals.when(() => {
    most = Math.max(most, rig.parts.slots.inUse('a'));
    return false;
  });
  const rows = await rig.finish(Promise.all(started.map(({ done }) => done)));
  void watch;
  expect(most).toBe(4);
  expect(rows.every(({ row }) => row.outcome === 'success')).toBe(true);
  expect(rig.sent.map(({ order }) => order.arrival.id)).toEqual(started.map(({ arrival }) => arrival.id));
  expect([rig.parts.slots.inUse('a'), rig.clock.pending()]).toEqual([0, 0]);
});

describe('reconsidered caps', () => {
  it('a lowered cap takes no place from anybody, and nobody gets in before it is kept again', () => {
    const slots = createSlots();
    const held = [slots.take('a', 3), slots.take('a', 3), slots.take('a', 3)];
    const ticket = slots.wait([{ upstreamId: 'a', cap: 3 }], 0);
    slots.reconsider(() => 1);
    held[0]!.release();
    held[1]!.release();
    expect(ticket.granted.aborted).toBe(false);
    held[2]!.release();
    expect(ticket.granted.aborted).toBe(true);
    expect(ticket.slot()!.upstreamId).toBe('a');
  });

  it('a raised cap serves as many as there is room for, the oldest first', () => {
    const slots = createSlots();
    slots.take('a', 1);
    const tickets = [3, 1, 2].map((arrivedMs) => ({ arrivedMs, ticket: slots.wait([{ upstreamId: 'a', cap: 1 }], arrivedMs) }));
    slots.reconsider(() => 3);
    expect(tickets.filter(({ ticket }) => ticket.granted.aborted).map(({ arrivedMs }) => arrivedMs)).toEqual([1, 2]);
    expect(slots.inUse('a')).toBe(3);
  });
});
