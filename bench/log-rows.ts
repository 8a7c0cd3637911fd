import type { Outcome } from '../shared/failure.ts';
import type { AttemptRow, ExchangeRow } from '../shared/log.ts';

/** Values that stand in few of the made rows, for measuring what is hard to find. */
export const RARE = {
  model: 'rare-model-1', upstream: 'Rarely used', client: 'rare-client/0.1', key: 'rare key', errorCode: 'rare_error', session: 'rare-session', word: 'flibbertigibbet', oneCharacter: '鬱', twoCharacters: '稀有',
} as const;
/** Every so many rows one is rare. */
export const RARE_EVERY = 50_000;
/** Values that stand in many of them. */
export const COMMON = { model: 'claude-opus-5-5', upstream: 'Anthropic', client: 'claude-code/2.1.328', key: 'default', errorCode: 'overloaded_error', word: 'overloaded', twoCharacters: '过载' } as const;

const MODELS = [COMMON.model, COMMON.model, 'claude-sonnet-5', 'gpt-6', 'gpt-6-codex', 'gemini-3.5-pro', 'deepseek-chat', 'qwen4-coder'];
const UPSTREAMS = [COMMON.upstream, COMMON.upstream, 'OpenAI', 'Google', 'OpenRouter', '公司代理'];
const CLIENTS = [COMMON.client, COMMON.client, 'codex_cli_rs/0.169.0', 'gemini-cli/0.61.0', 'opencode/1.4.2', 'openai-node/6.49.0'];
const KEYS = [COMMON.key, COMMON.key, 'laptop', 'ci', '笔记本'];
const FAULTS: readonly (readonly [code: string, status: number, message: string])[] = [
  [COMMON.errorCode, 529, 'Overloaded: the model is receiving too many requests right now, please send this one again in a moment'],
  ['rate_limit_error', 429, 'This request would exceed the rate limit for your organization of 80,000 input tokens per minute'],
  ['server_error', 500, 'The server had an error while processing your request. Sorry about that! You can retry your request.'],
  ['UNAVAILABLE', 503, '模型当前过载，请稍后再试（请求编号 7f3a）'],
  ['connect.refused', 502, '[Holdfast] the upstream refused the connection (connect ECONNREFUSED 127.0.0.1:11434)'],
  ['invalid_request_error', 400, 'messages.12.content.0.tool_use.id: unexpected `tool_use_id` found in `tool_result` blocks'],
];
const SECS_BETWEEN = 2.5;

/** The n-th row of a log that is the same every time: about 1 KB, newer with n. `bornMs` is the time of row 0, ms since 1970. */
export function logRow(n: number, bornMs: number): ExchangeRow {
  const draw = drawsOf(n);
  const rare = n % RARE_EVERY === RARE_EVERY - 1;
  const startedAt = bornMs + Math.floor(n * SECS_BETWEEN * 1_000 + draw() * 1_000);
  const model = rare ? RARE.model : pick(MODELS, draw());
  const upstream = rare ? RARE.upstream : pick(UPSTREAMS, draw());
  const retries = draw() < 0.12 ? 1 + Math.floor(draw() * 5) : 0;
  const failovers = draw() < 0.3 ? 1 : 0;
  const outcome = outcomeOf(draw());
  const fault = rare ? ([RARE.errorCode, 500, `the ${RARE.word} fault, ${RARE.oneCharacter}，${RARE.twoCharacters}的错误`] as const) : pick(FAULTS, draw());
  const failed = rare || outcome === 'failed' || outcome === 'truncated' || outcome === 'refused';
  const firstMs = 400 + Math.floor(draw() * 3_000);
  const durationMs = firstMs + Math.floor(draw() * 20_000) + retries * 3_000;
  return {
    id: idOf(startedAt, draw), started_at: startedAt, ended_at: startedAt + durationMs, state: 'done', outcome: rare ? 'failed' : outcome, key_name: rare ? RARE.key : pick(KEYS, draw()),
    client: rare ? RARE.client : pick(CLIENTS, draw()), session_id: rare ? RARE.session : sessionOf(Math.floor(n / 240) * 8 + Math.floor(draw() * 8)), format: 'anthropic', path: '/v1/messages?beta=true',
    model_asked: model, model_served: failed ? null : `${model}-20260514`, route: 'everything-else', upstream: outcome === 'refused' && !rare ? null : upstream, streamed: draw() < 0.9,
    status: outcome === 'cancelled' ? 499 : failed ? fault[1] : 200, error_code: failed ? fault[0] : null, error_message: failed ? fault[2] : null,
    retries, attempts: retries + failovers + 1, failovers, give_up: failed ? 'deadline' : null, pause_ms: retries * 2_000, queued_ms: 0, first_content_ms: failed ? null : firstMs, duration_ms: durationMs,
    request_bytes: 49_000 + Math.floor(draw() * 300_000), answer_bytes: Math.floor(draw() * 60_000), input_tokens: failed ? null : Math.floor(draw() * 90_000), output_tokens: failed ? null : Math.floor(draw() * 4_000),
    cache_read_tokens: failed ? null : Math.floor(draw() * 80_000), cache_write_tokens: failed ? null : Math.floor(draw() * 9_000), reasoning_tokens: null, cost_micros: failed ? null : Math.floor(draw() * 400_000), client_retry: 0,
    detail: {
      ...(retries > 0 && { retries }),
      attempts: Array.from({ length: retries + failovers + 1 }, (_, index) => attempt(index + 1, upstream, model, index < retries + failovers || failed ? fault : null, firstMs)),
    },
  };
}

function attempt(n: number, upstream: string, model: string, fault: readonly [string, number, string] | null, firstMs: number): AttemptRow {
  return {
    n, round: n - 1, upstream, model, started_ms: (n - 1) * 3_000, duration_ms: 1_000, outcome: fault === null ? 'answered' : 'failed', status: fault?.[1] ?? 200, class: fault === null ? null : 'transient', code: fault?.[0] ?? null,
    message: fault?.[2] ?? null, where: fault === null ? null : 'opening', hint_ms: null, pause_ms: n > 1 ? 2_000 : null, pause_reason: n > 1 ? 'backoff' : null, queued_ms: 0, first_content_ms: fault === null ? firstMs : null,
    bytes: 20_000, sent_whole: true, resent: false, bypass: false,
  };
}

function outcomeOf(chance: number): Outcome {
  if (chance < 0.88) return 'success';
  if (chance < 0.93) return 'failed';
  if (chance < 0.97) return 'cancelled';
  if (chance < 0.98) return 'truncated';
  return chance < 0.995 ? 'refused' : 'interrupted';
}

function pick<T>(values: readonly T[], chance: number): T {
  return values[Math.floor(chance * values.length)] as T;
}

// The same row has the same draws, whichever rows were made before it.
function drawsOf(n: number): () => number {
  let state = Math.imul(n + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function hexOf(draw: () => number, digits: number): string {
  return Array.from({ length: digits }, () => Math.floor(draw() * 16).toString(16)).join('');
}

function idOf(atMs: number, draw: () => number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hexOf(draw, 3)}-8${hexOf(draw, 3)}-${hexOf(draw, 12)}`;
}

function sessionOf(number: number): string {
  const draw = drawsOf(-1 - number);
  return `${hexOf(draw, 8)}-${hexOf(draw, 4)}-4${hexOf(draw, 3)}-9${hexOf(draw, 3)}-${hexOf(draw, 12)}`;
}
