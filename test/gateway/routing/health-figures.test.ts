// SPEC 9.4, 19: what the window is told of an upstream's health.
import { describe, expect, it } from 'vitest';
import { answered, createExchangeRig, overloaded, type Step } from '../../support/exchange-rig.ts';
import { upstreamOf } from '../../support/upstreams.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { createHealth } from '../../../main/gateway/health.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import type { UpstreamFailure } from '../../../shared/failure.ts';

const a = upstreamOf({ id: 'a', baseUrl: 'http://a.test' });
const b = upstreamOf({ id: 'b', baseUrl: 'http://b.test' });
const noRetry = { 'gateway.retry_wait_secs': 0 };
const limited: Step = { fails: 'rate_limited', status: 429, hintMs: 7_000 };
const failure: UpstreamFailure = { class: 'transient', code: '503', upstreamId: 'a', status: 503, type: null, message: 'overloaded', hintMs: null, where: 'head', sentWhole: true };

function aHealth(settings = defaultSettings()['gateway.breaker']) {
  const clock = createFakeClock();
  const health = createHealth(clock, () => settings);
  const enter = (part: Partial<Parameters<typeof health.enter>[0]> = {}) => health.enter({ exchange: 'x', upstreamId: 'a', model: 'm', entry: 'normal', round: 0, clientCredential: false, ...part });
  return { clock, health, enter };
}

describe('figures', () => {
  it('count each attempt, and which answers a retry has saved', async () => {
    const rig = createExchangeRig({ upstreams: [a] });
    rig.script('a', overloaded, overloaded, answered);
    await rig.finish(rig.start().done);
    rig.script('a', answered);
    await rig.finish(rig.start().done);
    const report = rig.parts.health.report('a', 0);
    expect(report).toMatchObject({ attempts: 4, successShare: 0.5, retriedShare: 0.5, phase: 'closed', resting: false, inFlight: 0, lastError: { status: 503, class: 'transient', model: 'm-test' } });
    expect(report.models).toMatchObject([{ model: 'm-test', attempts: 4, failuresInRow: 0 }]);
  });

  it('say why it rests and until when, in the time of the wall', async () => {
    const rig = createExchangeRig({ upstreams: [a, b], settings: noRetry });
    rig.script('a', limited);
    rig.script('b', answered);
    await rig.finish(rig.start().done);
    expect(rig.parts.health.report('a', 0)).toMatchObject({ resting: true, phase: 'closed', models: [{ restUntil: rig.clock.utc() + 7_000, restReason: 'rate_limited', openUntil: null }] });
    await rig.clock.advance(7_000);
    expect(rig.parts.health.report('a', 0)).toMatchObject({ resting: false, models: [{ restUntil: null, restReason: null }] });
  });

  it('show an open breaker until its time, then half-open', async () => {
    const rig = createExchangeRig({ upstreams: [a], settings: noRetry });
    for (let turn = 0; turn < 3; turn++) await rig.finish(rig.start().done);
    expect(rig.parts.health.report('a', 0)).toMatchObject({ phase: 'open', resting: true, models: [{ openUntil: rig.clock.utc() + 60_000, failuresInRow: 3 }] });
    await rig.clock.advance(60_000);
    expect(rig.parts.health.report('a', 0)).toMatchObject({ phase: 'half_open', resting: false, models: [{ openUntil: null }] });
  });

  it('forget what is older than an hour', async () => {
    const { clock, health, enter } = aHealth();
    enter().failed(failure);
    await clock.advance(30 * 60_000);
    enter({ exchange: 'y' }).succeeded();
    health.noteFirstContent('a', 'm', 400);
    expect(health.report('a', 0)).toMatchObject({ attempts: 2, successShare: 0.5, firstContentMs: 400 });
    await clock.advance(31 * 60_000);
    expect(health.report('a', 0)).toMatchObject({ attempts: 1, successShare: 1, retriedShare: 0 });
    await clock.advance(31 * 60_000);
    expect(health.report('a', 0)).toMatchObject({ attempts: 0, successShare: null, retriedShare: null, firstContentMs: null });
  });

  it('give the median time to first content over all models', () => {
    const { health } = aHealth();
    for (const [model, tookMs] of [['m', 100], ['m', 900], ['n', 300], ['n', 5_000]] as const) health.noteFirstContent('a', model, tookMs);
    expect(health.report('a', 0).firstContentMs).toBe(600);
    expect(health.report('a', 0).models.map((model) => model.firstContentMs)).toEqual([500, 2_650]);
  });

  it('count what is under way by model, and a cancelled attempt as none', () => {
    const { health, enter } = aHealth();
    const first = enter();
    const second = enter({ model: 'n' });
    expect(health.report('a', 2)).toMatchObject({ inFlight: 2, attempts: 0, models: [{ inFlight: 1 }, { inFlight: 1 }] });
    first.withdrawn();
    first.failed(failure);
    second.succeeded();
    expect(health.report('a', 0).models.map(({ inFlight, attempts }) => [inFlight, attempts])).toEqual([[0, 0], [0, 1]]);
  });

  it('keep at most 200 models of an upstream, those that rest longest', () => {
    const { health, enter } = aHealth();
    enter({ model: 'resting' }).failed({ ...failure, class: 'auth', status: 401 });
    for (let n = 0; n < 1_000; n++) enter({ exchange: `x${n}`, model: `made-up-${n}` }).succeeded();
    const { models } = health.report('a', 0);
    expect(models).toHaveLength(200);
    expect(models[0]).toMatchObject({ model: 'resting', restReason: 'auth' });
    expect(models.at(-1)!.model).toBe('made-up-999');
  });
});

describe('an upstream that is edited while it is being asked', () => {
  it('starts afresh: what began before neither opens its breaker nor counts in its figures, but is still under way', () => {
    const { health, enter } = aHealth();
    const old = [enter({ exchange: '1' }), enter({ exchange: '2' }), enter({ exchange: '3' })];
    health.forget('a');
    expect(health.report('a', 3).models).toMatchObject([{ inFlight: 3 }]);
    for (const visit of old) visit.failed(failure);
    expect(health.report('a', 0)).toMatchObject({ phase: 'closed', attempts: 0, lastError: null, models: [{ inFlight: 0, failuresInRow: 0 }] });
  });

  it('is not reopened by the probe of its old self', async () => {
    const { clock, health, enter } = aHealth();
    for (const exchange of ['1', '2', '3']) enter({ exchange }).failed(failure);
    await clock.advance(60_000);
    expect(health.admits('a', 'm')).toBe('probe');
    const probe = enter({ entry: 'probe' });
    health.forget('a');
    probe.failed(failure);
    expect(health.admits('a', 'm')).toBe('normal');
  });
});

it('a probe under way when breakers are turned off does not keep the place of the next one', async () => {
  let enabled = true;
  const clock = createFakeClock();
  const health = createHealth(clock, () => ({ ...defaultSettings()['gateway.breaker'], enabled }));
  const enter = (exchange: string, entry: 'normal' | 'probe') => health.enter({ exchange, upstreamId: 'a', model: 'm', entry, round: 0, clientCredential: false });
  for (const exchange of ['1', '2', '3']) enter(exchange, 'normal').failed(failure);
  await clock.advance(60_000);
  const probe = enter('4', 'probe');
  expect(health.admits('a', 'm')).toBeNull();
  enabled = false;
  probe.failed(failure);
  enabled = true;
  expect(health.admits('a', 'm')).toBe('probe');
});

it('a listener is told of every begin and end, until it is taken off', () => {
  const { health, enter } = aHealth();
  let told = 0;
  const off = health.onChange(() => { told++; });
  const visit = enter();
  visit.succeeded();
  visit.succeeded();
  health.forget('a');
  off();
  enter();
  expect(told).toBe(3);
});

it('a fork begins where the original is and changes nothing of it', async () => {
  const { clock, health, enter } = aHealth();
  for (const exchange of ['1', '2', '3']) enter({ exchange }).failed(failure);
  const copy = health.fork(clock, ['a']);
  expect(copy.phaseOf('a')).toBe('open');
  copy.enter({ exchange: '4', upstreamId: 'a', model: 'm', entry: 'bypass', round: 0, clientCredential: false }).succeeded();
  expect([copy.phaseOf('a'), health.phaseOf('a')]).toEqual(['closed', 'open']);
  expect(copy.nextTurn('r')).toBe(0);
  expect(health.nextTurn('r')).toBe(0);
});

it.each([2, -2])('a wall clock that jumps by %i hours moves no rest and loses no figure', async (hours) => {
  const { clock, health, enter } = aHealth();
  enter({ exchange: '0' }).succeeded();
  for (const exchange of ['1', '2', '3']) enter({ exchange }).failed(failure);
  clock.jumpWall(hours * 3_600_000);
  expect(health.report('a', 0)).toMatchObject({ attempts: 4, phase: 'open', models: [{ openUntil: clock.utc() + 60_000 }] });
  await clock.advance(59_999);
  expect(health.admits('a', 'm')).toBeNull();
  await clock.advance(1);
  expect(health.admits('a', 'm')).toBe('probe');
});

it('two hours of sleep end a rest and open the place of a probe, and nothing else', async () => {
  const { clock, health, enter } = aHealth();
  for (const exchange of ['1', '2', '3']) enter({ exchange }).failed(failure);
  const running = enter({ exchange: '4', entry: 'bypass' });
  await clock.advance(2 * 3_600_000);
  health.woke();
  running.failed(failure);
  expect(health.admits('a', 'm')).toBe('probe');
  enter({ exchange: '5', entry: 'probe' }).succeeded();
  expect(health.report('a', 0)).toMatchObject({ phase: 'closed', attempts: 2 });
});
