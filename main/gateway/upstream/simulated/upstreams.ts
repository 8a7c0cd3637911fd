import { assertNever } from '../../../../shared/assert-never.ts';
import type { DryRunRequest, SimulatedAnswer } from '../../../../shared/dry-run.ts';
import { createRuleBook } from '../../core/rules.ts';
import type { AttemptOrder, Clock, Opened, Unopened, Upstreams } from '../../ports.ts';
import { compilePattern } from '../patterns.ts';
import { startFlight, type Flight } from './flight.ts';
import { planOf, type Plan } from './plan.ts';

const WELL: SimulatedAnswer = { kind: 'answer', after_ms: 1_200 };
// Longer than any limit of an attempt.
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER / 2;

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
      const plan = planOf(script[Math.min(turn, script.length - 1)] ?? WELL, order, clock.utc());
      return fly(clock, startFlight(clock, ruleBook, order, plan.kind !== 'own_failure' || plan.sentWhole), order, plan);
    },
  };
}

async function fly(clock: Clock, flight: Flight, order: AttemptOrder, plan: Plan): Promise<Opened | Unopened> {
  switch (plan.kind) {
    case 'own_failure':
      await flight.until(plan.endMs);
      return flight.fail(flight.cut(plan.where) ?? flight.own(plan.code, plan.where));
    case 'silence':
      await flight.until(FOR_EVER_MS);
      return flight.fail(flight.cut('head') ?? flight.own('head.closed', 'head'));
    case 'error_answer': {
      await flight.until(plan.endMs);
      const { status, headers, body, error } = plan;
      return flight.fail(flight.cut('head') ?? flight.told(error, 'head', body), { kind: 'http', status, headers, body, wellFormed: true, cut: false });
    }
    case 'stream_error': return flyIntoError(flight, order, plan);
    case 'answer': case 'breaks': return order.arrival.streamed ? flyStream(clock, flight, plan) : flyWhole(clock, flight, plan);
    default: return assertNever(plan);
  }
}

/** An opening, then an error in the stream. What is not held has gone out, and the error follows it (SPEC 6.1). */
async function flyIntoError(flight: Flight, order: AttemptOrder, plan: Extract<Plan, { kind: 'stream_error' }>): Promise<Opened | Unopened> {
  await flight.until(plan.openingMs);
  flight.feed();
  await flight.until(plan.endMs, 'or_let_go');
  const cut = flight.cut('opening');
  if (cut !== null) return flight.fail(cut);
  const failure = flight.told(plan.error, 'opening', plan.bytes);
  if (!order.letGo.aborted) return flight.fail(failure, { kind: 'stream', status: 200, headers: [['content-type', 'text/event-stream']], body: plan.bytes, wellFormed: true, cut: false });
  return flight.open(async () => {
    await flight.until(plan.endMs);
    return order.gone.aborted ? flight.relayed('gone', null, null) : flight.relayed('error_event', failure, null);
  });
}

type AnswerPlan = Extract<Plan, { kind: 'answer' | 'breaks' }>;

/** Opens at the first content, or when nothing is held any more. */
async function flyStream(clock: Clock, flight: Flight, plan: AnswerPlan): Promise<Opened | Unopened> {
  await flight.until(plan.openingMs);
  flight.feed();
  await flight.until(plan.contentMs, 'or_let_go');
  const early = flight.cut('opening');
  if (early !== null) return flight.fail(early);
  return flight.open(async () => {
    await flight.until(plan.contentMs);
    const firstContentMs = clock.now();
    flight.feed();
    await flight.until(plan.endMs);
    const cut = flight.cut('after_content');
    if (cut !== null) return cut.class === 'cancelled' ? flight.relayed('gone', null, firstContentMs) : flight.relayed('cut', cut, firstContentMs);
    return plan.kind === 'breaks' ? flight.relayed('cut', flight.own('stream_broken', 'after_content'), firstContentMs) : flight.relayed('complete', null, firstContentMs);
  });
}

/** Held to its end, so that a break in it can be cured (SPEC 5.7). */
async function flyWhole(clock: Clock, flight: Flight, plan: AnswerPlan): Promise<Opened | Unopened> {
  await flight.until(plan.endMs);
  const cut = flight.cut('body');
  if (cut !== null) return flight.fail(cut);
  if (plan.kind === 'breaks') return flight.fail(flight.own('body_broken', 'body'));
  return flight.open(() => Promise.resolve(flight.relayed('complete', null, clock.now())));
}
