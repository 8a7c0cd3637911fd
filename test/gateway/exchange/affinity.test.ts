import { describe, expect, it } from 'vitest';
import type { Relayed } from '../../../main/gateway/ports.ts';
import type { Settings } from '../../../shared/settings.ts';
import { answered, createExchangeRig, overloaded, refused, type Step } from '../../support/exchange-rig.ts';
import { upstreamOf } from '../../support/upstreams.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id) => upstreamOf({ id, baseUrl: `http://${id}.test` }));
const DAY_MS = 24 * 3_600_000;
type Rig = ReturnType<typeof createExchangeRig>;
const rigOf = (settings: Partial<Settings> = {}, upstreams = [a!, b!, c!]) => createExchangeRig({ upstreams, settings });
const facts: Relayed['facts'] = { model: 'm', usage: null, finishReason: 'stop' };
const sealed = (seal: string): Step => ({ answers: { facts: { ...facts, seal } } });
const cut: Step = { answers: { end: 'cut', failure: null } };
/** Who was asked since, in order. */
const asked = (rig: Rig, from = 0) => rig.sent.slice(from).map(({ upstream }) => upstream).join('');
/** One turn of the conversation `s`: who was asked for it, and how it ended. */
const turn = async (rig: Rig, part: Parameters<Rig['start']>[0] = { sessionId: 's' }) => {
  const from = rig.sent.length;
  const { row, client } = await rig.finish(rig.start(part).done);
  return { asked: asked(rig, from), row, client };
};
/** A first turn that fails over from A, so that the conversation is on B. */
const conversationOnB = async (settings: Partial<Settings> = {}) => {
  const rig = rigOf(settings);
  rig.script('a', overloaded);
  rig.script('b', answered);
  expect((await turn(rig)).asked).toBe('ab');
  return rig;
};

// SPEC 9.5
describe('a conversation', () => {
  it('stays where it was answered; the others stay behind it, in their order', async () => {
    const rig = await conversationOnB();
    rig.script('b', overloaded);
    rig.script('a', overloaded);
    rig.script('c', answered);
    expect((await turn(rig)).asked).toBe('bac');
  });
  it('goes on with whoever answered it last', async () => {
    const rig = await conversationOnB();
    rig.script('b', overloaded);
    rig.script('a', answered, answered);
    expect([(await turn(rig)).asked, (await turn(rig)).asked]).toEqual(['ba', 'a']);
  });
  it('draws no other along', async () => {
    const rig = await conversationOnB();
    rig.script('a', answered, answered);
    expect([(await turn(rig, { sessionId: 'other' })).asked, (await turn(rig, { sessionId: null })).asked]).toEqual(['a', 'a']);
  });
  it('turned off, nothing is drawn and nobody is asked for its name', async () => {
    const rig = await conversationOnB({ 'gateway.affinity': 'off' });
    rig.script('a', answered);
    expect((await turn(rig, { sessionId: 's', conversation: () => { throw new Error('asked'); } })).asked).toBe('a');
  });
  it('with one upstream nobody is asked for its name', async () => {
    const rig = rigOf({}, [a!]);
    rig.script('a', answered);
    expect((await turn(rig, { conversation: () => { throw new Error('asked'); }, seal: () => { throw new Error('asked'); } })).row.outcome).toBe('success');
  });
  it('is learned from complete answers only', async () => {
    const rig = rigOf();
    rig.script('a', overloaded, answered);
    rig.script('b', cut);
    expect((await turn(rig)).row.outcome).toBe('truncated');
    expect((await turn(rig)).asked).toBe('a');
  });
  it('is not learned from counting tokens', async () => {
    const rig = rigOf();
    rig.script('a', overloaded, answered);
    rig.script('b', answered);
    expect([(await turn(rig, { sessionId: 's', operation: 'count_tokens' })).asked, (await turn(rig)).asked]).toEqual(['ab', 'a']);
  });
  it('is remembered for 24 hours', async () => {
    const rig = await conversationOnB();
    rig.script('b', answered);
    await rig.clock.advance(DAY_MS - 1);
    expect((await turn(rig)).asked).toBe('b');
    rig.script('a', answered);
    await rig.clock.advance(DAY_MS);
    expect((await turn(rig)).asked).toBe('a');
  });
  it('is forgotten when 4096 newer ones are known', async () => {
    const rig = await conversationOnB();
    for (let n = 0; n < 4_095; n++) rig.parts.affinity.learn(`n${n}`, 'c');
    rig.script('b', answered, answered);
    expect((await turn(rig)).asked).toBe('b');
    // That turn has made it the newest.
    for (let n = 0; n < 4_095; n++) rig.parts.affinity.learn(`l${n}`, 'c');
    expect((await turn(rig)).asked).toBe('b');
    for (let n = 0; n < 4_096; n++) rig.parts.affinity.learn(`m${n}`, 'c');
    rig.script('a', answered);
    expect((await turn(rig)).asked).toBe('a');
  });
  it('of one route is not that of another: a small model elsewhere does not draw it away', async () => {
    const to = (id: string, pattern: string, ...upstreams: string[]) => ({ id, pattern, strategy: 'priority' as const, policy: null, candidates: upstreams.map((upstream) => ({ upstream, model: null })) });
    const rig = createExchangeRig({ upstreams: [a!, b!, c!], routes: [to('big', 'big', 'a', 'b'), to('small', 'small', 'b', 'a')] });
    rig.script('a', answered, answered);
    rig.script('b', answered);
    expect([(await turn(rig, { sessionId: 's', model: 'big' })).asked, (await turn(rig, { sessionId: 's', model: 'small' })).asked, (await turn(rig, { sessionId: 's', model: 'big' })).asked]).toEqual(['a', 'b', 'a']);
  });
  it('is not drawn to an upstream that rests: then the strategy decides', async () => {
    const rig = await conversationOnB();
    rig.script('b', { fails: 'auth', status: 401 });
    rig.script('a', answered, answered, answered);
    expect([(await turn(rig, { sessionId: null, model: 'm-test' })).asked]).toEqual(['a']);
    expect((await turn(rig)).asked).toBe('ba');
    rig.parts.affinity.learn(JSON.stringify(['*', 's']), 'b');
    expect((await turn(rig)).asked).toBe('a');
  });
  it('when all rest they are asked in the order of the strategy', async () => {
    const rig = await conversationOnB({ 'gateway.retry_wait_secs': 0 });
    for (const id of ['a', 'b', 'c']) rig.script(id, { fails: 'auth', status: 401 }, { fails: 'auth', status: 401 });
    expect((await turn(rig, { sessionId: null })).asked).toBe('abc');
    const { asked: whom, row } = await turn(rig);
    expect(whom).toBe('abc');
    expect(row.detail.attempts.map(({ bypass }) => bypass)).toEqual([true, true, true]);
  });
  it('whose upstream is full takes its turn like a new one', async () => {
    const rig = rigOf({ 'gateway.strategy': 'round_robin' }, [a!, { ...b!, maxInFlight: 1 }, c!]);
    rig.parts.affinity.learn(JSON.stringify(['*', 's']), 'b');
    rig.script('a', answered);
    rig.script('b', { answers: {}, tookMs: 10_000 }, answered);
    rig.script('c', answered);
    expect((await turn(rig, { sessionId: 'first' })).asked).toBe('a');
    const second = rig.start({ sessionId: 'second' });
    await rig.signals.when(() => rig.sent.length === 2);
    expect((await turn(rig)).asked).toBe('c');
    await rig.finish(second.done);
    expect(asked(rig)).toBe('abc');
  });
  it('does not wait for a full upstream: the others are asked in their order', async () => {
    const rig = rigOf({}, [a!, { ...b!, maxInFlight: 1 }, c!]);
    rig.parts.affinity.learn(JSON.stringify(['*', 's']), 'b');
    rig.script('b', { answers: {}, tookMs: 10_000 });
    rig.script('a', answered);
    const first = rig.start({ sessionId: 's' });
    await rig.signals.when(() => rig.sent.length === 1);
    expect((await turn(rig)).asked).toBe('a');
    await rig.finish(first.done);
    expect(asked(rig)).toBe('ba');
  });
  it('leaves the round of new conversations fair', async () => {
    const rig = rigOf({ 'gateway.strategy': 'round_robin' });
    for (const id of ['a', 'b', 'c']) rig.script(id, ...Array.from({ length: 20 }, () => answered));
    const firsts: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { asked: first } = await turn(rig, { sessionId: `s${n}` });
      firsts.push(first);
      for (let more = 0; more < n; more++) expect((await turn(rig, { sessionId: `s${n}` })).asked).toBe(first);
    }
    expect(firsts.join('')).toBe('abcabc');
  });
});

// SPEC 9.5
describe('a strict conversation', () => {
  const strict = { 'gateway.affinity': 'strict' } as const;
  it('is retried where it is, and nowhere else', async () => {
    const rig = await conversationOnB(strict);
    rig.script('b', overloaded, overloaded, answered);
    const { asked: whom, row } = await turn(rig);
    expect(whom).toBe('bbb');
    expect(row).toMatchObject({ outcome: 'success', retries: 2, failovers: 0 });
  });
  it('waits for its upstream when that is full', async () => {
    const rig = rigOf(strict, [a!, { ...b!, maxInFlight: 1 }]);
    rig.parts.affinity.learn(JSON.stringify(['*', 's']), 'b');
    rig.script('b', { answers: {}, tookMs: 5_000 }, answered);
    const first = rig.start({ sessionId: 's' });
    await rig.signals.when(() => rig.sent.length === 1);
    expect((await turn(rig)).row).toMatchObject({ outcome: 'success', queued_ms: 5_000 });
    await rig.finish(first.done);
    expect(asked(rig)).toBe('bb');
  });
  it('begins anew with the others when its upstream is gone or switched off', async () => {
    const rig = await conversationOnB(strict);
    rig.upstreams.set('b', { ...b!, enabled: false });
    rig.script('a', answered);
    expect((await turn(rig)).asked).toBe('a');
  });
});

// SPEC 9.5
describe.each(['off', 'prefer', 'strict'] as const)('sealed history (affinity %s)', (affinity) => {
  const settings = { 'gateway.affinity': affinity };
  const continued = { sessionId: null, seal: () => 'sealed-by-b' };
  /** B has answered with a sealed item. */
  const sealedByB = async (upstreams = [a!, b!, c!], more: Partial<Settings> = {}) => {
    const rig = rigOf({ ...settings, ...more }, upstreams);
    rig.script('a', { fails: 'model_missing', status: 404 });
    rig.script('b', sealed('sealed-by-b'));
    expect((await turn(rig, { sessionId: null })).asked).toBe('ab');
    return rig;
  };

  it('goes to the upstream that made it and is retried there only (SPEC 7.2)', async () => {
    const rig = await sealedByB();
    rig.script('b', overloaded, refused, answered);
    const { asked: whom, row } = await turn(rig, continued);
    expect(whom).toBe('bbb');
    expect(row).toMatchObject({ outcome: 'success', retries: 2, failovers: 0, upstream: 'B' });
  });
  it('when its maker stays down, that failure is what the client gets', async () => {
    const rig = await sealedByB();
    const { asked: whom, row, client } = await turn(rig, continued);
    expect(whom).toMatch(/^b{10}$/);
    expect(row).toMatchObject({ outcome: 'failed', give_up: 'deadline', retries: 9 });
    expect(client.told.refusal).toMatchObject({ kind: 'upstream', upstreamName: 'B', failure: { status: 503 } });
  });
  it('does not fail over, whatever the failure', async () => {
    const rig = await sealedByB();
    rig.script('b', { fails: 'auth', status: 401 });
    const { asked: whom, row } = await turn(rig, continued);
    expect(whom).toBe('b');
    expect(row).toMatchObject({ outcome: 'failed', give_up: 'not_transient', attempts: 1 });
  });
  it('is not locked out by a breaker: its only candidate is asked as a bypass (SPEC 9.4)', async () => {
    const rig = await sealedByB();
    rig.script('b', { fails: 'auth', status: 401 }, answered);
    await turn(rig, continued);
    const { asked: whom, row } = await turn(rig, continued);
    expect(whom).toBe('b');
    expect(row.detail.attempts[0]).toMatchObject({ bypass: true, outcome: 'answered' });
  });
  it('waits for its maker at its cap', async () => {
    const rig = await sealedByB([a!, { ...b!, maxInFlight: 1 }, c!]);
    rig.script('b', { answers: {}, tookMs: 5_000 }, answered);
    const first = rig.start(continued);
    await rig.signals.when(() => rig.sent.length === 3);
    const { row } = await turn(rig, continued);
    expect(row).toMatchObject({ outcome: 'success', queued_ms: 5_000, attempts: 1, upstream: 'B' });
    await rig.finish(first.done);
  });
  it('an unknown seal pins nothing', async () => {
    const rig = await sealedByB();
    rig.script('a', overloaded);
    rig.script('b', answered);
    expect((await turn(rig, { sessionId: null, seal: () => 'made elsewhere' })).asked).toBe('ab');
  });
  it('is forgotten after 24 hours', async () => {
    const rig = await sealedByB();
    await rig.clock.advance(DAY_MS + 1);
    rig.script('a', answered);
    expect((await turn(rig, continued)).asked).toBe('a');
  });
  it('where the route does not lead to its maker, nothing is pinned', async () => {
    const rig = await sealedByB([a!, { ...b!, models: ['m-test'] }, c!]);
    rig.script('a', answered);
    expect((await turn(rig, { ...continued, model: 'another' })).asked).toBe('a');
  });
  it('learns from an answer that broke off, too: its client may go on from there', async () => {
    const rig = rigOf(settings);
    rig.script('a', { answers: { end: 'cut', failure: null, facts: { ...facts, finishReason: null, seal: 'half' } } }, overloaded, answered);
    await turn(rig, { sessionId: null });
    expect((await turn(rig, { sessionId: null, seal: () => 'half' })).asked).toBe('aa');
  });
  it.each([
    ['removed', (rig: Rig) => { rig.upstreams.delete('b'); }, 'an upstream that was removed'],
    ['switched off', (rig: Rig) => { rig.upstreams.set('b', { ...b!, enabled: false }); }, '"B", which is switched off'],
    ['of another format now', (rig: Rig) => { rig.upstreams.set('b', { ...b!, formats: ['chat'] }); }, '"B", which does not speak the format "anthropic" any more'],
  ])('when its maker is %s: 409, refused, no attempt, never again', async (_what, lose, words) => {
    const rig = await sealedByB();
    lose(rig);
    const { asked: whom, row, client } = await turn(rig, continued);
    expect(whom).toBe('');
    expect(client.told).toMatchObject({ times: 1, refusal: { kind: 'own', status: 409, code: 'route.sealed_elsewhere', retryAfterSecs: null } });
    expect(row).toMatchObject({ outcome: 'refused', status: 409, attempts: 0, retries: 0, give_up: null, error_code: 'route.sealed_elsewhere' });
    expect(row.error_message).toContain(words);
  });
  it('also when the only other upstream would have been the only candidate', async () => {
    const rig = await sealedByB([a!, b!]);
    rig.upstreams.delete('b');
    expect((await turn(rig, continued)).row).toMatchObject({ outcome: 'refused', error_code: 'route.sealed_elsewhere' });
  });
  it('a maker that is removed in a pause leaves the failure it gave before', async () => {
    const rig = await sealedByB();
    rig.script('b', overloaded);
    const running = rig.start(continued);
    await rig.pausing();
    rig.upstreams.delete('b');
    const { row, client } = await rig.finish(running.done);
    expect(row).toMatchObject({ outcome: 'failed', give_up: 'no_candidate', attempts: 1 });
    expect(client.told.refusal).toMatchObject({ kind: 'upstream', failure: { status: 503 } });
  });
});
