// SPEC 9.6: the dry run is the loop itself, with a simulated clock and simulated upstreams.
import { describe, expect, it } from 'vitest';
import type { DryRun, DryRunRequest, SimulatedAnswer } from '../../../shared/dry-run.ts';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import type { Route } from '../../../shared/route.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { createGateway } from '../../../main/gateway/gateway.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createSealsInMemory } from '../../support/seals.ts';
import { upstreamOf } from '../../support/upstreams.ts';

const abc = ['a', 'b', 'c'].map((id) => upstreamOf({ id, baseUrl: `http://${id}.test` }));

function aGateway(options: { readonly upstreams?: readonly Upstream[]; readonly routes?: readonly Route[]; readonly settings?: Partial<Settings> } = {}) {
  const clock = createFakeClock();
  const { upstreams = abc, routes = [] } = options;
  const settings = { ...defaultSettings(), ...options.settings };
  const noted: unknown[] = [];
  const gateway = createGateway({
    clock, random: { draw: () => { throw new Error('a dry run draws nothing from the real dice'); } }, version: '0', rowsDropped: () => 0,
    journal: { note: (event) => { noted.push(event); } },
    config: { settings: () => settings, routes: () => routes, upstreams: () => upstreams, upstream: (id) => upstreams.find((one) => one.id === id) ?? null },
    keys: { check: () => ({ kind: 'unknown' }) },
    credentials: { of: () => { throw new Error('a dry run needs no key'); } },
    seals: createSealsInMemory(clock),
    log: { info: () => undefined, warn: () => undefined, error: (message, fields) => { throw new Error(`${message} ${JSON.stringify(fields)}`); } },
  });
  const run = (answers: Readonly<Record<string, readonly SimulatedAnswer[]>> = {}, part: Partial<DryRunRequest> = {}): Promise<DryRun> =>
    gateway.dryRun({ model: 'm', format: 'anthropic', streamed: true, health: 'fresh', answers: Object.entries(answers).map(([upstream, list]) => ({ upstream, answers: list })), ...part });
  return { clock, gateway, noted, run };
}

const status = (code: number): SimulatedAnswer => ({ kind: 'status', status: code });
const good: SimulatedAnswer = { kind: 'answer', after_ms: 1_000 };
/** `a@0 a@2250`: who was asked when. */
const calls = (run: DryRun): string => run.steps.flatMap((step) => (step.kind === 'attempt' ? [`${step.upstream.toLowerCase()}@${step.atMs}`] : [])).join(' ');
const endOf = (run: DryRun) => run.steps.at(-1);

describe('the time line', () => {
  it('shows a retry after two failures, pause by pause, with what each failure was followed by', async () => {
    const run = await aGateway({ upstreams: abc.slice(0, 1) }).run({ a: [status(503), status(529), good] });
    expect(run.steps).toEqual([
      { kind: 'attempt', atMs: 0, n: 1, round: 0, upstream: 'A', model: 'm', bypass: false },
      { kind: 'failed', atMs: 250, n: 1, upstream: 'A', class: 'transient', code: expect.any(String), status: 503, where: 'head', then: 'retry' },
      { kind: 'pause', atMs: 250, endsMs: 2_250, reason: 'backoff', retry: 1, upstreams: ['A'] },
      { kind: 'attempt', atMs: 2_250, n: 2, round: 1, upstream: 'A', model: 'm', bypass: false },
      { kind: 'failed', atMs: 2_500, n: 2, upstream: 'A', class: 'transient', code: expect.any(String), status: 529, where: 'head', then: 'retry' },
      { kind: 'pause', atMs: 2_500, endsMs: 6_500, reason: 'backoff', retry: 2, upstreams: ['A'] },
      { kind: 'attempt', atMs: 6_500, n: 3, round: 2, upstream: 'A', model: 'm', bypass: false },
      { kind: 'released', atMs: 7_500, upstream: 'A' },
      { kind: 'end', atMs: 8_500, outcome: 'success', status: 200, giveUp: null, code: null, message: null },
    ]);
    expect(run).toMatchObject({ pauseMs: 6_000, durationMs: 8_500, attempts: [{ n: 1 }, { n: 2, pause_ms: 2_000 }, { n: 3, first_content_ms: 1_000 }], policy: { deadlineMs: 120_000 } });
  });

  // SPEC 7.12 a
  it('fails over without a pause, and retries only who can be cured', async () => {
    const run = await aGateway({ upstreams: abc.slice(0, 2) }).run({ a: [status(503), good], b: [{ kind: 'rate_limited', retry_after_secs: 5 }] });
    expect(calls(run)).toBe('a@0 b@250 a@2500');
    expect(run.steps.flatMap((step) => (step.kind === 'failed' ? [step.then] : []))).toEqual(['failover', 'retry']);
  });

  it('a fault of the request goes nowhere else', async () => {
    const run = await aGateway().run({ a: [status(400)] });
    expect(calls(run)).toBe('a@0');
    expect(endOf(run)).toMatchObject({ outcome: 'failed', status: 400, giveUp: 'not_transient', message: expect.stringContaining('simulated') });
  });

  it('an outage is given up before the deadline, with the last error as the client reads it', async () => {
    const { run } = aGateway({ upstreams: abc.slice(0, 1) });
    const down = await run({ a: [status(503)] });
    // The head has gone out long before: the error comes as an event.
    expect(endOf(down)).toMatchObject({ outcome: 'failed', status: 200, giveUp: 'deadline', message: expect.stringContaining('event: error') });
    expect(down.durationMs).toBeGreaterThan(100_000);
    expect(down.durationMs).toBeLessThanOrEqual(120_000);
    expect(endOf(await run({ a: [status(503)] }, { streamed: false }))).toMatchObject({ status: 503, giveUp: 'deadline' });
    // The last attempt is held no more, since nothing could follow it: its opening and its error go through as they are.
    const overloaded = await run({ a: [{ kind: 'stream_error', code: 'overloaded_error' }] });
    expect(endOf(overloaded)).toMatchObject({ outcome: 'failed', status: 200, code: 'overloaded_error' });
    expect(overloaded.attempts.slice(0, -1).every((attempt) => attempt.where === 'opening')).toBe(true);
  });

  it('a hang ends by the idle limit, and is no transient failure', async () => {
    const run = await aGateway({ upstreams: abc.slice(0, 2) }).run({ a: [{ kind: 'hang' }] });
    expect(calls(run)).toBe('a@0 b@300000');
    const whole = await aGateway({ upstreams: abc.slice(0, 1) }).run({ a: [{ kind: 'hang' }] }, { streamed: false });
    expect(endOf(whole)).toMatchObject({ outcome: 'failed', status: 504, code: 'upstream.timeout_whole', atMs: 598_000 });
  });

  it('a stream that breaks after content is cut and never tried again, a whole answer is', async () => {
    const { run } = aGateway({ upstreams: abc.slice(0, 1) });
    expect(endOf(await run({ a: [{ kind: 'breaks_off' }] }))).toMatchObject({ outcome: 'truncated', giveUp: 'content_sent' });
    const whole = await run({ a: [{ kind: 'breaks_off' }, good] }, { streamed: false });
    expect(calls(whole)).toBe('a@0 a@4000');
    expect(endOf(whole)).toMatchObject({ outcome: 'success' });
  });

  // SPEC 7.8, 6.1
  it('with a wait of 0 nothing of the last candidate is held: its error in the stream goes through', async () => {
    const { run } = aGateway({ upstreams: abc.slice(0, 2), settings: { 'gateway.retry_wait_secs': 0 } });
    const ended = await run({ a: [{ kind: 'refuse' }], b: [{ kind: 'stream_error', code: 'overloaded_error' }] });
    expect(calls(ended)).toBe('a@0 b@20');
    expect(endOf(ended)).toMatchObject({ outcome: 'failed', giveUp: 'disabled', code: 'overloaded_error' });
    expect(ended.steps.some((step) => step.kind === 'released')).toBe(true);
  });

  it('a rule of the user decides here as it does there', async () => {
    const rules = [{ upstream: null, statuses: [400], text: 'SIMULATED', class: 'transient' as const }];
    const run = await aGateway({ upstreams: abc.slice(0, 1), settings: { 'gateway.retry_rules': rules } }).run({ a: [status(400), good] });
    expect(calls(run)).toBe('a@0 a@2250');
  });

  it('a policy without pauses and end is cut off after a thousand attempts', async () => {
    const settings: Partial<Settings> = {
      'gateway.retry_preset': 'custom', 'gateway.retry_wait_secs': 600, 'gateway.retry_policy': { ...defaultSettings()['gateway.retry_policy'], baseMs: 0 },
      'gateway.retry_budget': { enabled: false, capacity: 60, ratio: 0.2, min_per_minute: 60 },
    };
    const run = await aGateway({ upstreams: abc.slice(0, 1), settings }).run({ a: [{ kind: 'refuse' }] });
    // Of the lines the first and last hundred are kept.
    expect([run.attempts.length, run.attempts.at(-1)?.n]).toEqual([200, 1_000]);
    expect(endOf(run)).toMatchObject({ outcome: 'cancelled' });
  });

  it.each(FORMAT_NAMES)('%s: every answer can be simulated, streamed and whole', async (format) => {
    const { run } = aGateway({ upstreams: abc.slice(0, 2) });
    const kinds: readonly SimulatedAnswer[] = [good, status(503), status(401), status(404), { kind: 'stream_error', code: 'server_error' }, { kind: 'rate_limited', retry_after_secs: 7 }, { kind: 'refuse' }, { kind: 'reset' }, { kind: 'hang' }, { kind: 'breaks_off' }];
    for (const streamed of [true, false]) {
      for (const answer of kinds) {
        const ended = await run({ a: [answer] }, { format, streamed });
        expect(endOf(ended), `${answer.kind} ${streamed}`).toMatchObject({ kind: 'end', outcome: answer.kind === 'breaks_off' && streamed ? 'truncated' : answer.kind === 'hang' && !streamed ? 'failed' : 'success' });
      }
    }
    const limited = await run({ a: [{ kind: 'rate_limited', retry_after_secs: 7 }] }, { format });
    expect(limited.attempts[0]).toMatchObject({ class: 'rate_limited', hint_ms: 7_000 });
  });
});

describe('who takes part', () => {
  const route: Route = { id: 'r', pattern: 'big-*', strategy: 'weighted', candidates: [{ upstream: 'a', model: 'small', weight: 1 }, { upstream: 'b', model: null, weight: 9 }, { upstream: 'off', model: null }, { upstream: 'chatty', model: null }, { upstream: 'picky', model: null }], policy: { preset: 'constant', retry_wait_secs: 9 } };
  const upstreams = [...abc, upstreamOf({ id: 'off', enabled: false }), upstreamOf({ id: 'chatty', formats: ['chat'] }), upstreamOf({ id: 'picky', models: ['tiny'] })];

  it('is said of every upstream: in the order of the route, then those that do not, and why', async () => {
    const run = await aGateway({ upstreams, routes: [route] }).run({}, { model: 'big-one' });
    expect(run.route).toEqual({ id: 'r', pattern: 'big-*', strategy: 'weighted' });
    expect(run.candidates.map(({ name, model, place }) => `${name} ${model} ${place}`)).toEqual(['B big-one candidate', 'A small candidate', 'C big-one not_in_route', 'OFF big-one disabled', 'CHATTY big-one format', 'PICKY big-one model']);
    expect(run.policy).toMatchObject({ deadlineMs: 9_000, backoff: 'constant' });
    expect(run.steps[0]).toMatchObject({ kind: 'attempt', upstream: 'B' });
  });

  it('without a route that leads anywhere nothing is asked', async () => {
    const run = await aGateway({ upstreams: [upstreamOf({ id: 'a', formats: ['chat'] })] }).run();
    expect(run).toMatchObject({ route: null, attempts: [], candidates: [{ name: 'A', place: 'format' }], steps: [{ kind: 'end', outcome: 'refused', status: 400, code: 'route.no_format' }] });
  });

  it('the last route is there without being saved', async () => {
    expect((await aGateway().run()).route).toEqual({ id: '*', pattern: '*', strategy: 'priority' });
  });
});

it('nothing of it is remembered: no row, no health, no turn of the round robin, no time', async () => {
  const routes: readonly Route[] = [{ id: 'r', pattern: '*', strategy: 'round_robin', candidates: abc.map(({ id }) => ({ upstream: id, model: null })), policy: null }];
  const { run, gateway, noted, clock } = aGateway({ routes });
  const before = clock.now();
  const first = await run({ a: [status(503)], b: [status(503)], c: [status(401)] });
  expect(first.attempts.length).toBeGreaterThan(3);
  expect(calls(await run())).toBe('a@0');
  expect(noted).toEqual([]);
  expect(gateway.inFlight()).toEqual([]);
  expect(gateway.health().map((health) => health.attempts)).toEqual([0, 0, 0]);
  expect([clock.now(), clock.pending()]).toEqual([before, 0]);
});
