import type { ExchangeRow } from '../../shared/log.ts';

/** A row of the log that has ended well. */
export function rowWith(changes: Partial<ExchangeRow> = {}): ExchangeRow {
  return {
    id: '0193-0001', started_at: 1_795_990_000_000, ended_at: 1_795_990_001_500, state: 'done', outcome: 'success', key_name: 'default',
    client: 'curl', session_id: null, format: 'anthropic', path: '/v1/messages', model_asked: 'm-test', model_served: 'm-test', route: 'r',
    upstream: 'A', streamed: true, status: 200, error_code: null, error_message: null, retries: 0, attempts: 1, failovers: 0, give_up: null,
    pause_ms: 0, queued_ms: 0, first_content_ms: 320.5, duration_ms: 1_500, request_bytes: 120, answer_bytes: 900, input_tokens: 12,
    output_tokens: 34, cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null, cost_micros: null, client_retry: null,
    detail: { attempts: [] }, ...changes,
  };
}
