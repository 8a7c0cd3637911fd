// What happened, in one plain sentence, made from the row alone (UI.md, detail drawer).
import { describe, expect, it } from 'vitest';
import { billedOf, maybeBilled, missingAttempts, sentenceOf } from '../../renderer/requests/sentence.ts';
import type { ExchangeRow } from '../../shared/log.ts';
import { GIVE_UP_REASONS, OUTCOMES } from '../../shared/failure.ts';
import { answered, attempt, exchange, retriedRow, running } from './support/rows.ts';
import { speak } from './support/words.ts';

const told = retriedRow([1_900, 4_300], { outcome: 'answered' });
const CASES: readonly { readonly name: string; readonly row: ExchangeRow; readonly en: string; readonly zh: string }[] = [
  { name: 'answered at once', row: exchange(), en: 'Answered by anthropic at the first try.', zh: 'anthropic 一次应答成功。' },
  { name: 'rescued by retries', row: told,
    en: 'anthropic failed 2 times (503 overloaded or down). Sent again 2 times, after 1.9 s and 4.3 s. Then anthropic answered.',
    zh: 'anthropic 失败 2 次（503 过载或暂不可用）。重试 2 次，分别等待 1.9 秒、4.3 秒。随后 anthropic 应答成功。' },
  { name: 'rescued by one retry at the time the upstream named', row: retriedRow([8_000], { outcome: 'answered', pause_reason: 'retry_after' }),
    en: 'anthropic failed once (503 overloaded or down). Sent again once, after 8 s (Retry-After). Then anthropic answered.',
    zh: 'anthropic 失败 1 次（503 过载或暂不可用）。重试 1 次，等待 8 秒（Retry-After）。随后 anthropic 应答成功。' },
  { name: 'that failed in different ways', row: exchange({ retries: 2, attempts: 4, pause_ms: 6_000, detail: { retries: 2, attempts: [attempt({ status: 529 }), attempt({ n: 2, round: 1, pause_ms: 2_000, pause_reason: 'backoff' }), attempt({ n: 3, round: 1 }), answered({ n: 4, round: 2, pause_ms: 4_000, pause_reason: 'rate_limit' })] } }),
    en: 'anthropic failed 3 times (overloaded or down: 529, 503 × 2). Sent again 2 times, after 2 s and 4 s (rate limit). Then anthropic answered.',
    zh: 'anthropic 失败 3 次（过载或暂不可用：529、503 × 2）。重试 2 次，分别等待 2 秒、4 秒（限流）。随后 anthropic 应答成功。' },
  { name: 'rescued by failover', row: exchange({ failovers: 1, attempts: 2, upstream: 'openai', detail: { attempts: [attempt({ class: 'auth', status: 401 }), answered({ n: 2, upstream: 'openai' })] } }),
    en: 'anthropic failed once (401 key rejected), so the next upstream was asked. openai answered instead.',
    zh: 'anthropic 失败 1 次（401 密钥被拒），已故障转移到下一个上游。改由 openai 应答成功。' },
  { name: 'given up at the deadline', row: retriedRow([2_000, 4_000, 8_000, 16_000, 16_000], {}, { outcome: 'failed', status: 503, give_up: 'deadline', first_content_ms: null }),
    en: 'anthropic failed 6 times (503 overloaded or down). Sent again 5 times, after 46 s of pauses in all. Then it gave up: the next retry would have started after the deadline. The last error from anthropic went to the client.',
    zh: 'anthropic 失败 6 次（503 过载或暂不可用）。重试 5 次，共等待 46 秒。随后放弃：下一次重试已超出期限。anthropic 的最后错误已返回客户端。' },
  { name: 'not retried', row: exchange({ outcome: 'failed', status: 400, give_up: 'not_transient', detail: { attempts: [attempt({ status: 400, class: 'request', code: 'invalid_request_error' })] } }),
    en: 'Failed at anthropic (400 request rejected). Not retried: sending it again would not have cured it.',
    zh: 'anthropic 失败（400 请求被拒）。未重试：重发也无济于事。' },
  { name: 'left in a pause', row: exchange({ outcome: 'cancelled', status: 499, duration_ms: 6_200, attempts: 1, detail: { left_during: 'pause', attempts: [attempt()] } }),
    en: 'The client left after 6.2 s, during a pause; nothing was sent after that.', zh: '客户端在等待重试时离开（6.2 秒后），此后未再发送。' },
  { name: 'left in the last of many pauses', row: retriedRow([2_000, 2_000, 2_000, 2_000, 2_000], {}, { outcome: 'cancelled', status: 499, pause_ms: 19_000, duration_ms: 21_400, detail: { ...retriedRow([2_000, 2_000, 2_000, 2_000, 2_000], {}).detail, left_during: 'pause' } }),
    en: 'anthropic failed 6 times (503 overloaded or down). Sent again 5 times, after 10 s of pauses in all. The client left after 21.4 s, during a pause; nothing was sent after that.',
    zh: 'anthropic 失败 6 次（503 过载或暂不可用）。重试 5 次，共等待 10 秒。客户端在等待重试时离开（21.4 秒后），此后未再发送。' },
  { name: 'sent again on a new connection', row: exchange({ detail: { attempts: [answered({ resent: true })] } }),
    en: 'Answered by anthropic at the first try. One attempt was sent again on a new connection before any answer had come.', zh: 'anthropic 一次应答成功。有 1 次尝试在收到应答前换新连接重发。' },
  { name: 'cut off', row: exchange({ outcome: 'truncated', detail: { attempts: [answered({ outcome: 'truncated' })] } }),
    en: 'The answer of anthropic broke off in the middle. Part of it had already gone out, so it was not sent again.', zh: 'anthropic 的应答中途断开。部分内容已输出，因此没有重试。' },
  { name: 'refused', row: exchange({ outcome: 'refused', status: 404, error_code: 'model_not_found', attempts: 0, upstream: null, detail: { attempts: [] } }),
    en: 'Refused by the gateway with 404 (model_not_found); no upstream was asked.', zh: '网关以 404（model_not_found）拒绝了请求，未询问任何上游。' },
  { name: 'interrupted', row: exchange({ outcome: 'interrupted', detail: { attempts: [] } }), en: 'Holdfast ended while this request was running.', zh: '请求进行时 Holdfast 意外退出。' },
  { name: 'sent again by the tool itself', row: exchange({ client_retry: 2 }), en: 'Answered by anthropic at the first try. The tool itself had sent this request 2 times before.', zh: 'anthropic 一次应答成功。该工具自身此前已发送过 2 次。' },
  { name: 'that stood in line', row: exchange({ queued_ms: 3_200 }), en: 'It stood in line for 3.2 s. Answered by anthropic at the first try.', zh: '排队 3.2 秒。anthropic 一次应答成功。' },
  { name: 'still running', row: running(), en: 'Still running.', zh: '仍在进行中。' },
];

describe('the sentence of an exchange', () => {
  it.each(CASES)('tells of one $name in English', ({ row, en }) => {
    expect(sentenceOf(row, ...speak('en'))).toBe(en);
  });

  it.each(CASES)('tells of one $name in Chinese', ({ row, zh }) => {
    expect(sentenceOf(row, ...speak('zh'))).toBe(zh);
  });

  it.each(['en', 'zh'] as const)('never shows a bare key or a hole in %s, whatever the outcome and the reason', (language) => {
    for (const outcome of OUTCOMES) for (const give_up of [...GIVE_UP_REASONS, null]) for (const base of [told, exchange({ attempts: 0, detail: { attempts: [] } })]) {
      const text = sentenceOf({ ...base, outcome, give_up, upstream: 'a' }, ...speak(language));
      expect(text).not.toMatch(/sentence\.|give_up\.|failure\.|\{\{|undefined|null/);
      expect(text.length).toBeGreaterThan(5);
    }
  });

  it('says of every attempt whose request went out whole that it may be billed, but not of the answer', () => {
    expect([attempt(), attempt({ sent_whole: false }), answered()].map(maybeBilled)).toEqual([true, false, false]);
  });

  it('says how many attempts may be billed, and that it knows only some of thousands', () => {
    const [t] = speak('en');
    expect([billedOf(exchange(), t), billedOf(retriedRow([2_000], { outcome: 'answered' }), t), billedOf(retriedRow([2_000, 4_000], { outcome: 'answered' }), t)]).toEqual(['', 'The provider may have billed one attempt without a whole answer.', 'The provider may have billed 2 attempts without a whole answer.']);
    const thousands = exchange({ attempts: 1_000, detail: { attempts: [attempt(), attempt({ n: 1_000 })] } });
    expect([missingAttempts(thousands), missingAttempts(told), missingAttempts(exchange({ attempts: 0, detail: { attempts: [] } }))]).toEqual([998, 0, 0]);
    expect(billedOf(thousands, t)).toBe('The provider may have billed 2 or more attempts without a whole answer.');
  });
});
