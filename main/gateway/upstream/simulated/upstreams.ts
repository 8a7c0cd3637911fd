import type { DryRunRequest, SimulatedAnswer } from '../../../../shared/dry-run.ts';
import type { UpstreamFailure } from '../../../../shared/failure.ts';
import { createRuleBook, ruleText, type RuleBook } from '../../core/rules.ts';
import type { AttemptOrder, AttemptReport, Clock, KeptAnswer, Opened, Relayed, Unopened, Upstreams } from '../../ports.ts';
import { startAttemptTimers, type TimeoutCode } from '../attempt-timers.ts';
import { ownFailure, toldFailure, type FailureFacts } from '../failures.ts';
import type { OwnFailureCode } from '../network-failure.ts';
import { compilePattern } from '../patterns.ts';
import { planOf, type Plan } from './plan.ts';

const WELL: SimulatedAnswer = { kind: 'answer', after_ms: 1_200 };

/** Upstreams that do what they are told, attempt after attempt, the last answer for ever; nothing is sent (SPEC 9.6). */
export function createSimulatedUpstreams(clock: Clock, answers: DryRunRequest['answers']): Upstreams {
  const ruleBook = createRuleBook(compilePattern);
  const asked = new Map<string, number>();
  return {
    open: (order) => {
      const { id } = order.upstream;
      const turn = asked.get(id) ?? 0;
      asked.set(id, turn + 1);
      const script = answers.find((one) => one.upstream === id)?.answers ?? [];
      const answer = script[Math.min(turn, script.length - 1)] ?? WELL;
      return openPlanned(clock, ruleBook, order, planOf(answer, order, clock.utc()));
    },
  };
}

/** One attempt: it opens at the first content, or as soon as nothing is held any more and something has come (SPEC 6.1). */
async function openPlanned(clock: Clock, ruleBook: RuleBook, order: AttemptOrder, plan: Plan): Promise<Opened | Unopened> {
  const startedMs = clock.now();
  const expired = new AbortController();
  let timeout: TimeoutCode | null = null;
  const timers = startAttemptTimers(clock, order, order.arrival.streamed, (code) => {
    timeout = code;
    expired.abort();
  });
  const over = AbortSignal.any([order.gone, expired.signal]);
  const until = (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(startedMs + ms - clock.now(), signal);
  const report = (): AttemptReport => ({ startedMs, endedMs: clock.now(), sentWhole: plan.kind !== 'own_failure' || plan.sentWhole, resent: false, bytes: 0 });
  const facts = (where: FailureFacts['where']): FailureFacts => ({ order, where, sentWhole: report().sentWhole, secrets: [] });
  const own = (code: OwnFailureCode, where: FailureFacts['where']): UpstreamFailure => ownFailure(facts(where), code, null, null);
  const ruled = (failure: UpstreamFailure, body: Uint8Array): UpstreamFailure => {
    const ruledClass = order.rules.length === 0 ? null : ruleBook.classify(order.rules, { upstreamId: order.upstream.id, status: failure.status ?? 0, body: ruleText(body) });
    return ruledClass === null ? failure : { ...failure, class: ruledClass };
  };
  const fail = (failure: UpstreamFailure, kept: KeptAnswer | null = null): Unopened => {
    timers.clear();
    return { kind: 'unopened', failure, kept, report: report() };
  };
  /** What became of it when it was cut short; null when it was not. */
  const cut = (): UpstreamFailure | null => (order.gone.aborted ? own('cancelled', 'head') : timeout === null ? null : own(timeout, 'head'));
  const open = (relay: () => Promise<Relayed>): Opened => {
    timers.committed();
    return {
      kind: 'opened', status: 200, headers: [['content-type', order.arrival.streamed ? 'text/event-stream' : 'application/json']], stream: order.arrival.streamed, whole: null,
      relay: async () => {
        const relayed = await relay();
        timers.clear();
        return relayed;
      },
    };
  };
  const relayed = (end: Relayed['end'], failure: UpstreamFailure | null, firstContentMs: number | null): Relayed => ({
    end, failure, firstContentMs, facts: { model: order.model ?? order.arrival.model, usage: null, finishReason: null },
    position: { events: 1, sequence: null, responseId: null, model: null }, report: report(),
  });

  switch (plan.kind) {
    case 'own_failure':
      await until(plan.endMs, over);
      return fail(cut() ?? own(plan.code, plan.where));
    case 'silence':
      await until(Number.MAX_SAFE_INTEGER / 2, over);
      return fail(cut() ?? own('head.closed', 'head'));
    case 'error_answer': {
      await until(plan.endMs, over);
      const { status, headers, body } = plan;
      return fail(cut() ?? ruled(toldFailure(facts('head'), plan.error), body), { kind: 'http', status, headers, body, wellFormed: true, cut: false });
    }
    case 'stream_error': {
      await until(plan.openingMs, over);
      await until(plan.endMs, AbortSignal.any([over, order.letGo]));
      const early = cut();
      if (early !== null) return fail(early);
      const failure = ruled(toldFailure(facts('opening'), plan.error), plan.bytes);
      // Nothing more could be tried: the opening has gone out, and the error follows it.
      if (order.letGo.aborted) {
        return open(async () => {
          await until(plan.endMs, over);
          return relayed(order.gone.aborted ? 'gone' : 'error_event', order.gone.aborted ? null : failure, null);
        });
      }
      return fail(failure, { kind: 'stream', status: 200, headers: [['content-type', 'text/event-stream']], body: plan.bytes, wellFormed: true, cut: false });
    }
    case 'answer': case 'breaks': {
      const { streamed } = order.arrival;
      await until(plan.openingMs, over);
      if (streamed) timers.feed();
      // A whole answer is held to its end, so that a break in it can be cured.
      await until(streamed ? plan.contentMs : plan.endMs, streamed ? AbortSignal.any([over, order.letGo]) : over);
      const early = cut();
      if (early !== null) return fail(early);
      if (!streamed && plan.kind === 'breaks') return fail(own('body_broken', 'body'));
      return open(async () => {
        await until(plan.contentMs, over);
        const firstContentMs = clock.now();
        timers.feed();
        await until(plan.endMs, over);
        if (order.gone.aborted) return relayed('gone', null, firstContentMs);
        if (timeout !== null) return relayed('cut', own(timeout, 'after_content'), firstContentMs);
        return plan.kind === 'breaks' ? relayed('cut', own('stream_broken', 'after_content'), firstContentMs) : relayed('complete', null, firstContentMs);
      });
    }
  }
}
