import { describe, expect, it } from 'vitest';
import { formatByName } from '../../../main/gateway/core/formats/index.ts';
import type { OwnError, StreamPosition } from '../../../main/gateway/core/wire-format.ts';
import { FORMAT_NAMES, type FormatName } from '../../../shared/format.ts';

const ownError = (changes: Partial<OwnError> = {}): OwnError => ({ status: 503, code: 'connect.refused', type: null, message: '[Holdfast] a: connection refused', requestId: '0190-1', ...changes });
const START: StreamPosition = { events: 0, sequence: null, responseId: null, model: null };
const CREATED_SECS = 1_900_000_000;
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const body = (format: FormatName, error: OwnError) => JSON.parse(textOf(formatByName(format).writeError(error, null))) as { error: Record<string, unknown> };
const eventText = (format: FormatName, error: OwnError, at: StreamPosition = START, framing: 'sse' | 'json_array' = 'sse') => textOf(formatByName(format).writeErrorEvent(error, framing, at, CREATED_SECS));

// SPEC 10.4; wire formats 12
describe('an error before the head is out', () => {
  it('has the shape of its format', () => {
    expect(body('chat', ownError())).toEqual({ error: { message: '[Holdfast] a: connection refused', type: 'server_error', param: null, code: 'connect.refused' } });
    expect(body('responses', ownError())).toEqual(body('chat', ownError()));
    expect(body('anthropic', ownError())).toEqual({ type: 'error', error: { type: 'overloaded_error', message: '[Holdfast] a: connection refused', details: { error_code: 'connect.refused' } }, request_id: '0190-1' });
    expect(body('anthropic', ownError({ status: 429, code: 'rate_limit_error' }))).toEqual({ type: 'error', error: { type: 'rate_limit_error', message: '[Holdfast] a: connection refused' }, request_id: '0190-1' });
    expect(body('gemini', ownError())).toEqual({ error: { code: 503, message: '[Holdfast] a: connection refused', status: 'UNAVAILABLE' } });
    expect(textOf(formatByName('gemini').writeError(ownError(), 'json_array'))).toBe(`[${JSON.stringify(body('gemini', ownError()))}]`);
    expect(textOf(formatByName('gemini').writeError(ownError(), 'sse'))).toBe(JSON.stringify(body('gemini', ownError())));
  });

  it.each([
    [400, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'], [401, 'authentication_error', 'authentication_error', 'UNAUTHENTICATED'], [402, 'insufficient_quota', 'billing_error', 'RESOURCE_EXHAUSTED'],
    [403, 'permission_error', 'permission_error', 'PERMISSION_DENIED'], [404, 'not_found', 'not_found_error', 'NOT_FOUND'], [405, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
    [409, 'invalid_request_error', 'conflict_error', 'ABORTED'], [413, 'invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'], [415, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'],
    [426, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'], [429, 'rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED'], [499, 'invalid_request_error', 'invalid_request_error', 'CANCELLED'],
    [500, 'server_error', 'api_error', 'INTERNAL'], [502, 'server_error', 'api_error', 'INTERNAL'], [503, 'server_error', 'overloaded_error', 'UNAVAILABLE'], [504, 'server_error', 'timeout_error', 'DEADLINE_EXCEEDED'],
    [529, 'server_error', 'overloaded_error', 'UNAVAILABLE'],
  ])('of status %i is named by it', (status, openAi, anthropic, gemini) => {
    expect(body('chat', ownError({ status })).error['type']).toBe(openAi);
    expect(body('responses', ownError({ status })).error['type']).toBe(openAi);
    expect(body('anthropic', ownError({ status })).error['type']).toBe(anthropic);
    expect(body('gemini', ownError({ status })).error).toMatchObject({ code: status, status: gemini });
  });

  it('keeps the type and code of an upstream', () => {
    expect(body('chat', ownError({ type: 'tokens', code: 'rate_limit_exceeded', status: 429 })).error).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' });
    expect(body('anthropic', ownError({ type: 'rate_limit_error', code: 'enforced_spend_limit_reached', status: 503 })).error).toMatchObject({ type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } });
    expect(body('gemini', ownError({ code: 'FAILED_PRECONDITION', status: 400 })).error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION' });
    // SDKs throw only on a number of 400 to 599.
    expect(body('gemini', ownError({ code: 'x', status: 302 })).error).toMatchObject({ code: 500, status: 'INTERNAL' });
  });
});

describe('an error after the head', () => {
  it('is an event of its format, framing included', () => {
    expect(eventText('chat', ownError())).toBe('data: {"error":{"message":"[Holdfast] a: connection refused","type":"server_error","param":null,"code":"connect.refused"}}\n\n');
    expect(eventText('anthropic', ownError({ code: 'overloaded_error' }))).toBe('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"[Holdfast] a: connection refused"}}\n\n');
    expect(eventText('gemini', ownError())).toBe('data: {"error":{"code":503,"message":"[Holdfast] a: connection refused","status":"UNAVAILABLE"}}\r\n\r\n');
  });

  it('is a full response.failed for Responses, going on from what was sent', () => {
    const event = (at: StreamPosition) => {
      const [name, data] = eventText('responses', ownError(), at).split('\n');
      return { name, ...(JSON.parse(data!.slice('data: '.length)) as Record<string, unknown>) };
    };
    expect(event({ events: 9, sequence: 8, responseId: 'resp_up', model: 'm-up' })).toEqual({
      name: 'event: response.failed', type: 'response.failed', sequence_number: 9,
      response: {
        id: 'resp_up', object: 'response', created_at: CREATED_SECS, status: 'failed', error: { code: 'connect.refused', message: '[Holdfast] a: connection refused' },
        incomplete_details: null, model: 'm-up', output: [], usage: null,
      },
    });
    expect(event(START)).toMatchObject({ sequence_number: 0, response: { id: 'resp_0190-1', model: '' } });
  });

  it('closes a JSON array, opening it when nothing was sent', () => {
    expect(eventText('gemini', ownError(), START, 'json_array')).toBe('[{"error":{"code":503,"message":"[Holdfast] a: connection refused","status":"UNAVAILABLE"}}]');
    expect(eventText('gemini', ownError(), { ...START, events: 2 }, 'json_array')).toBe(',{"error":{"code":503,"message":"[Holdfast] a: connection refused","status":"UNAVAILABLE"}}]');
  });
});

describe.each(FORMAT_NAMES)('whatever a message holds, %s', (format) => {
  it.each(['line\nbreak\r\n\r\ndata: {"x":1}', '"quotes" \\ and \u0000', '世界 \u{1F600}', '\uD800 lone', '\u2028'])('stays one event that its own reader reads as an error: %j', (message) => {
    const events = formatByName(format).reader('sse').push(formatByName(format).writeErrorEvent(ownError({ message }), 'sse', START, CREATED_SECS));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ label: 'error', terminal: true, error: { message: message } });
    const failed = formatByName(format).readFailure({ status: 503, headers: {}, body: formatByName(format).writeError(ownError({ message }), null), transientStatuses: [], utcMs: 0 });
    expect(failed.message).toBe(message);
  });
});
