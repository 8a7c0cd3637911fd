import type { KeptContents } from '../../../shared/contents.ts';
import type { ExchangeEvent, InFlight } from '../../../shared/events.ts';
import { FIGURE_CUTS, type FigureCounts, type Figures, type FigureSpan } from '../../../shared/figures.ts';
import type { ExchangeRow } from '../../../shared/log.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { DryRun } from '../../../shared/dry-run.ts';
import type { UpstreamHealth } from '../../../shared/health.ts';
import type { Route } from '../../../shared/route.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { globMatches } from '../../../main/gateway/core/routing/match.ts';
import { retryPolicySchema } from '../../../shared/policy.ts';
import { TEST_STEPS, type UpstreamTest } from '../../../shared/upstream-test.ts';
import { createFakeBridge, DEMO, fakeWorld, noFigures, type FakeBridge, type FakeWorld } from './fake-bridge.ts';
import { answered, attempt, exchange, retriedRow, running } from './rows.ts';

// Runs in the page before it: puts a fake bridge over one of a few worlds into the window, chosen by the address
// (`?scene=full&lang=zh&theme=dark`; `settings` takes more of them as JSON).
const now = Date.now();
const id = (n: number) => `019a7c41-5d2e-7000-8000-${String(1e12 - n).slice(-12)}`;

const CLIENTS = [
  { client: 'Claude Code', model: 'claude-opus-5.5', upstream: 'Anthropic', format: 'anthropic', path: '/v1/messages' },
  { client: 'Codex', model: 'gpt-5.5', upstream: 'OpenAI', format: 'responses', path: '/v1/responses' },
  { client: 'Gemini CLI', model: 'gemini-3.5-pro', upstream: 'Google Gemini', format: 'gemini', path: '/v1beta/models/gemini-3.5-pro:streamGenerateContent' },
  { client: 'opencode', model: 'deepseek-v4', upstream: 'DeepSeek', format: 'chat', path: '/v1/chat/completions' },
] as const;

function pastRow(n: number): ExchangeRow {
  const who = CLIENTS[(n * 7 + (n >> 2)) % 4] ?? CLIENTS[0];
  const base = {
    id: id(n), started_at: now - 40_000 - n * 47_000, client: who.client, model_asked: who.model, model_served: who.model, upstream: who.upstream, format: who.format, path: who.path,
    session_id: '96f0658e-3b1c-4a7e-9d55-0c1f2a7704d1', input_tokens: 4_000 + (n * 7_919) % 60_000, output_tokens: 80 + (n * 331) % 2_400, cache_read_tokens: n % 3 === 0 ? 3_100 : null, cost_micros: n % 4 === 3 ? null : 21_000 + (n * 7_919) % 300_000,
  };
  const at = (part: object) => ({ upstream: who.upstream, model: who.model, ...part });
  const of = (row: ExchangeRow): ExchangeRow => ({ ...row, detail: { ...row.detail, attempts: row.detail.attempts.map((one) => ({ ...one, ...at({}) })) } });
  if (n === 1) {
    return {
      ...retriedRow([1_900, 4_300, 8_000], { outcome: 'answered', duration_ms: 6_700, first_content_ms: 900 }, base),
      detail: { retries: 3, attempts: [
        attempt(at({ n: 1, status: 529, duration_ms: 400 })), attempt(at({ n: 2, round: 1, started_ms: 2_300, pause_ms: 1_900, pause_reason: 'backoff', duration_ms: 300 })),
        attempt(at({ n: 3, round: 2, started_ms: 6_900, pause_ms: 4_300, pause_reason: 'backoff', duration_ms: 1_100, where: 'opening', status: 529 })),
        answered(at({ n: 4, round: 3, started_ms: 16_000, pause_ms: 8_000, pause_reason: 'retry_after', duration_ms: 5_700, first_content_ms: 900 })),
      ] }, duration_ms: 21_700, first_content_ms: 16_900, pause_ms: 14_200,
    };
  }
  if (n % 11 === 4) {
    return of(retriedRow([2_100, 3_900, 8_300, 15_200, 16_800, 17_300, 14_100, 16_000, 15_500], { duration_ms: 900 }, {
      ...base, outcome: 'failed', status: 503, give_up: 'deadline', error_code: 'UNAVAILABLE', error_message: '[Holdfast] Google Gemini: The model is overloaded. Please try again later. (Google Gemini 503 x10)', first_content_ms: null, input_tokens: null, output_tokens: null }));
  }
  if (n % 13 === 6) return of(retriedRow([2_000, 4_100], { outcome: 'cancelled', status: null, class: 'cancelled', code: null, duration_ms: 700 }, { ...base, outcome: 'cancelled', status: 499, give_up: 'cancelled', first_content_ms: null, input_tokens: null, output_tokens: null, detail: { attempts: [], left_during: 'pause' } }));
  if (n % 17 === 9) return exchange({ ...base, outcome: 'refused', status: 404, error_code: 'model_not_found', error_message: '[Holdfast] No upstream takes the model gpt-6. Near: gpt-5.5.', upstream: null, attempts: 0, first_content_ms: null, duration_ms: 2, input_tokens: null, output_tokens: null, model_asked: 'gpt-6', model_served: null, detail: { attempts: [] } });
  if (n % 19 === 12) return exchange({ ...base, outcome: 'truncated', status: 200, detail: { attempts: [answered(at({ outcome: 'truncated', class: 'transient', code: 'stream_broke', where: 'after_content' }))] }, error_code: 'stream_broke', error_message: 'The connection was reset.' });
  if (n % 5 === 2) return of(retriedRow(n % 2 === 0 ? [2_050] : [1_980, 4_200], { outcome: 'answered', duration_ms: 2_200 + (n * 911) % 6_000 }, { ...base, first_content_ms: 2_900 + (n * 71) % 5_000 }));
  if (n % 23 === 3) return exchange({ ...base, failovers: 1, attempts: 2, upstream: 'OpenRouter', detail: { attempts: [attempt(at({ duration_ms: 300 })), answered({ n: 2, upstream: 'OpenRouter', model: who.model, started_ms: 300 })] } });
  const took = 1_200 + (n * 2_713) % 24_000;
  return exchange({ ...base, duration_ms: took, first_content_ms: 500 + (n * 173) % 1_900, detail: { attempts: [answered(at({ duration_ms: took, first_content_ms: 500 + (n * 173) % 1_900 }))] } });
}

function flying(): readonly InFlight[] {
  const paused = running({ id: id(-1), started_at: now - 14_200, client: 'Claude Code', model_asked: 'claude-opus-5.5', upstream: 'Anthropic', retries: 2, attempts: 3, pause_ms: 6_100,
    detail: { attempts: [attempt({ upstream: 'Anthropic', status: 529 }), attempt({ n: 2, round: 1, upstream: 'Anthropic', started_ms: 2_400, pause_ms: 2_000, pause_reason: 'backoff' }), attempt({ n: 3, round: 2, upstream: 'Anthropic', started_ms: 6_900, pause_ms: 4_100, pause_reason: 'backoff' })] } });
  const answering = running({ id: id(-2), started_at: now - 3_200, client: 'Codex', model_asked: 'gpt-5.5', upstream: 'OpenAI', attempts: 1, format: 'responses', first_content_ms: 900 });
  return [
    { row: paused, state: 'pausing', upstream: 'Anthropic', retries: 2, pause: { kind: 'pausing', id: paused.id, upstreams: ['Anthropic'], retry: 3, started: now - 6_800, retry_at: now + 7_400, until: now + 105_800, reason: 'backoff' } },
    { row: answering, state: 'answering', upstream: 'OpenAI', retries: 0, pause: null },
  ];
}

/** Figures of somebody who works by day: the later the hour, the calmer, with one bad morning. */
function pastFigures(span: FigureSpan): Figures {
  const { buckets: count, bucketMs } = FIGURE_CUTS[span];
  const to = Math.ceil(now / bucketMs) * bucketMs;
  const buckets = Array.from({ length: count }, (_, n) => {
    const from = to - (count - n) * bucketMs;
    const busy = Math.max(0, Math.sin((n + 3) / count * Math.PI * (span === '7d' ? 14 : 2.2)));
    const all = Math.round(busy * (14 + (n * 37) % 23) * Math.max(1, bucketMs / 900_000));
    const part = (share: number) => Math.round(all * share);
    const bad = n % 19 === 11 ? 0.3 : 0.04;
    const rest = { rescuedByRetry: part(bad), rescuedByFailover: n % 7 === 3 ? part(0.05) : 0, failed: n % 9 === 5 ? part(0.06) : 0, cancelled: n % 5 === 2 ? part(0.05) : 0, refused: n % 23 === 9 ? 2 : 0 };
    const requests = all + rest.refused;
    const counts: FigureCounts = {
      requests, ...rest, firstTry: requests - Object.values(rest).reduce((sum, one) => sum + one, 0), pauseMs: rest.rescuedByRetry * 9_300, inputTokens: all * 31_000, outputTokens: all * 900,
      cacheReadTokens: all * 24_000, cacheWriteTokens: all * 2_100, untold: n % 11 === 1 ? 1 : 0, unpriced: n % 4 === 0 ? part(0.1) : 0, costMicros: all * 41_000,
    };
    return { from, to: from + bucketMs, ...counts };
  });
  const keys = Object.keys(noFigures(span).totals) as (keyof FigureCounts)[];
  const totals = Object.fromEntries(keys.map((key) => [key, buckets.reduce((sum, bucket) => sum + bucket[key], 0)])) as unknown as FigureCounts;
  return { span, from: to - count * bucketMs, to, totals, buckets, rejectedKeys: totals.refused + 3 };
}

const UPSTREAMS: readonly Upstream[] = [
  { ...DEMO, id: 'anthropic', name: 'Anthropic', preset: 'anthropic', baseUrl: 'https://api.anthropic.com', formats: ['anthropic'], credential: { kind: 'stored', hint: 'sk-...7xQA' }, models: [] },
  { ...DEMO, id: 'openai', name: 'OpenAI', preset: 'openai', baseUrl: 'https://api.openai.com', formats: ['responses', 'chat'], credential: { kind: 'stored', hint: 'sk-...0fTw' }, models: [] },
  { ...DEMO, id: 'gemini', name: 'Google Gemini', preset: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com', formats: ['gemini'], credential: { kind: 'env', name: 'GEMINI_API_KEY' }, models: [] },
  { ...DEMO, id: 'deepseek', name: 'DeepSeek', preset: 'deepseek', baseUrl: 'https://api.deepseek.com', formats: ['chat'], credential: { kind: 'stored', hint: 'sk-...99aa' }, models: [], enabled: false },
];

const DEFAULT_POLICY = retryPolicySchema.parse({});
const took = { dns: 4.2, tcp: 18.4, proxy: null, tls: 31.7, auth: 212, models: 3.1 } as const;
const GOOD_TEST: UpstreamTest = { ok: true, via: null, models: ['claude-opus-5.5', 'claude-sonnet-5', 'claude-haiku-5'], steps: TEST_STEPS.map((step) => ({ step, state: step === 'proxy' ? 'skipped' : 'passed', tookMs: took[step], reason: step === 'proxy' ? 'not_needed' : null, detail: null, status: null })) };
const BAD_TEST: UpstreamTest = { ...GOOD_TEST, ok: false, models: null, steps: GOOD_TEST.steps.map((one) => (one.step === 'auth' ? { ...one, state: 'failed', reason: 'key_rejected', status: 401, detail: '401 invalid x-api-key' } : one.step === 'models' ? { ...one, state: 'skipped', tookMs: null, reason: 'not_reached' } : one)) };

const figures = { attempts: 0, successShare: null, retriedShare: null, firstContentMs: null, inFlight: 0, lastError: null };
const model = (name: string, part: Partial<UpstreamHealth['models'][number]> = {}): UpstreamHealth['models'][number] => ({ ...figures, model: name, phase: 'closed', openUntil: null, restUntil: null, restReason: null, failuresInRow: 0, ...part });
const HEALTH: readonly UpstreamHealth[] = [
  { ...figures, upstreamId: 'anthropic', phase: 'closed', resting: false, attempts: 214, successShare: 0.93, retriedShare: 0.12, firstContentMs: 1_120, inFlight: 1, models: [model('claude-opus-5.5'), model('claude-haiku-5')],
    lastError: { at: now - 7_000, model: 'claude-opus-5.5', class: 'transient', code: 'overloaded_error', status: 529, message: 'Overloaded' } },
  { ...figures, upstreamId: 'openai', phase: 'closed', resting: false, attempts: 88, successShare: 1, retriedShare: 0, firstContentMs: 810, inFlight: 1, models: [model('gpt-5.5')] },
  { ...figures, upstreamId: 'gemini', phase: 'open', resting: true, attempts: 31, successShare: 0.61, retriedShare: 0.35, firstContentMs: 2_300,
    models: [model('gemini-3.5-pro', { phase: 'open', openUntil: now + 41_000, failuresInRow: 4 }), model('gemini-3.5-flash', { restUntil: now + 95_000, restReason: 'rate_limited' })],
    lastError: { at: now - 19_000, model: 'gemini-3.5-pro', class: 'transient', code: 'UNAVAILABLE', status: 503, message: 'The model is overloaded. Please try again later.' } },
];

const ROUTES: readonly Route[] = [
  { id: 'opus', pattern: 'claude-opus-*', strategy: 'priority', candidates: [{ upstream: 'anthropic', model: null }, { upstream: 'openai', model: 'gpt-5.5' }, { upstream: 'gemini', model: 'gemini-3.5-pro' }], policy: { preset: 'patient', retry_wait_secs: 300 } },
  { id: 'fast', pattern: '*-haiku-*', strategy: 'weighted', candidates: [{ upstream: 'anthropic', model: null, weight: 3 }, { upstream: 'deepseek', model: 'deepseek-v4-fast', weight: 1 }], policy: { preset: 'off' } },
  { id: 'newest', pattern: 'claude-opus-5.5', strategy: 'least_latency', candidates: [{ upstream: 'anthropic', model: null }], policy: null },
];

const DRY_RUN: DryRun = {
  route: { id: 'opus', pattern: 'claude-opus-*', strategy: 'priority' },
  candidates: [
    { upstreamId: 'anthropic', name: 'Anthropic', model: 'claude-opus-5.5', place: 'candidate', resting: false },
    { upstreamId: 'gemini', name: 'Google Gemini', model: 'gemini-3.5-pro', place: 'format', resting: false },
    { upstreamId: 'openai', name: 'OpenAI', model: 'gpt-5.5', place: 'format', resting: false },
    { upstreamId: 'deepseek', name: 'DeepSeek', model: 'claude-opus-5.5', place: 'disabled', resting: false },
  ],
  steps: [
    { kind: 'attempt', atMs: 0, n: 1, round: 0, upstream: 'Anthropic', model: 'claude-opus-5.5', bypass: false },
    { kind: 'failed', atMs: 250, n: 1, upstream: 'Anthropic', class: 'transient', code: 'overloaded_error', status: 503, where: 'head', then: 'retry' },
    { kind: 'pause', atMs: 250, endsMs: 2_250, reason: 'backoff', retry: 1, upstreams: ['Anthropic'] },
    { kind: 'attempt', atMs: 2_250, n: 2, round: 1, upstream: 'Anthropic', model: 'claude-opus-5.5', bypass: false },
    { kind: 'failed', atMs: 2_500, n: 2, upstream: 'Anthropic', class: 'transient', code: 'overloaded_error', status: 503, where: 'head', then: 'retry' },
    { kind: 'pause', atMs: 2_500, endsMs: 6_500, reason: 'backoff', retry: 2, upstreams: ['Anthropic'] },
    { kind: 'attempt', atMs: 6_500, n: 3, round: 2, upstream: 'Anthropic', model: 'claude-opus-5.5', bypass: false },
    { kind: 'released', atMs: 7_500, upstream: 'Anthropic' },
    { kind: 'end', atMs: 8_500, outcome: 'success', status: 200, giveUp: null, code: null, message: null },
  ],
  attempts: [
    attempt({ upstream: 'Anthropic', duration_ms: 250 }), attempt({ n: 2, round: 1, upstream: 'Anthropic', started_ms: 2_250, duration_ms: 250, pause_ms: 2_000, pause_reason: 'backoff' }),
    answered({ n: 3, round: 2, upstream: 'Anthropic', started_ms: 6_500, duration_ms: 2_000, first_content_ms: 1_000, pause_ms: 4_000, pause_reason: 'backoff' }),
  ],
  policy: { ...DEFAULT_POLICY, enabled: true, deadlineMs: 120_000 }, pauseMs: 6_000, durationMs: 8_500,
};

const CONTENTS: KeptContents = {
  method: 'POST',
  requestHeaders: [['content-type', 'application/json'], ['x-api-key', '[masked]'], ['anthropic-version', '2023-06-01'], ['anthropic-beta', 'claude-code-20250219,interleaved-thinking-2025-05-14,context-1m-2025-08-07'], ['user-agent', 'claude-cli/2.1.328 (external, cli)']],
  answerHeaders: [['content-type', 'text/event-stream; charset=utf-8'], ['x-holdfast-upstream', 'Anthropic'], ['x-holdfast-retries', '3']],
  request: { bytes: 402_113, cut: true, text: JSON.stringify({ model: 'claude-opus-5.5', max_tokens: 32_000, stream: true, system: [{ type: 'text', text: 'You are Claude Code. '.repeat(40) }], messages: [{ role: 'user', content: '把这个函数改得更快一些' }] }).slice(0, 1_050) },
  answer: { bytes: 2_184, cut: false, text: `event: message_start\ndata: {"type":"message_start","message":{"id":"msg_01","role":"assistant"}}\n\n${['Here is ', 'the faster ', 'function.'].map((text) => `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}\n\n`).join('')}event: message_stop\ndata: {"type":"message_stop"}\n\n` },
};

/** One that was sent again for hours; of its attempts the first and last hundred are kept. */
function tiredRow(): ExchangeRow {
  const numbers = [...Array.from({ length: 100 }, (_, n) => n + 1), ...Array.from({ length: 100 }, (_, n) => n + 1_901)];
  const attempts = numbers.map((n) => attempt({ n, round: n - 1, upstream: 'Anthropic', status: n % 3 === 0 ? 503 : 529, started_ms: (n - 1) * 900, pause_ms: n === 1 ? null : 500, pause_reason: n === 1 ? null : 'backoff' }));
  return exchange({ id: id(-5), started_at: now - 1_000, outcome: 'failed', status: 529, give_up: 'user', retries: 1_999, attempts: 2_000, pause_ms: 999_500, queued_ms: 3_200, duration_ms: 1_800_000, first_content_ms: null, upstream: 'Anthropic', error_code: 'overloaded_error', error_message: 'Overloaded', input_tokens: null, output_tokens: null, detail: { retries: 1_999, attempts } });
}

const SCENES: Record<string, () => Partial<FakeWorld>> = {
  first: () => ({}),
  full: () => ({ steps: { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true }, upstreams: UPSTREAMS, routes: ROUTES, health: HEALTH, figures: pastFigures, inFlight: flying(), contents: { [id(1)]: CONTENTS }, rows: [...flying().map((one) => one.row), ...Array.from({ length: 2_000 }, (_, n) => pastRow(n))] }),
  quiet: () => ({ steps: { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true }, upstreams: UPSTREAMS }),
  tired: () => ({ steps: { upstreamAdded: true, copied: true, requestAnswered: true, dismissed: true }, upstreams: UPSTREAMS, rows: [tiredRow(), ...Array.from({ length: 40 }, (_, n) => pastRow(n))], logStatus: { rowsLost: 12, refusedNotWritten: 1_204, bodiesLost: 0, waiting: true, sizeBytes: 98_304 } }),
  taken: () => ({ upstreams: UPSTREAMS, steps: { upstreamAdded: true, copied: false, requestAnswered: false, dismissed: false }, gateway: { status: 'failed', problem: { kind: 'port_in_use', port: 4653, owner: 'node (4120)', freePort: 4654 } } }),
};

function demoEvents(): readonly (readonly [number, ExchangeEvent])[] {
  const start = Date.now();
  const demo = { id: id(-9), model_asked: 'demo/flaky', client: 'Holdfast', started_at: start };
  const failed = (n: number, round: number, at: number, pause: number | null) => attempt({ n, round, upstream: 'Demo', model: 'demo/flaky', started_ms: at, duration_ms: 20, pause_ms: pause, pause_reason: pause === null ? null : 'backoff' });
  const pausing = (retry: number, from: number, ms: number): ExchangeEvent => ({ kind: 'pausing', id: demo.id, upstreams: ['Demo'], retry, started: start + from, retry_at: start + from + ms, until: start + 120_000, reason: 'backoff' });
  const starts = (n: number, round: number, at: number): ExchangeEvent => ({ kind: 'attempt_started', id: demo.id, at: start + at, n, round, upstream: 'Demo', model: 'demo/flaky' });
  const fails = (n: number, at: number): ExchangeEvent => ({ kind: 'attempt_failed', id: demo.id, at: start + at, n, upstream: 'Demo', class: 'transient', code: 'overloaded_error', status: 503 });
  return [
    [0, { kind: 'started', id: demo.id, row: running(demo) }], [5, starts(1, 0, 5)], [25, fails(1, 25)], [26, pausing(1, 26, 2_000)], [2_026, { kind: 'pause_ended', id: demo.id, why: 'time' }], [2_030, starts(2, 1, 2_030)], [2_050, fails(2, 2_050)],
    [2_051, pausing(2, 2_051, 3_900)], [5_951, { kind: 'pause_ended', id: demo.id, why: 'time' }], [5_955, starts(3, 2, 5_955)], [6_100, { kind: 'released', id: demo.id, at: start + 6_100, upstream: 'Demo' }],
    [6_300, { kind: 'finished', id: demo.id, row: exchange({ ...demo, upstream: 'Demo', retries: 2, attempts: 3, pause_ms: 5_900, duration_ms: 6_300, detail: { retries: 2, attempts: [failed(1, 0, 5, null), failed(2, 1, 2_030, 2_000), answered({ n: 3, round: 2, upstream: 'Demo', started_ms: 5_955, pause_ms: 3_900, pause_reason: 'backoff', duration_ms: 345 })] } }) }],
  ];
}

function start(): FakeBridge {
  const chosen = new URLSearchParams(location.search);
  const world = fakeWorld(SCENES[chosen.get('scene') ?? 'full']?.() ?? {});
  const language = chosen.get('lang') === 'zh' ? 'zh' : 'en';
  const theme = chosen.get('theme') === 'dark' ? 'dark' : 'light';
  world.settings = { ...world.settings, 'app.language': language, 'app.theme': theme, 'gateway.retry_wait_secs': Number(chosen.get('wait') ?? 120), ...(JSON.parse(chosen.get('settings') ?? '{}') as Partial<Settings>) };
  const fake = createFakeBridge(world);
  fake.answer('routes.dry_run', async () => DRY_RUN);
  fake.answer('routes.preview', async ({ pattern, id: edited }) => [...CLIENTS.map(({ model: name }) => name), 'claude-haiku-5', 'gemini-3.5-flash', 'gpt-5.5-mini'].map((name) => ({ model: name, matches: globMatches(pattern, name), takenBy: globMatches(pattern, name) && name.includes('haiku') && edited !== 'fast' ? 'fast' : null })));
  fake.answer('upstreams.test', async () => chosen.get('test') === 'bad' ? BAD_TEST : GOOD_TEST);
  fake.answer('demo.send', async () => {
    for (const [after, event] of demoEvents()) setTimeout(() => fake.emit('exchanges.events', [event]), after);
    return { kind: 'sent' };
  });
  return fake;
}

const fake = start();
Object.assign(window, { holdfast: fake.bridge, fake });
