import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../shared/format.ts';
import { readFailed } from '../../support/failed-answer.ts';

const openAi = (error: Record<string, unknown>) => ({ error: { message: 'm', param: null, ...error } });
const anthropic = (type: string, message = 'm', errorCode?: string) => ({ type: 'error', error: { type, message, ...(errorCode === undefined ? {} : { details: { error_code: errorCode } }) } });
const gemini = (code: number, status: string, message = 'm', details: unknown[] = []) => ({ error: { code, message, status, details } });

describe.each(FORMAT_NAMES)('a status without a telling body, %s', (format) => {
  // SPEC 4.1, 4.2; wire formats 9, rows 7 and 16 to 21, 29, 30.
  it.each([
    [500, 'transient'], [502, 'transient'], [503, 'transient'], [504, 'transient'], [529, 'transient'],
    [501, 'server'], [505, 'server'], [507, 'server'], [520, 'server'], [521, 'server'], [524, 'server'], [527, 'server'], [530, 'server'], [599, 'server'],
    [401, 'auth'], [403, 'auth'], [402, 'quota'], [404, 'model_missing'], [408, 'timeout'], [429, 'rate_limited'],
    [400, 'request'], [405, 'request'], [409, 'request'], [410, 'request'], [413, 'request'], [415, 'request'], [422, 'request'], [424, 'request'], [499, 'request'],
    [301, 'invalid'], [302, 'invalid'], [307, 'invalid'], [304, 'invalid'],
  ] as const)('%i is %s, with an empty body, HTML or text', (status, expected) => {
    for (const body of ['', '   ', '<html><body>quota exhausted, out of credits</body></html>', 'plain words', '{"broken":', '[]', '{}', 'null']) {
      expect({ body, class: readFailed(format, status, body).class }).toEqual({ body, class: expected });
    }
  });

  it('follows the user\'s list of transient statuses, whatever the status', () => {
    const changes = { transientStatuses: [403, 418, 501] };
    for (const status of [403, 418, 501]) expect(readFailed(format, status, '', changes).class).toBe('transient');
    expect(readFailed(format, 503, '', changes).class).toBe('server');
  });
});

describe('a body that outranks the status', () => {
  // SPEC 4.2
  it.each([
    // Row 8
    ...['insufficient_quota', 'credit_balance_exhausted', 'organization_spend_limit_exceeded', 'project_spend_limit_exceeded', 'organization_usage_limit_exceeded', 'usage_limit_reached', 'usage_not_included', 'billing_hard_limit_reached']
      .flatMap((code) => [['chat', 429, openAi({ type: 'x', code }), 'quota'], ['responses', 503, openAi({ type: code, code: null }), 'quota']] as const),
    // Row 9
    ['anthropic', 402, anthropic('billing_error'), 'quota'], ['anthropic', 403, anthropic('billing_error'), 'quota'],
    ['anthropic', 429, anthropic('rate_limit_error', 'm', 'enforced_spend_limit_reached'), 'quota'], ['anthropic', 429, anthropic('rate_limit_error', 'm', 'contract_spend_limit_reached'), 'quota'],
    ['anthropic', 402, anthropic('x', 'm', 'linked_organization_spend_limit_reached'), 'quota'],
    ['anthropic', 400, anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'), 'quota'],
    // Row 10
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'm', [{ violations: [{ quotaId: 'RequestsPerDayPerProject' }] }]), 'quota'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'm', [{ violations: [{ quotaId: 'DailyTokens' }] }]), 'quota'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'm', [{ reason: 'QUOTA_EXHAUSTED' }]), 'quota'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'm', [{ reason: 'INSUFFICIENT_G1_CREDITS_BALANCE' }]), 'quota'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for metric x, limit: 0, model: y'), 'quota'],
    ['gemini', 402, gemini(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'), 'quota'],
    // Per minute is no used-up quota, and the bare word says nothing.
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [{ violations: [{ quotaId: 'RequestsPerMinutePerProject' }] }]), 'rate_limited'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [{ reason: 'RATE_LIMIT_EXCEEDED' }]), 'rate_limited'],
    ['gemini', 429, gemini(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded, limit: 0.5 per second'), 'rate_limited'],
    ['chat', 429, openAi({ message: 'You exceeded your current quota, please check your plan and billing details.' }), 'rate_limited'],
    // Words of other providers
    ['chat', 403, openAi({ message: 'Insufficient account balance' }), 'quota'], ['chat', 500, openAi({ message: 'insufficient credits' }), 'quota'], ['chat', 400, openAi({ message: 'You are out of credits.' }), 'quota'],
    ['chat', 429, openAi({ message: 'Daily quota for this key has been reached' }), 'quota'], ['chat', 403, openAi({ message: '账户余额不足' }), 'quota'],
    ['chat', 503, 'balance exhausted', 'quota'], ['chat', 503, { message: 'quota exhausted' }, 'quota'],
    // Row 12
    ['gemini', 400, gemini(400, 'INVALID_ARGUMENT', 'm', [{ reason: 'API_KEY_INVALID' }]), 'auth'],
    // Rows 13 and 14: policy as a status is a fault of the request (SPEC 4.3)
    ...['content_filter', 'content_policy_violation', 'invalid_prompt', 'cyber_policy', 'bio_policy', 'image_content_policy_violation'].map((code) => ['chat', 400, openAi({ code }), 'request'] as const),
    ['chat', 403, openAi({ type: 'request_forbidden', code: 'unsupported_country_region_territory' }), 'request'],
    ['gemini', 400, gemini(400, 'FAILED_PRECONDITION', 'User location is not supported'), 'request'],
    ['responses', 400, openAi({ type: 'invalid_request_error', code: 'invalid_encrypted_content' }), 'request'],
    // Row 16: status first
    ['chat', 401, openAi({ type: 'invalid_request_error', code: 'invalid_api_key' }), 'auth'],
    // Rows 17 and 4.1: a model that is missing, said by 404, 400 or 422
    ['anthropic', 404, anthropic('not_found_error'), 'model_missing'], ['chat', 400, openAi({ type: 'invalid_request_error', code: 'model_not_found' }), 'model_missing'],
    ['chat', 422, openAi({ message: 'The model `x` does not exist' }), 'model_missing'], ['chat', 400, openAi({ message: "model 'x' not found, try pulling it first" }), 'model_missing'],
    ['chat', 400, openAi({ message: 'Unknown model: x' }), 'model_missing'], ['chat', 400, openAi({ message: 'The model does not support images' }), 'request'],
    ['chat', 400, openAi({ message: 'This tool was not found in the list' }), 'request'], ['chat', 409, openAi({ message: 'model x not found' }), 'request'],
    // Row 18
    ['chat', 429, openAi({ type: 'rate_limit_error', code: 'slow_down' }), 'rate_limited'], ['chat', 503, openAi({ code: 'slow_down' }), 'transient'],
    // Row 19: a 5xx that names a fault of the request
    ['chat', 500, openAi({ type: 'invalid_request_error', code: null }), 'request'], ['chat', 502, openAi({ type: 'server_error', code: 'context_length_exceeded' }), 'request'],
    ['anthropic', 529, anthropic('invalid_request_error'), 'request'], ['anthropic', 500, anthropic('request_too_large'), 'request'], ['gemini', 503, gemini(503, 'INVALID_ARGUMENT'), 'request'],
    ['responses', 500, openAi({ code: 'content_filter' }), 'request'], ['responses', 503, openAi({ code: 'previous_response_not_found' }), 'request'],
    // Row 20: other words do not
    ['anthropic', 504, anthropic('timeout_error'), 'transient'], ['anthropic', 500, anthropic('rate_limit_error'), 'transient'], ['gemini', 500, gemini(500, 'INTERNAL'), 'transient'],
    // Row 21
    ['chat', 501, openAi({ type: 'server_error' }), 'server'], ['gemini', 501, gemini(501, 'UNIMPLEMENTED'), 'server'],
    ['anthropic', 409, anthropic('conflict_error'), 'request'],
  ] as const)('%s %i %j is %s', (format, status, body, expected) => {
    expect(readFailed(format, status, body).class).toBe(expected);
  });

  it('does not keep a status that the user listed from being transient, unless a 5xx names a fault of the request', () => {
    const changes = { transientStatuses: [400, 429, 500] };
    expect(readFailed('chat', 400, openAi({ type: 'invalid_request_error' }), changes).class).toBe('transient');
    expect(readFailed('chat', 429, openAi({ code: 'rate_limit_exceeded' }), changes).class).toBe('transient');
    expect(readFailed('chat', 500, openAi({ type: 'invalid_request_error' }), changes).class).toBe('request');
    expect(readFailed('chat', 429, openAi({ code: 'insufficient_quota' }), changes).class).toBe('quota');
  });
});

describe('what is told of a failed response', () => {
  it('is code, type and message in the shapes that servers send', () => {
    expect(readFailed('chat', 400, openAi({ type: 't', code: 'c', message: 'words' }))).toMatchObject({ code: 'c', type: 't', message: 'words', status: 400 });
    expect(readFailed('chat', 400, openAi({ type: 't', code: null }))).toMatchObject({ code: 't', type: 't' });
    expect(readFailed('chat', 400, openAi({ code: 4001 }))).toMatchObject({ code: '4001' });
    expect(readFailed('chat', 503, { error: 'model is loading' })).toMatchObject({ code: 'http.503', message: 'model is loading' });
    expect(readFailed('responses', 400, { detail: 'Unsupported parameter' })).toMatchObject({ code: 'http.400', message: 'Unsupported parameter' });
    expect(readFailed('chat', 500, { message: 'top', code: 'x' })).toMatchObject({ code: 'x', message: 'top' });
    expect(readFailed('anthropic', 400, anthropic('t', 'w', 'c'))).toMatchObject({ code: 'c', type: 't', message: 'w' });
    expect(readFailed('gemini', 503, [gemini(503, 'UNAVAILABLE', 'w')])).toMatchObject({ code: 'UNAVAILABLE', type: null, message: 'w' });
    expect(readFailed('gemini', 503, { error: { code: 503, message: 'w' } })).toMatchObject({ code: '503' });
    expect(readFailed('gemini', 503, '<html>oops</html>')).toMatchObject({ code: 'http.503', message: '<html>oops</html>' });
    expect(readFailed('gemini', 503)).toMatchObject({ code: 'http.503', message: 'HTTP 503' });
  });

  // SPEC 4.8
  it('is at most 2 KiB of message, cut between characters', () => {
    const { message } = readFailed('chat', 500, openAi({ message: `a${'世'.repeat(5_000)}` }));
    expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(2_048);
    expect(message).toBe(`a${'世'.repeat(682)}`);
    const faces = readFailed('chat', 500, 'x' + '\u{1F600}'.repeat(2_000)).message;
    expect(faces).toBe(`x${'\u{1F600}'.repeat(511)}`);
  });

  // SPEC 4.2
  it('comes from the first 64 KiB', () => {
    expect(readFailed('chat', 503, `${' '.repeat(65_536)}out of credits`).class).toBe('transient');
    expect(readFailed('chat', 503, `${'x'.repeat(65_500)} out of credits`).class).toBe('quota');
  });
});
