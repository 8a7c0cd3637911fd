import { describe, expect, it } from 'vitest';
import { resolvePolicy } from '../../../shared/backoff.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { decide, holdUntilMs } from '../../../main/gateway/core/retry/policy.ts';
import { factsOf, policyOf } from '../../support/policy.ts';

const settingsOf = (part: Partial<Settings> = {}): Settings => ({ ...defaultSettings(), ...part });
const constant = policyOf({ backoff: 'constant', baseMs: 500, maxMs: 500, jitter: 0, maxAttempts: 4, hint: 'floor' });

describe('decide: order of refusal (SPEC 8.1)', () => {
  const everythingWrong = factsOf({ transientSeen: false, retryable: 0, failedRounds: 9, budgetLeft: false, elapsedMs: 130_000, hardLeftMs: 0, lastAttemptMs: 1 });
  const steps = [
    ['disabled', policyOf({ enabled: false, maxAttempts: 3 }), {}],
    ['not_transient', policyOf({ maxAttempts: 3 }), {}],
    ['no_candidate', policyOf({ maxAttempts: 3 }), { transientSeen: true }],
    ['attempts', policyOf({ maxAttempts: 3 }), { transientSeen: true, retryable: 1 }],
    ['budget', policyOf({ maxAttempts: 3 }), { transientSeen: true, retryable: 1, failedRounds: 2 }],
    ['deadline', policyOf({ maxAttempts: 3 }), { transientSeen: true, retryable: 1, failedRounds: 2, budgetLeft: true }],
    ['hard_deadline', policyOf({ maxAttempts: 3 }), { transientSeen: true, retryable: 1, failedRounds: 2, budgetLeft: true, elapsedMs: 0 }],
  ] as const;
  it.each(steps)('says %s when everything before it is all right', (reason, policy, better) => {
    expect(decide(policy, { ...everythingWrong, ...better })).toEqual({ giveUp: reason });
  });

  it('is off with a wait of 0 (SPEC 7.8)', () => {
    expect(decide(policyOf({ deadlineMs: 0 }), factsOf())).toEqual({ giveUp: 'disabled' });
  });
  it('counts round 0 among the attempts', () => {
    expect(decide(policyOf({ maxAttempts: 1 }), factsOf())).toEqual({ giveUp: 'attempts' });
    expect(decide(policyOf({ maxAttempts: 2 }), factsOf())).toEqual({ retryAfterMs: 2_000 });
    expect(decide(policyOf({ maxAttempts: 2 }), factsOf({ failedRounds: 2 }))).toEqual({ giveUp: 'attempts' });
  });
});

describe('decide: the pause (SPEC 8.2)', () => {
  it.each([[1, 2_000], [2, 4_000], [3, 8_000], [4, 16_000], [5, 16_000], [60, 16_000], [5_000, 16_000]])('patient waits after %i failed rounds %i ms', (failedRounds, retryAfterMs) => {
    expect(decide(policyOf(), factsOf({ failedRounds }))).toEqual({ retryAfterMs });
  });
  it.each([[0, 1_600], [0.5, 2_000], [0.999_999, 2_399.999_2]])('patient spreads by a fifth to both sides: draw %f gives %f ms', (jitterUnit, retryAfterMs) => {
    const decision = decide(policyOf(), factsOf({ jitterUnit }));
    expect('retryAfterMs' in decision && decision.retryAfterMs).toBeCloseTo(retryAfterMs, 6);
  });
  it.each([[1, 0.5, 50], [2, 0.5, 100], [5, 0.5, 800], [6, 0.5, 1_000], [30, 0.25, 500], [4, 0, 0]])('full jitter after %i rounds, draw %f: %i ms', (failedRounds, jitterUnit, retryAfterMs) => {
    const policy = policyOf({ backoff: 'full_jitter', baseMs: 100, maxMs: 2_000, jitter: 0 });
    expect(decide(policy, factsOf({ failedRounds, jitterUnit }))).toEqual({ retryAfterMs });
  });
  it.each([1, 2, 3])('constant waits the same after %i rounds', (failedRounds) => {
    expect(decide(constant, factsOf({ failedRounds, jitterUnit: 0.9 }))).toEqual({ retryAfterMs: 500 });
  });
  it('a short deadline shortens the pause to its half instead of turning retrying off', () => {
    expect(decide(policyOf({ deadlineMs: 3_000, jitter: 0 }), factsOf())).toEqual({ retryAfterMs: 1_500 });
    expect(decide(policyOf({ backoff: 'constant', baseMs: 5_000, maxMs: 5_000, jitter: 0, deadlineMs: 1_000 }), factsOf())).toEqual({ retryAfterMs: 500 });
  });
  it('a base of 0 tries again at once', () => {
    expect(decide(policyOf({ baseMs: 0 }), factsOf({ failedRounds: 7 }))).toEqual({ retryAfterMs: 0 });
  });
});

describe('decide: the deadline (SPEC 7.4, 8.3)', () => {
  it.each([[117_999, { retryAfterMs: 2_000 }], [118_000, { giveUp: 'deadline' }], [119_999, { giveUp: 'deadline' }], [500_000, { giveUp: 'deadline' }]])('after %i ms of 120 s a pause of 2 s: %o', (elapsedMs, answer) => {
    expect(decide(policyOf({ jitter: 0 }), factsOf({ elapsedMs }))).toEqual(answer);
  });
  it('a whole answer needs room for the pause and an attempt as long as the last', () => {
    const facts = factsOf({ hardLeftMs: 10_000, lastAttemptMs: 8_000 });
    expect(decide(policyOf({ jitter: 0 }), facts)).toEqual({ retryAfterMs: 2_000 });
    expect(decide(policyOf({ jitter: 0 }), { ...facts, lastAttemptMs: 8_001 })).toEqual({ giveUp: 'hard_deadline' });
  });
});

describe('decide: hints (SPEC 8.4)', () => {
  it.each([[100, 0.5, 275], [5_000, 0, 5_000], [5_000, 0.5, 5_500], [250, 0, 250], [1, 0, 250]])('follow: a hint of %i ms, draw %f, pauses %i ms', (hintMs, jitterUnit, retryAfterMs) => {
    expect(decide(policyOf(), factsOf({ hintMs, jitterUnit }))).toEqual({ retryAfterMs });
  });
  it('follow: the spread is at most a fifth, and none when the policy has none', () => {
    expect(decide(policyOf({ jitter: 1 }), factsOf({ hintMs: 10_000, jitterUnit: 0.5 }))).toEqual({ retryAfterMs: 11_000 });
    expect(decide(policyOf({ jitter: 0 }), factsOf({ hintMs: 10_000, jitterUnit: 0.9 }))).toEqual({ retryAfterMs: 10_000 });
  });
  it('follow: a hint that fits still fits with its spread', () => {
    expect(decide(policyOf(), factsOf({ hintMs: 119_000, jitterUnit: 0.9 }))).toEqual({ retryAfterMs: 119_999 });
    expect(decide(policyOf(), factsOf({ hintMs: 119_999.5, jitterUnit: 0.9 }))).toEqual({ retryAfterMs: 119_999.5 });
  });
  it('follow: a hint past the deadline gives up at once', () => {
    expect(decide(policyOf(), factsOf({ hintMs: 120_000, jitterUnit: 0 }))).toEqual({ giveUp: 'deadline' });
  });
  it.each([[300, 0, 500], [300, 0.5, 750], [4_000, 0, 4_000], [4_000, 0.5, 4_250], [60_000, 0, 60_000]])('floor: a hint of %i ms, draw %f, pauses %i ms, beyond the maximum too', (hintMs, jitterUnit, retryAfterMs) => {
    expect(decide(constant, factsOf({ hintMs, jitterUnit }))).toEqual({ retryAfterMs });
  });
});

describe('resolvePolicy (SPEC 8.2)', () => {
  it('is patient by default, with 120 s from the settings', () => {
    expect(resolvePolicy(settingsOf(), null)).toEqual(policyOf());
  });
  it.each([
    ['full_jitter', { backoff: 'full_jitter', baseMs: 100, maxMs: 2_000, jitter: 0, maxAttempts: 4, hint: 'floor' }],
    ['constant', { backoff: 'constant', baseMs: 500, maxMs: 500, jitter: 0, maxAttempts: 4, hint: 'floor' }],
    ['off', { enabled: false }],
  ] as const)('knows the preset %s', (preset, part) => {
    expect(resolvePolicy(settingsOf({ 'gateway.retry_preset': preset }), null)).toEqual(policyOf(part));
  });
  it('custom takes the stored policy whole, and its own word on timeouts', () => {
    const { enabled: _enabled, deadlineMs: _deadlineMs, ...stored } = policyOf({ baseMs: 10, retryOnTimeout: true });
    const settings = settingsOf({ 'gateway.retry_preset': 'custom', 'gateway.retry_policy': { ...stored, statuses: [500] } });
    expect(resolvePolicy(settings, null)).toEqual(policyOf({ baseMs: 10, retryOnTimeout: true, statuses: [500] }));
  });
  it('presets take the global setting for timeouts', () => {
    expect(resolvePolicy(settingsOf({ 'gateway.retry_on_timeout': true }), null).retryOnTimeout).toBe(true);
  });
  it("a route's override comes before the settings, its wait too", () => {
    const policy = resolvePolicy(settingsOf({ 'gateway.retry_preset': 'off' }), { preset: 'constant', retry_wait_secs: 7 });
    expect(policy).toMatchObject({ enabled: true, backoff: 'constant', deadlineMs: 7_000 });
  });
});

describe('holdUntilMs (SPEC 6.1)', () => {
  const asked = { round: 0, startedMs: 0, hardDeadlineMs: null, budgetLeft: true };
  it('a stream is worth holding until a retry with the lowest jitter would miss the deadline', () => {
    expect(holdUntilMs(policyOf(), asked)).toBe(120_000 - 1_600);
    expect(holdUntilMs(policyOf(), { ...asked, round: 3, startedMs: 30_000 })).toBe(120_000 - 12_800);
  });
  it.each([
    ['the policy is off', policyOf({ enabled: false }), asked],
    ['the wait is 0', policyOf({ deadlineMs: 0 }), asked],
    ['the attempts are used up', policyOf({ maxAttempts: 2 }), { ...asked, round: 1 }],
    ['the budget is empty', policyOf(), { ...asked, budgetLeft: false }],
    ['the deadline is too near', policyOf(), { ...asked, startedMs: 118_500 }],
  ] as const)('nothing is held when %s', (_why, policy, facts) => {
    expect(holdUntilMs(policy, facts)).toBe(-Infinity);
  });
  it('a whole answer stops being worth it when its successor would not fit before the hard deadline', () => {
    // At 9.2 s: 1.6 s of pause and another 9.2 s end at 20 s.
    expect(holdUntilMs(policyOf(), { ...asked, hardDeadlineMs: 20_000 })).toBe(9_200);
  });
});
