// What the dry run panel asks, and how it tells the answer (UI.md, Routes; SPEC 9.6).
import { describe, expect, it } from 'vitest';
import { stepWords } from '../../renderer/routes/dry-run/dry-run-result.tsx';
import { answerOf, firstSimulation, requestOf, rowOf, stepOf } from '../../renderer/routes/dry-run/simulation.ts';
import { sentenceOf } from '../../renderer/requests/sentence.ts';
import { SIMULATED_KINDS, type DryRun } from '../../shared/dry-run.ts';
import { retryPolicySchema } from '../../shared/policy.ts';
import { DEMO } from './support/fake-bridge.ts';
import { answered, attempt } from './support/rows.ts';
import { speak } from './support/words.ts';

const a = { ...DEMO, id: 'a', formats: ['chat'] as const };

describe('a simulation', () => {
  it('begins with an overload at the first upstream that is on', () => {
    const request = requestOf(firstSimulation([{ ...a, id: 'off', enabled: false }, a], 'm'));
    expect(request).toEqual({ model: 'm', format: 'chat', streamed: true, health: 'fresh', answers: [{ upstream: 'a', answers: [{ kind: 'status', status: 503 }, { kind: 'status', status: 503 }, { kind: 'answer', after_ms: 1_000 }] }] });
  });

  it('starts each kind of answer with what can be sent', () => {
    for (const kind of SIMULATED_KINDS) expect(answerOf(stepOf(kind), 'gemini')).toMatchObject({ kind });
    expect(answerOf(stepOf('stream_error'), 'gemini')).toEqual({ kind: 'stream_error', code: 'UNAVAILABLE' });
    expect(answerOf({ kind: 'rate_limited', value: '' }, 'chat')).toEqual({ kind: 'rate_limited', retry_after_secs: null });
  });

  it.each([['status', '399'], ['status', '600'], ['status', ''], ['answer', '-1'], ['answer', 'x'], ['rate_limited', '90000']] as const)('asks nothing with %s %j', (kind, value) => {
    expect(requestOf({ ...firstSimulation([a], 'm'), answers: { a: [{ kind, value }] } })).toBeNull();
  });

  it('asks nothing without a model', () => {
    expect(requestOf(firstSimulation([a], ' '))).toBeNull();
  });
});

describe('the answer of a dry run', () => {
  const run = (part: Partial<DryRun>): DryRun => ({ route: { id: '*', pattern: '*', strategy: 'priority' }, candidates: [], steps: [], attempts: [], policy: { ...retryPolicySchema.parse({}), enabled: true, deadlineMs: 120_000 }, pauseMs: 0, durationMs: 0, ...part });
  const request = { model: 'm', format: 'chat', streamed: true, answers: [], health: 'fresh' } as const;

  it('is told by the sentence of a real request', () => {
    const [t, format] = speak('en');
    const attempts = [attempt({ upstream: 'A', duration_ms: 250 }), attempt({ n: 2, upstream: 'B', started_ms: 250 }), answered({ n: 3, round: 1, upstream: 'A', started_ms: 2_650, pause_ms: 2_000, pause_reason: 'backoff' })];
    const row = rowOf(run({ attempts, pauseMs: 2_000, durationMs: 5_650, steps: [{ kind: 'end', atMs: 5_650, outcome: 'success', status: 200, giveUp: null, code: null, message: null }] }), request);
    expect(row).toMatchObject({ retries: 1, failovers: 1, attempts: 3, upstream: 'A', first_content_ms: 3_450, outcome: 'success' });
    expect(sentenceOf(row, t, format)).toBe('A failed once (503 overloaded or down) and B failed once (503 overloaded or down). Sent again once, after 2 s. Then A answered.');
  });

  it('says why it gave up, and quotes what the tool reads', () => {
    const end = { kind: 'end', atMs: 110_000, outcome: 'failed', status: 503, giveUp: 'deadline', code: 'x', message: 'Overloaded' } as const;
    const [t, format] = speak('en');
    expect(stepWords(end, t, format)).toBe('Gives up: the next retry would have started after the deadline. The tool gets 503. “Overloaded”');
    const [zh, zhFormat] = speak('zh');
    expect(stepWords(end, zh, zhFormat)).toBe('放弃：下一次重试已超出期限。工具收到 503。 “Overloaded”');
  });

  it.each([
    [{ kind: 'failed', atMs: 1, n: 1, upstream: 'A', class: 'auth', code: 'x', status: 401, where: 'head', then: 'failover' }, 'A: 401 key rejected. The next upstream is asked.'],
    [{ kind: 'attempt', atMs: 1, n: 2, round: 0, upstream: 'B', model: 'm', bypass: true }, 'Attempt 2: asks B for m, though it rests, since nobody else is left'],
    [{ kind: 'pause', atMs: 0, endsMs: 8_000, reason: 'retry_after', retry: 1, upstreams: ['A', 'B'] }, 'Waits 8 s (Retry-After), then retry 1 at A and B'],
  ] as const)('says a step', (step, words) => {
    const [t, format] = speak('en');
    expect(stepWords(step, t, format)).toBe(words);
  });
});
