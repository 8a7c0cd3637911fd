import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import { readEventError } from '../../support/failed-answer.ts';

const openAi = (code: unknown, type: unknown = null, message = 'm') => ({ error: { message, type, param: null, code } });
const failed = (code: string) => ({ type: 'response.failed', response: { status: 'failed', error: { code, message: 'm' } } });
const anthropic = (type: string, message = 'm') => ({ type: 'error', error: { type, message } });
const gemini = (code: unknown, status?: string, details: unknown[] = []) => ({ error: { code, message: 'm', status, details } });

// SPEC 4.3, 4.8; wire formats 9, rows 8 to 31. The last column is the status that stands for the error.
describe('an error inside a stream is classified by its own code, then its type', () => {
  it.each([
    // Row 22
    ...['server_error', 'api_error'].flatMap((code) => [['chat', openAi(code), 'transient', 500], ['chat', openAi(null, code), 'transient', 500], ['responses', failed(code), 'transient', 500]] as const),
    ...['server_is_overloaded', 'slow_down'].flatMap((code) => [['chat', openAi(code), 'transient', 503], ['responses', failed(code), 'transient', 503]] as const),
    ['chat', openAi('overloaded_error'), 'transient', 529], ['anthropic', anthropic('overloaded_error'), 'transient', 529], ['anthropic', anthropic('api_error'), 'transient', 500],
    ['chat', openAi('internal', 'api_error'), 'transient', 500], ['chat', openAi('slow_down', 'rate_limit_error'), 'transient', 503],
    // Row 23, SPEC 4.3
    ['gemini', gemini(503, 'UNAVAILABLE'), 'transient', 503], ['gemini', gemini(undefined, 'UNAVAILABLE'), 'transient', 503], ['gemini', gemini(500, 'INTERNAL'), 'transient', 500],
    ['gemini', gemini(503), 'transient', 503], ['gemini', gemini('503'), 'transient', 503], ['gemini', gemini(500), 'transient', 500], ['gemini', gemini(502), 'transient', 500], ['gemini', gemini(599), 'transient', 502],
    ['gemini', gemini(504, 'DEADLINE_EXCEEDED'), 'transient', 504], ['gemini', gemini(500, 'UNKNOWN'), 'transient', 500], ['gemini', gemini(501), 'server', 502], ['gemini', gemini(505), 'server', 502],
    ['gemini', gemini(501, 'UNIMPLEMENTED'), 'server', 502],
    // Row 25
    ...['invalid_request_error', 'context_length_exceeded', 'previous_response_not_found', 'request_too_large', 'image_too_large', 'invalid_base64_image', 'empty_image_file', 'image_file_not_found']
      .map((code) => ['responses', failed(code), 'request', 502] as const),
    ['anthropic', anthropic('invalid_request_error'), 'request', 502], ['gemini', gemini(400, 'INVALID_ARGUMENT'), 'request', 502], ['gemini', gemini(400), 'request', 502],
    ['chat', openAi('context_length_exceeded', 'server_error'), 'request', 502],
    // SPEC 4.1: these fail over
    ...['invalid_encrypted_content', 'invalid_image', 'invalid_image_format', 'invalid_image_url', 'invalid_image_mode', 'content_filter', 'content_policy_violation', 'invalid_prompt', 'cyber_policy', 'bio_policy', 'image_content_policy_violation']
      .map((code) => ['responses', failed(code), 'policy', 502] as const),
    ['chat', openAi('content_filter', 'invalid_request_error'), 'policy', 502], ['gemini', gemini(400, 'FAILED_PRECONDITION'), 'policy', 502],
    // Row 26
    ['anthropic', anthropic('rate_limit_error'), 'rate_limited', 429], ['chat', openAi('rate_limit_exceeded', 'requests'), 'rate_limited', 429], ['chat', openAi(429), 'rate_limited', 429],
    ['gemini', gemini(429, 'RESOURCE_EXHAUSTED'), 'rate_limited', 429], ['gemini', gemini(429), 'rate_limited', 429],
    // Rows 8 to 10
    ['chat', openAi('insufficient_quota', 'insufficient_quota'), 'quota', 502], ['responses', failed('usage_not_included'), 'quota', 502], ['anthropic', anthropic('billing_error'), 'quota', 502],
    ['anthropic', anthropic('invalid_request_error', 'Your credit balance is too low'), 'quota', 502], ['chat', openAi(402, null, 'Insufficient credits'), 'quota', 502],
    ['chat', openAi('rate_limit_exceeded', null, 'Insufficient credits'), 'quota', 429],
    ['gemini', gemini(429, 'RESOURCE_EXHAUSTED', [{ violations: [{ quotaId: 'GenerateRequestsPerDay' }] }]), 'quota', 429],
    // Rows 27 and 28
    ['anthropic', anthropic('authentication_error'), 'auth', 502], ['anthropic', anthropic('permission_error'), 'auth', 502], ['gemini', gemini(401, 'UNAUTHENTICATED'), 'auth', 502],
    ['gemini', gemini(403, 'PERMISSION_DENIED'), 'auth', 502], ['gemini', gemini(400, 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]), 'auth', 502], ['chat', openAi('invalid_api_key', 'invalid_request_error'), 'auth', 502],
    ['anthropic', anthropic('not_found_error'), 'model_missing', 502], ['chat', openAi('model_not_found', 'invalid_request_error'), 'model_missing', 502], ['gemini', gemini(404, 'NOT_FOUND'), 'model_missing', 502],
    // Row 31: unlisted is server
    ['anthropic', anthropic('timeout_error'), 'server', 504], ['responses', failed('vector_store_timeout'), 'server', 504], ['gemini', gemini(undefined, 'DEADLINE_EXCEEDED'), 'server', 504],
    ['chat', openAi(null), 'server', 502], ['chat', { error: 'bare text' }, 'server', 502], ['chat', openAi(502), 'server', 502], ['chat', openAi('503'), 'server', 502], ['chat', openAi(null, 'service_unavailable_error'), 'server', 502],
    ['responses', { type: 'error', code: null, message: 'm' }, 'server', 502], ['gemini', gemini(409, 'ABORTED'), 'server', 502], ['gemini', gemini(499, 'CANCELLED'), 'server', 502],
    // vLLM's own shape
    ['chat', { object: 'error', message: 'm', type: 'BadRequestError', param: null, code: 400 }, 'server', 502], ['chat', { object: 'error', message: 'm', type: 'invalid_request_error', code: null }, 'request', 502],
    // A transient code stays transient whatever the words say.
    ['chat', openAi('server_error', null, 'insufficient balance of workers: out of credits'), 'transient', 500],
  ] as const)('%s %j is %s', (format, event, expected, status) => {
    expect(readEventError(format, event)).toMatchObject({ class: expected, status });
  });
});

describe('both shapes of a Responses failure', () => {
  // SPEC 4.4
  it.each([
    ['nested', { type: 'error', sequence_number: 2, error: { type: 'service_unavailable_error', code: 'server_is_overloaded', message: 'busy' } }, null],
    ['flat', { type: 'error', code: 'server_is_overloaded', message: 'busy', param: null, sequence_number: 3 }, null],
    ['in the response object', { type: 'response.failed', response: { status: 'failed', error: { code: 'server_is_overloaded', message: 'busy' } } }, null],
    ['named by the event line only', { error: { code: 'server_is_overloaded', message: 'busy' } }, 'error'],
    ['flat and named by the event line only', { code: 'server_is_overloaded', message: 'busy' }, 'error'],
  ])('is read: %s', (_shape, event, name) => {
    expect(readEventError('responses', event, name)).toMatchObject({ class: 'transient', code: 'server_is_overloaded', message: 'busy', status: 503 });
  });

  it('is a failure also without an error object, and in a state we do not know', () => {
    expect(readEventError('responses', { type: 'response.failed', response: { status: 'failed', error: null } })).toMatchObject({ class: 'server', code: 'stream_error' });
    expect(readEventError('responses', { type: 'response.failed' })).toMatchObject({ class: 'server' });
    expect(readEventError('responses', { type: 'response.cancelled', response: { status: 'cancelled' } })).toMatchObject({ class: 'server' });
    expect(readEventError('responses', { type: 'response.completed', response: { status: 'completed', error: null } })).toBeNull();
  });

  it('finds the wait it asks for in either shape', () => {
    const message = 'Rate limit reached. Please try again in 1.2s.';
    for (const event of [{ type: 'error', code: 'rate_limit_exceeded', message }, { type: 'error', error: { code: 'rate_limit_exceeded', message } }, { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message } } }]) {
      expect(readEventError('responses', event)).toMatchObject({ class: 'rate_limited', hintMs: 1_200 });
    }
  });
});

describe('an event that is named an error', () => {
  it.each(['anthropic', 'chat', 'responses', 'gemini'] as const)('is one also when its data is no JSON, %s', (format) => {
    const events = formatByName(format).reader('sse').push(new TextEncoder().encode('event: error\ndata: Internal Server Error\n\n'));
    expect(events).toMatchObject([{ label: 'error', error: { class: 'server', code: 'stream_error', message: 'Internal Server Error' } }]);
  });
});

describe('no error', () => {
  // SPEC 4.4
  it('is an error member that is null, false, zero or empty text', () => {
    for (const error of [null, false, 0, '']) {
      expect(readEventError('chat', { choices: [{ delta: { content: 'a' } }], error })).toBeNull();
      expect(readEventError('gemini', { candidates: [], error })).toBeNull();
      expect(readEventError('anthropic', { type: 'ping', error })).toBeNull();
      expect(readEventError('responses', { type: 'response.created', error })).toBeNull();
    }
  });

  it('is the word error in a text, or the failure of a tool', () => {
    expect(readEventError('chat', { choices: [{ delta: { content: '{"error":{"code":503}}' } }] })).toBeNull();
    expect(readEventError('responses', { type: 'response.mcp_call.failed', item_id: 'x' })).toBeNull();
    expect(readEventError('responses', { type: 'response.output_item.done', item: { type: 'mcp_call', error: 'tool failed' } })).toBeNull();
  });

  // SPEC 5.1
  it('is not what an error beside choices is', () => {
    expect(readEventError('chat', { choices: [{ delta: { content: 'text' } }], error: { code: 'server_error' } })).toMatchObject({ class: 'transient' });
    expect(readEventError('gemini', { candidates: [{ content: { parts: [{ text: 'x' }] } }], error: { code: 503 } })).toMatchObject({ class: 'transient' });
    expect(readEventError('gemini', { response: { error: { code: 503, status: 'UNAVAILABLE', message: 'wrapped' } } })).toMatchObject({ class: 'transient', message: 'wrapped' });
  });
});
