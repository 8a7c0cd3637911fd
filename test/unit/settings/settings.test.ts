import { describe, expect, it } from 'vitest';
import { SETTING_KEYS, defaultSettings, isSettingKey, issueSentence, numberRange, parseSetting, readSetting } from '../../../shared/settings.ts';
import type { SettingKey } from '../../../shared/settings.ts';

const refusal = (key: SettingKey, value: unknown): string => {
  const parsed = parseSetting(key, value);
  return parsed.ok ? 'accepted' : parsed.issues.map(issueSentence).join('; ');
};

describe('writing a setting (SPEC 14)', () => {
  it.each([0, 1, 120, 600])('accepts a retry wait of %i', (value) => {
    expect(parseSetting('gateway.retry_wait_secs', value)).toEqual({ ok: true, value });
  });
  it.each([
    [601, 'gateway.retry_wait_secs cannot be 601: allowed is 0 to 600'],
    [-1, 'gateway.retry_wait_secs cannot be -1: allowed is 0 to 600'],
    [1.5, 'gateway.retry_wait_secs cannot be 1.5: allowed is 0 to 600'],
    ['30', 'gateway.retry_wait_secs cannot be "30": allowed is 0 to 600'],
    [null, 'gateway.retry_wait_secs cannot be null: allowed is 0 to 600'],
    [Number.NaN, 'gateway.retry_wait_secs cannot be null: allowed is 0 to 600'],
  ])('refuses %o with the key, the value and the range', (value, sentence) => {
    expect(refusal('gateway.retry_wait_secs', value)).toBe(sentence);
  });
  it.each([
    ['gateway.port', 80, 'gateway.port cannot be 80: allowed is 1024 to 65535'],
    ['gateway.port', 70_000, 'gateway.port cannot be 70000: allowed is 1024 to 65535'],
    ['gateway.bind', 'wan', 'gateway.bind cannot be "wan": allowed is loopback, lan'],
    ['gateway.retry_preset', 'brave', 'gateway.retry_preset cannot be "brave": allowed is patient, full_jitter, constant, off, custom'],
    ['gateway.retry_budget', { ratio: 2 }, 'gateway.retry_budget.ratio cannot be 2: allowed is 0 to 1'],
    ['gateway.retry_budget', { size: 2 }, 'gateway.retry_budget.size has a field that is not known'],
    ['gateway.retry_policy', { baseMs: 5_000, maxMs: 1_000 }, 'gateway.retry_policy.maxMs cannot be 1000: allowed is 5000 to 600000'],
    ['gateway.retry_policy', { statuses: [500, 200] }, 'gateway.retry_policy.statuses.1 cannot be 200: allowed is 400 to 599'],
    ['gateway.retry_policy', { attemptTimeoutMs: 500 }, 'gateway.retry_policy.attemptTimeoutMs cannot be 500: allowed is 1000 to 3600000'],
    ['gateway.metrics', 'on', 'gateway.metrics cannot be "on"'],
    ['gateway.allowed_origins', ['http://localhost:3000', '*'], 'gateway.allowed_origins.1 cannot be "*"'],
    ['gateway.allowed_origins', ['https://*.example.org'], 'gateway.allowed_origins.0 cannot be "https://*.example.org"'],
    ['gateway.allowed_hosts', ['my-box:4653', 'evil\r\nx: y'], 'gateway.allowed_hosts.1 cannot be "evil\\r\\nx: y"'],
    ['gateway.retry_rules', [{ class: 'sometimes' }], 'gateway.retry_rules.0.class cannot be "sometimes": allowed is transient, rate_limited, quota, auth, model_missing, timeout, server, invalid, policy, request, bad_address'],
  ] as const)('refuses %s = %o', (key, value, sentence) => {
    expect(refusal(key, value)).toBe(sentence);
  });
  it('names every fault of an object at once', () => {
    const parsed = parseSetting('gateway.retry_policy', { jitter: 7, baseMs: -1, hint: 'maybe' });
    expect(parsed.ok ? [] : parsed.issues.map((issue) => issue.path).sort()).toEqual(['baseMs', 'hint', 'jitter']);
  });
  it('an object may be written in part; the rest keeps its defaults', () => {
    expect(parseSetting('gateway.retry_budget', { enabled: false })).toEqual({ ok: true, value: { enabled: false, capacity: 60, ratio: 0.2, min_per_minute: 60 } });
    expect(parseSetting('gateway.breaker', { enabled: false })).toMatchObject({ ok: true, value: { enabled: false, failures: 3, cool_secs: 60 } });
  });
  it('a long refused value is shown in short', () => {
    const parsed = parseSetting('gateway.bind', 'x'.repeat(5_000));
    expect(parsed.ok ? '' : parsed.issues[0]?.given).toHaveLength(80);
  });
});

describe('reading a stored setting (SPEC 14)', () => {
  it.each([
    ['gateway.retry_wait_secs', 45, 45, 'no'],
    ['gateway.retry_wait_secs', 9_999, 600, 'clamped'],
    ['gateway.retry_wait_secs', -5, 0, 'clamped'],
    ['gateway.retry_wait_secs', 'soon', 120, 'default'],
    ['gateway.retry_wait_secs', 1.5, 120, 'default'],
    ['gateway.retry_wait_secs', undefined, 120, 'default'],
    ['gateway.port', 80, 1_024, 'clamped'],
    ['gateway.port', 99_999, 65_535, 'clamped'],
    ['gateway.theme', 'x', undefined, 'skip'],
    ['gateway.bind', 'wan', 'loopback', 'default'],
  ] as const)('%s stored as %o reads %o (%s)', (key, stored, value, repaired) => {
    if (repaired === 'skip') return expect(isSettingKey(key)).toBe(false);
    expect(readSetting(key as SettingKey, stored)).toEqual({ value, repaired });
  });
  it('brings the fields of an object to their nearest ends', () => {
    expect(readSetting('gateway.retry_budget', { capacity: 0, ratio: 3, min_per_minute: 5 })).toEqual({ value: { enabled: true, capacity: 1, ratio: 1, min_per_minute: 5 }, repaired: 'clamped' });
    expect(readSetting('gateway.retry_policy', { baseMs: 5_000, maxMs: 1_000 }).value).toMatchObject({ baseMs: 5_000, maxMs: 5_000 });
  });
});

describe('the table of settings', () => {
  it('every default is a value that could be written', () => {
    const defaults = defaultSettings();
    for (const key of SETTING_KEYS) expect(parseSetting(key, defaults[key]), key).toEqual({ ok: true, value: defaults[key] });
  });
  it('tells the range of a number for its field', () => {
    expect(numberRange('gateway.retry_wait_secs')).toEqual({ min: 0, max: 600 });
    expect(numberRange('gateway.port')).toEqual({ min: 1_024, max: 65_535 });
    expect(numberRange('gateway.keepalive_secs')).toEqual({ min: 5, max: 60 });
    expect(numberRange('gateway.retry_policy', ['jitter'])).toEqual({ min: 0, max: 1 });
    // 0 is "off" and stands beside the range.
    expect(numberRange('gateway.retry_policy', ['attemptTimeoutMs'])).toEqual({ min: 1_000, max: 3_600_000 });
  });
});
