import type { FailurePhase, UpstreamFailure } from '../../../../shared/failure.ts';
import { ruleText, type RuleBook } from '../../core/rules.ts';
import type { AnswerError } from '../../core/wire-format.ts';
import type { AttemptOrder, AttemptReport, Clock, KeptAnswer, Opened, Relayed, Unopened } from '../../ports.ts';
import { startAttemptTimers, type TimeoutCode } from '../attempt-timers.ts';
import { ownFailure, toldFailure } from '../failures.ts';
import type { OwnFailureCode } from '../network-failure.ts';

/** One simulated attempt under way, with the limits of a real one. */
export interface Flight {
  /** Waits until so many ms since its beginning, or until it is cut short; `orLetGo`: or until nothing is held any more. */
  until(ms: number, orLetGo?: 'or_let_go'): Promise<void>;
  /** What cut it short: the client left, or a limit ran out; null when nothing did. */
  cut(where: FailurePhase): UpstreamFailure | null;
  /** Something came that counts. */
  feed(): void;
  own(code: OwnFailureCode, where: FailurePhase): UpstreamFailure;
  /** In the upstream's words, after the user's rules. */
  told(error: AnswerError, where: FailurePhase, body: Uint8Array): UpstreamFailure;
  fail(failure: UpstreamFailure, kept?: KeptAnswer): Unopened;
  open(relay: () => Promise<Relayed>): Opened;
  relayed(end: Relayed['end'], failure: UpstreamFailure | null, firstContentMs: number | null): Relayed;
}

/** Begins one. `sentWhole`: whether the request would have left whole. */
export function startFlight(clock: Clock, ruleBook: RuleBook, order: AttemptOrder, sentWhole: boolean): Flight {
  const startedMs = clock.now();
  const { streamed } = order.arrival;
  const expired = new AbortController();
  let timeout: TimeoutCode | null = null;
  const timers = startAttemptTimers(clock, order, streamed, (code) => {
    timeout = code;
    expired.abort();
  });
  const over = AbortSignal.any([order.gone, expired.signal]);
  const facts = (where: FailurePhase) => ({ order, where, sentWhole, secrets: [] });
  const report = (): AttemptReport => ({ startedMs, endedMs: clock.now(), sentWhole, resent: false, bytes: 0 });
  const own = (code: OwnFailureCode, where: FailurePhase): UpstreamFailure => ownFailure(facts(where), code, null, null);

  return {
    until: (ms, orLetGo) => clock.sleep(startedMs + ms - clock.now(), orLetGo === undefined ? over : AbortSignal.any([over, order.letGo])),
    cut: (where) => (order.gone.aborted ? own('cancelled', where) : timeout === null ? null : own(timeout, where)),
    feed: () => { timers.feed(); },
    own,
    told: (error, where, body) => {
      const failure = toldFailure(facts(where), error);
      const ruled = order.rules.length === 0 ? null : ruleBook.classify(order.rules, { upstreamId: order.upstream.id, status: failure.status ?? 0, body: ruleText(body) });
      return ruled === null ? failure : { ...failure, class: ruled };
    },
    fail: (failure, kept) => {
      timers.clear();
      return { kind: 'unopened', failure, kept: kept ?? null, report: report() };
    },
    open: (relay) => {
      timers.committed();
      return {
        kind: 'opened', status: 200, headers: [], stream: streamed, whole: null,
        relay: async () => {
          const relayed = await relay();
          timers.clear();
          return relayed;
        },
      };
    },
    relayed: (end, failure, firstContentMs) => ({
      end, failure, firstContentMs, facts: { model: order.model ?? order.arrival.model, usage: null, finishReason: null },
      position: { events: 1, sequence: null, responseId: null, model: null }, report: report(),
    }),
  };
}
