// SPEC 4, 7, 9: every combination of failures over two and three upstreams, on real sockets, against a table of its own.
import { describe, expect, it } from 'vitest';
import type { ExchangeRow } from '../../../shared/log.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { answersWith, failsWith, overloadsInStream } from '../../support/answers/index.ts';
import type { Script } from '../../support/scripted-upstream.ts';
import { startWholeGateway } from '../../support/whole-gateway.ts';
import { ATTEMPT_LIMIT_MS, BEHAVIOURS, PAUSE_MS, expected, type Behaviour, type Expected } from './reference.ts';

const settings: Partial<Settings> = {
  'gateway.affinity': 'off',
  'gateway.retry_preset': 'custom',
  'gateway.retry_policy': { ...defaultSettings()['gateway.retry_policy'], baseMs: PAUSE_MS, jitter: 0, maxAttempts: 2, attemptTimeoutMs: ATTEMPT_LIMIT_MS },
  // Each exchange is to be judged by itself.
  'gateway.breaker': { ...defaultSettings()['gateway.breaker'], enabled: false },
  'gateway.retry_budget': { ...defaultSettings()['gateway.retry_budget'], enabled: false },
};
const NAMES = ['a', 'b', 'c'] as const;

async function aRig() {
  const candidates = NAMES.map((upstream) => ({ upstream, model: null }));
  const routes = [2, 3].map((count) => ({ id: `of-${count}`, pattern: `of-${count}`, strategy: 'priority' as const, candidates: candidates.slice(0, count), policy: null }));
  const gateway = await startWholeGateway({ settings, upstreams: NAMES, routes });
  let behaviours: readonly Behaviour[] = [];
  let streamed = true;
  let hanging = 0;
  const scripts: Readonly<Record<Behaviour, Script>> = {
    ok: answersWith('hello'), 503: failsWith(503), 429: failsWith(429, { 'retry-after': '5' }), 401: failsWith(401), 404: failsWith(404),
    reset: (call) => { call.reset(); },
    hang: () => { hanging++; },
    overload: (call) => (streamed ? overloadsInStream()(call) : call.answer(200, { 'content-type': 'application/json' }, JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }))),
  };
  NAMES.forEach((name, place) => { gateway.upstream(name).otherwise((call) => scripts[behaviours[place] ?? 'ok'](call)); });

  /** Sends one request and moves time on wherever it waits, until it has ended. */
  const send = async (given: readonly Behaviour[], asStream: boolean): Promise<ExchangeRow> => {
    behaviours = given;
    streamed = asStream;
    hanging = 0;
    let hung = 0;
    let next = gateway.events.length;
    const answer = gateway.post('/v1/messages', { model: `of-${given.length}`, max_tokens: 9, stream: asStream, messages: [{ role: 'user', content: 'hi' }] }).then((response) => response.text());
    for (;;) {
      await gateway.when(() => gateway.events.length > next);
      const event = gateway.events[next++]!;
      if (event.kind === 'finished') {
        await answer;
        return event.row;
      }
      if (event.kind === 'pausing') await gateway.clock.advance(PAUSE_MS);
      if (event.kind === 'attempt_started' && given[NAMES.indexOf(event.upstream.toLowerCase() as 'a')] === 'hang') {
        hung++;
        while (hanging < hung) await new Promise<void>((resolve) => { setImmediate(resolve); });
        await gateway.clock.advance(ATTEMPT_LIMIT_MS);
      }
    }
  };
  return { send };
}

function told(row: ExchangeRow): Expected {
  return {
    attempts: row.detail.attempts.map((attempt) => `${attempt.upstream}${attempt.round} ${attempt.class ?? 'ok'}`),
    outcome: row.outcome as Expected['outcome'], status: row.status ?? 0, giveUp: row.give_up as Expected['giveUp'], upstream: row.upstream ?? '',
  };
}

const two = BEHAVIOURS.flatMap((first) => BEHAVIOURS.map((second) => [first, second] as const));
const three = two.flatMap((pair) => BEHAVIOURS.map((third) => [...pair, third] as const));

describe.each([['streamed', true], ['whole', false]] as const)('%s', (_name, streamed) => {
  it.each([['two', two], ['three', three]] as const)('%s upstreams, each in every state: attempts, outcome, status and reason are those of the table', async (_count, combinations) => {
    const { send } = await aRig();
    const differences: string[] = [];
    for (const combination of combinations) {
      const is = JSON.stringify(told(await send(combination, streamed)));
      const should = JSON.stringify(expected(combination, streamed));
      if (is !== should) differences.push(`${combination.join(' ')}\n  is     ${is}\n  should ${should}`);
    }
    expect(differences.slice(0, 20).join('\n')).toBe('');
    expect(combinations.length).toBe(8 ** (combinations[0]?.length ?? 0));
  }, 120_000);
});
