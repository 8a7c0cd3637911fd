// How an upstream stands, as the list and the overview say it (UI.md; SPEC 9.4).
import { describe, expect, it } from 'vitest';
import { readHealth } from '../../renderer/upstreams/health-state.ts';
import type { ModelHealth, UpstreamHealth } from '../../shared/health.ts';

const figures = { attempts: 3, successShare: 1, retriedShare: 0, firstContentMs: 900, inFlight: 0, lastError: null };
const model = (part: Partial<ModelHealth> = {}): ModelHealth => ({ ...figures, model: 'm', phase: 'closed', openUntil: null, restUntil: null, restReason: null, failuresInRow: 0, ...part });
const upstream = (models: readonly ModelHealth[], part: Partial<UpstreamHealth> = {}): UpstreamHealth => ({ ...figures, upstreamId: 'a', phase: 'closed', resting: false, models, ...part });
const NOW = 1_000_000;

describe('the standing of an upstream', () => {
  it.each([
    ['unknown', undefined],
    ['unknown', upstream([], { attempts: 0 })],
    ['well', upstream([model()])],
    ['failing', upstream([model({ failuresInRow: 1 })])],
    ['on_trial', upstream([model({ phase: 'half_open' }), model({ model: 'n' })])],
    ['partly_resting', upstream([model({ phase: 'open', openUntil: NOW + 1 }), model({ model: 'n' })])],
    ['resting', upstream([model({ restUntil: NOW + 1, restReason: 'auth' })])],
    // Its time is over, though nobody has told since: the next request is a trial.
    ['on_trial', upstream([model({ phase: 'open', openUntil: NOW })], { resting: true })],
  ] as const)('is %s', (standing, health) => {
    expect(readHealth(health, NOW).standing).toBe(standing);
  });

  it('names each resting model once, with the reason that keeps it longest, the first to come back first', () => {
    const reading = readHealth(upstream([
      model({ model: 'late', phase: 'open', openUntil: NOW + 5_000, restUntil: NOW + 60_000, restReason: 'quota' }),
      model({ model: 'soon', phase: 'open', openUntil: NOW + 2_000 }),
    ]), NOW);
    expect(reading.resting).toEqual([{ model: 'soon', until: NOW + 2_000, reason: 'failures' }, { model: 'late', until: NOW + 60_000, reason: 'quota' }]);
    expect(reading.until).toBe(NOW + 2_000);
  });
});
