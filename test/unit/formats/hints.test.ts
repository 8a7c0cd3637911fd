import { describe, expect, it } from 'vitest';
import { bodyHintMs, durationMs, headerHintMs } from '../../../main/gateway/core/formats/hints.ts';
import { httpDateMs } from '../../../main/gateway/core/formats/http-date.ts';
import { readFailed } from '../../support/failed-answer.ts';

/** Wed, 21 Oct 2026 07:28:00 GMT */
const UTC_MS = Date.UTC(2026, 9, 21, 7, 28, 0);
const hint = (headers: Record<string, string>) => headerHintMs(headers, UTC_MS);

// SPEC 8.4
describe('a hint in headers', () => {
  it.each([
    [{ 'retry-after-ms': '1500' }, 1_500], [{ 'retry-after-ms': '1500.2' }, 1_501], [{ 'retry-after-ms': ' 1500 ' }, 1_500], [{ 'retry-after-ms': '0.5' }, 1],
    [{ 'retry-after': '17' }, 17_000], [{ 'retry-after': '1.5' }, 1_500], [{ 'retry-after': '0.25' }, 250], [{ 'retry-after': ' 2 ' }, 2_000], [{ 'retry-after': '86400' }, 86_400_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:03 GMT' }, 3_000], [{ 'retry-after': 'Wednesday, 21-Oct-26 07:29:00 GMT' }, 60_000], [{ 'retry-after': 'Wed Oct 21 08:28:00 2026' }, 3_600_000],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
    // A hint that does not count leaves the next one its say.
    [{ 'retry-after-ms': '0', 'retry-after': '60' }, 60_000], [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000], [{ 'retry-after-ms': '99999999999', 'retry-after': '60' }, 60_000],
  ] as [Record<string, string>, number][])('%j is %i ms', (headers, expected) => {
    expect(hint(headers)).toBe(expected);
  });

  it.each([
    '0', '0.0', '-1', '-0.5', '86401', '9999999999', '1e3', '+5', '5s', '5, 10', 'NaN', 'Infinity', '', ' ', '0x10', '1.', '.5', '1,5', 'soon',
    'Wed, 21 Oct 2026 07:28:00 GMT', 'Wed, 21 Oct 2026 07:27:00 GMT', 'Wed, 21 Oct 2099 07:28:00 GMT', 'Wed, 21 Xyz 2026 07:28:03 GMT', 'Wed, 32 Oct 2026 07:28:03 GMT', 'Wed, 21 Oct 2026 25:28:03 GMT', '2026-10-21T07:28:03Z',
  ])('is ignored when it is %j', (text) => {
    expect(hint({ 'retry-after': text })).toBeNull();
    expect(hint({ 'retry-after-ms': text === '86401' ? '86400001' : text })).toBeNull();
  });

  it('is none without headers', () => {
    expect(hint({})).toBeNull();
    // Azure's and rate limit headers are no hints of SPEC 8.4.
    expect(hint({ 'x-ratelimit-reset-requests': '19.872s' })).toBeNull();
  });
});

describe('a date in a header', () => {
  it('is read in its three spellings, over leap days and centuries', () => {
    for (const utcMs of [0, UTC_MS, Date.UTC(2000, 1, 29, 23, 59, 59), Date.UTC(2100, 1, 28), Date.UTC(2100, 2, 1), Date.UTC(2024, 11, 31), Date.UTC(1999, 0, 1), Date.UTC(2027, 6, 4)]) {
      expect(httpDateMs(new Date(utcMs).toUTCString())).toBe(utcMs);
    }
    expect(httpDateMs('Sun Nov  6 08:49:37 2094')).toBe(Date.UTC(2094, 10, 6, 8, 49, 37));
    expect(httpDateMs('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(Date.UTC(2094, 10, 6, 8, 49, 37));
    expect(httpDateMs('sun, 6 nov 2094 08:49:37 gmt')).toBe(Date.UTC(2094, 10, 6, 8, 49, 37));
  });

  it('agrees with the platform on every day of four centuries', () => {
    for (let day = 0; day < 146_097; day += 37) expect(httpDateMs(new Date(day * 86_400_000).toUTCString())).toBe(day * 86_400_000);
  });
});

describe('a hint in a body', () => {
  const details = (retryDelay: unknown) => ({ error: { code: 429, message: 'm', details: [{ '@type': 'x' }, null, { retryDelay }] } });
  const message = (text: string) => ({ error: { message: text } });

  it.each([
    [details('3.5s'), 3_500], [details('34.074824224s'), 34_075], [details('900ms'), 900], [details('60s'), 60_000],
    [message('Please try again in 1.2s.'), 1_200], [message('Please try again in 20s. Visit us.'), 20_000], [message('try again in 320ms'), 320], [message('Try Again In 6m0s.'), 360_000], [message('try again in 1h2m3s'), 3_723_000],
    [message('Please retry in 34.07s.'), 34_070], [message('try again in 5 seconds'), 5_000], [message('try again in 1 second.'), 1_000], [message('Please retry after 2 minutes.'), 120_000], [message('try again in 28 s'), 28_000],
    [{ error: { message: 'Please try again in 2s', details: [{ retryDelay: '7s' }] } }, 7_000], [{ error: { message: 'Please try again in 2s', details: [{ retryDelay: '0s' }] } }, 2_000],
    [[details('3.5s')], 3_500], [{ error: 'busy, try again in 4s' }, 4_000], [{ detail: 'try again in 4s' }, 4_000], [{ message: 'try again in 4s' }, 4_000],
    [{ type: 'response.failed', response: { error: { message: 'try again in 4s' } } }, 4_000],
  ] as [unknown, number][])('%j is %i ms', (value, expected) => {
    expect(bodyHintMs(value)).toBe(expected);
  });

  it.each([
    details('0s'), details('-3s'), details('90000s'), details('soon'), details(3), details(''), message('Please try again later.'), message('try again in a moment'), message('try again in 0s'), message('try again in 25h'),
    message('retry in 5 parsecs'), message('in 5s'), {}, null, undefined, 'try again in 5s', [], { error: { message: 7, details: 'x' } }, { error: { resets_in_seconds: 3_600 } },
  ])('is none in %j', (value) => {
    expect(bodyHintMs(value)).toBeNull();
  });

  it('comes after the headers', () => {
    const body = details('9s');
    expect(readFailed('gemini', 503, body, { headers: { 'retry-after': '3' } }).hintMs).toBe(3_000);
    expect(readFailed('gemini', 503, body, { headers: { 'retry-after': '0' } }).hintMs).toBe(9_000);
    expect(readFailed('gemini', 503, body).hintMs).toBe(9_000);
    expect(readFailed('chat', 503, 'try again in 5s').hintMs).toBeNull();
  });

  it('is never earlier than asked', () => {
    for (const [text, expected] of [['19.872s', 19_872], ['0.0001s', 1], ['1.0001ms', 2], ['33.3s', 33_300], ['1m', 60_000], ['', null], ['5', null], ['s', null], ['5x', null], ['1s and more', null]] as const) expect(durationMs(text)).toBe(expected);
  });
});
