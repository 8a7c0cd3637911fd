import { describe, expect, it } from 'vitest';
import { createSlots } from '../../../main/gateway/slots.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import { answered, createExchangeRig, overloaded } from '../../support/exchange-rig.ts';
import type { Step } from '../../support/exchange-rig.ts';

const a = upstreamOf({ id: 'a', baseUrl: 'http://a.test' });
const b = upstreamOf({ id: 'b', baseUrl: 'http://b.test' });
const noRetry = { 'gateway.retry_wait_secs': 0 };

describe('breakers in the loop (SPEC 9.4)', () => {
  it('three failed exchanges take an upstream out; the other answers', async () => {
    const rig = createExchangeRig({ upstreams: [a, b], settings: noRetry });
    rig.script('b', ...Array.from({ length: 4 }, () => answered));
    for (let turn = 0; turn < 4; turn++) await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 b@0 a@0 b@0 a@0 b@0 b@0');
    expect(rig.parts.health.phaseOf('a')).toBe('open');
  });
  it('content that breaks off counts as a failure, though its head looked well', async () => {
    const rig = createExchangeRig({ upstreams: [a, b], settings: noRetry });
    const cut: Step = { answers: { end: 'cut', failure: { class: 'transient', code: 'stream_broken', upstreamId: 'a', status: null, type: null, message: '', hintMs: null, where: 'after_content', sentWhole: true } } };
    rig.script('a', cut, cut, cut, cut);
    rig.script('b', answered);
    for (let turn = 0; turn < 4; turn++) await rig.finish(rig.start().done);
    expect(rig.calls()).toBe('a@0 a@0 a@0 b@0');
  });
  it('many attempts of one long exchange are one verdict', async () => {
    const rig = createExchangeRig();
    await rig.finish(rig.start().done);
    expect(rig.sent).toHaveLength(10);
    expect(rig.parts.health.phaseOf('a')).toBe('closed');
  });
  it('a single candidate is never locked out: it is asked as a bypass, and its success closes', async () => {
    const rig = createExchangeRig({ settings: noRetry });
    for (let turn = 0; turn < 3; turn++) await rig.finish(rig.start().done);
    expect(rig.parts.health.phaseOf('a')).toBe('open');
    rig.script('a', overloaded, answered);
    expect((await rig.finish(rig.start().done)).row.detail.attempts[0]).toMatchObject({ bypass: true, outcome: 'failed' });
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'success' });
    expect(rig.parts.health.phaseOf('a')).toBe('closed');
  });
  it('half-open lets one probe through; a client that leaves gives its place back', async () => {
    const rig = createExchangeRig({ upstreams: [a, b], settings: noRetry });
    rig.script('b', answered, answered, answered, answered, answered);
    for (let turn = 0; turn < 3; turn++) await rig.finish(rig.start().done);
    await rig.clock.advance(60_000);
    rig.script('a', { hangs: true }, answered);
    const before = rig.sent.length;
    const probe = rig.start();
    await rig.signals.when(() => rig.sent.length === before + 1);
    await rig.finish(rig.start().done);
    expect(rig.sent.slice(before).map((call) => call.upstream)).toEqual(['a', 'b']);
    probe.client.leave();
    await rig.finish(probe.done);
    await rig.finish(rig.start().done);
    expect(rig.sent.at(-1)?.upstream).toBe('a');
    expect(rig.parts.health.phaseOf('a')).toBe('closed');
  });
  it('a bug of the gateway in the middle of the probe gives its place back, and that under the cap', async () => { // R46
    const one = upstreamOf({ id: 'a', maxInFlight: 1 });
    const rig = createExchangeRig({ upstreams: [one], settings: noRetry });
    for (let turn = 0; turn < 3; turn++) await rig.finish(rig.start().done);
    await rig.clock.advance(60_000);
    const { open } = rig.parts.upstreams;
    rig.parts.log.error = () => undefined as never;
    rig.parts.upstreams.open = () => Promise.reject(new Error('a bug'));
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'failed', status: 500, error_code: 'gateway.internal' });
    rig.parts.upstreams.open = open;
    expect([rig.parts.slots.inUse('a'), rig.parts.health.admits('a', 'm-test')]).toEqual([0, 'probe']);
    rig.script('a', answered);
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ outcome: 'success', detail: { attempts: [{ bypass: false }] } });
    expect(rig.parts.health.phaseOf('a')).toBe('closed');
  });
  it.each([
    ['auth', { fails: 'auth', status: 401 }, 60_000],
    ['quota', { fails: 'quota', status: 429 }, 3_600_000],
    ['no balance', { fails: 'quota', status: 402 }, 1_800_000],
    ['rate limit with a hint', { fails: 'rate_limited', status: 429, hintMs: 7_000 }, 7_000],
    ['rate limit of a day', { fails: 'rate_limited', status: 429, hintMs: 80_000_000 }, 3_600_000],
  ] as const)('%s rests the upstream for its time', async (_what, step, restMs) => {
    const rig = createExchangeRig({ upstreams: [a, b], settings: noRetry });
    rig.script('a', step, answered);
    rig.script('b', answered, answered);
    await rig.finish(rig.start().done);
    await rig.clock.advance(restMs - 1);
    await rig.finish(rig.start().done);
    await rig.clock.advance(1);
    await rig.finish(rig.start().done);
    expect(rig.sent.map((call) => call.upstream).join('')).toBe('abba');
  });
  it.each(['request', 'policy', 'model_missing', 'bad_address'] as const)('%s says nothing about the upstream', async (fails) => {
    const rig = createExchangeRig({ settings: noRetry });
    for (let turn = 0; turn < 5; turn++) {
      rig.script('a', { fails, status: 400 });
      await rig.finish(rig.start().done);
    }
    expect(rig.parts.health.admits('a', 'm-test')).toBe('normal');
  });
  it("the client's own credential rests nothing (SPEC 2.4)", async () => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ id: 'a', credential: { kind: 'client' } })], settings: noRetry });
    for (const step of [{ fails: 'auth', status: 401 }, { fails: 'quota', status: 402 }, { fails: 'rate_limited', status: 429 }, { fails: 'rate_limited', status: 429 }, { fails: 'rate_limited', status: 429 }] as const) {
      rig.script('a', step);
      await rig.finish(rig.start().done);
    }
    expect(rig.parts.health.admits('a', 'm-test')).toBe('normal');
  });
  it('failures of what was in flight when the machine slept count for nothing (SPEC 8.8)', async () => {
    const rig = createExchangeRig({ settings: noRetry });
    for (let turn = 0; turn < 3; turn++) {
      rig.script('a', { ...overloaded, tookMs: 10 });
      const { done } = rig.start();
      await rig.signals.when(() => rig.sent.length === turn + 1);
      rig.parts.health.woke();
      await rig.finish(done);
    }
    expect(rig.parts.health.phaseOf('a')).toBe('closed');
  });
  it('switched off, nothing rests (SPEC 14)', async () => {
    const rig = createExchangeRig({ settings: { ...noRetry, 'gateway.breaker': { enabled: false, failures: 1, ratio: 0.5, min_samples: 1, window_secs: 60, cool_secs: 60, max_cool_secs: 600 } } });
    for (let turn = 0; turn < 5; turn++) await rig.finish(rig.start().done);
    expect(rig.parts.health.admits('a', 'm-test')).toBe('normal');
  });
});

describe('caps and their queue (SPEC 9.3)', () => {
  const one = upstreamOf({ id: 'a', baseUrl: 'http://a.test', maxInFlight: 1 });
  const slow: Step = { answers: {}, tookMs: 1_000 };
  it('a full upstream is skipped', async () => {
    const rig = createExchangeRig({ upstreams: [one, b] });
    rig.script('a', slow);
    rig.script('b', slow);
    const both = [rig.start(), rig.start()];
    await rig.finish(Promise.all(both.map(({ done }) => done)));
    expect(rig.calls()).toBe('a@0 b@0');
  });
  it('when all are full exchanges wait, first in first out', async () => {
    const rig = createExchangeRig({ upstreams: [one] });
    rig.script('a', slow, slow, slow);
    const three = [rig.start(), rig.start(), rig.start()];
    const rows = await rig.finish(Promise.all(three.map(({ done }) => done)));
    expect(rig.calls()).toBe('a@0 a@1000 a@2000');
    expect(rows.map(({ row }) => row.queued_ms)).toEqual([0, 1_000, 2_000]);
    expect(rows[2]?.row).toMatchObject({ outcome: 'success', retries: 0, attempts: 1, pause_ms: 0, detail: { attempts: [{ queued_ms: 2_000 }] } });
    expect(rig.events.filter((event) => event.kind === 'queued')).toHaveLength(2);
  });
  it('7.12 d: full until the deadline is 429 with Retry-After, attempts 0', async () => {
    const rig = createExchangeRig({ upstreams: [one], settings: { 'gateway.retry_wait_secs': 5 } });
    rig.script('a', { answers: {}, tookMs: 60_000 });
    const first = rig.start();
    const { row, client } = await rig.finish(rig.start().done);
    expect(client.told.refusal).toMatchObject({ kind: 'own', status: 429, code: 'route.all_busy', retryAfterSecs: 2 });
    expect(row).toMatchObject({ outcome: 'failed', attempts: 0, queued_ms: 5_000, give_up: 'deadline', error_code: 'route.all_busy' });
    await rig.finish(first.done);
  });
  it('7.12 d: a real failure met before goes out instead', async () => {
    const rig = createExchangeRig({ upstreams: [b, one], settings: { 'gateway.retry_wait_secs': 5 } });
    rig.script('a', { answers: {}, tookMs: 60_000 });
    rig.script('b', { fails: 'model_missing', status: 404 }, { fails: 'model_missing', status: 404 });
    const first = rig.start();
    await rig.signals.when(() => rig.sent.length === 2);
    const { client } = await rig.finish(rig.start().done);
    expect(client.told.refusal).toMatchObject({ kind: 'upstream', failure: { status: 404 } });
    await rig.finish(first.done);
  });
  it('a wait of 0 has no queue (SPEC 7.8)', async () => {
    const rig = createExchangeRig({ upstreams: [one], settings: noRetry });
    rig.script('a', slow);
    const first = rig.start();
    expect((await rig.finish(rig.start().done)).row).toMatchObject({ status: 429, duration_ms: 0 });
    await rig.finish(first.done);
  });
  it('a client that leaves the queue makes room for the next', async () => {
    const rig = createExchangeRig({ upstreams: [one] });
    rig.script('a', slow, slow);
    const [first, second, third] = [rig.start(), rig.start(), rig.start()];
    await rig.signals.when(() => rig.events.filter((event) => event.kind === 'queued').length === 2);
    second.client.leave();
    const rows = await rig.finish(Promise.all([first.done, second.done, third.done]));
    expect(rows.map(({ row }) => row.outcome)).toEqual(['success', 'cancelled', 'success']);
    expect(rows[1].row.detail.left_during).toBe('queue');
    expect(rig.calls()).toBe('a@0 a@1000');
  });
  it('a pausing exchange holds no place (SPEC 7.6)', async () => {
    const rig = createExchangeRig({ upstreams: [one] });
    rig.script('a', overloaded, answered, answered);
    const first = rig.start();
    await rig.pausing();
    expect(rig.parts.slots.inUse('a')).toBe(0);
    await rig.finish(rig.start().done);
    await rig.finish(first.done);
    expect(rig.calls()).toBe('a@0 a@0 a@2000');
  });
  it('64 at once on a cap of 4 keep the cap and their order', async () => {
    const rig = createExchangeRig({ upstreams: [upstreamOf({ id: 'a', maxInFlight: 4 })], settings: { 'gateway.retry_wait_secs': 600 } });
    rig.script('a', ...Array.from({ length: 64 }, () => slow));
    let most = 0;
    const all = Array.from({ length: 64 }, () => rig.start());
    const finished = rig.finish(Promise.all(all.map(({ done }) => done)));
    await rig.signals.when(() => {
      most = Math.max(most, rig.parts.slots.inUse('a'));
      return rig.sent.length === 64;
    });
    await finished;
    expect(most).toBe(4);
    expect(rig.sent.map((call) => call.order.arrival.id)).toEqual(all.map(({ arrival }) => arrival.id));
    expect(rig.parts.slots.inUse('a')).toBe(0);
  });
  it('a place granted in the moment of leaving is given back', () => {
    const slots = createSlots();
    const held = slots.take('a', 1);
    const ticket = slots.wait([{ upstreamId: 'a', cap: 1 }], 1);
    held?.release();
    expect(ticket.granted.aborted).toBe(true);
    ticket.leave();
    expect(slots.inUse('a')).toBe(0);
    expect(slots.take('a', 1)).not.toBeNull();
  });
  it('whoever comes later does not overtake those who wait', () => {
    const slots = createSlots();
    const held = slots.take('a', 1);
    const early = slots.wait([{ upstreamId: 'a', cap: 1 }], 1);
    expect(slots.take('a', 1)).toBeNull();
    held?.release();
    expect(early.slot()?.upstreamId).toBe('a');
  });
});
