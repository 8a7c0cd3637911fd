import type { Affinity } from './affinity.ts';
import { isRetryable } from './core/retry/rounds.ts';
import { replacesKept } from './core/retry/kept.ts';
import type { ChainLink } from './core/retry/kept.ts';
import type { ExchangePolicy } from '../../shared/policy.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Upstream } from '../../shared/upstream.ts';
import type { RetryBudget } from './budget.ts';
import type { AttemptNote, CostOf, ExchangeRecord } from './exchange-record.ts';
import type { Health } from './health.ts';
import type { Pauses } from './pauses.ts';
import type { Slots } from './slots.ts';
import type { Arrival, Clock, Configuration, Journal, Log, Random, Reply, SealMemory, Unopened, Upstreams } from './ports.ts';

/** What the loop is made of. */
export interface ExchangeParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly journal: Journal;
  readonly config: Configuration;
  readonly upstreams: Upstreams;
  readonly budget: RetryBudget;
  readonly pauses: Pauses;
  readonly slots: Slots;
  readonly health: Health;
  readonly affinity: Affinity;
  readonly seals: SealMemory;
  readonly log: Log;
  /** What answers cost; without it nothing is priced. */
  readonly costOf?: CostOf;
}

/** One exchange while it runs: the snapshot of its arrival (SPEC 14) and what it has to remember between attempts. */
export interface ExchangeContext {
  readonly parts: ExchangeParts;
  readonly arrival: Arrival;
  readonly reply: Reply;
  readonly revoked: AbortSignal;
  readonly settings: Settings;
  readonly policy: ExchangePolicy;
  /** Since the arrival; null for streams (SPEC 8.3). */
  readonly hardDeadlineMs: number | null;
  readonly record: ExchangeRecord;
  readonly chain: ChainLink[];
  kept: { readonly answer: Unopened; readonly upstreamName: string } | null;
  transientSeen: boolean;
  lastAttemptMs: number;
  /** Under which name affinity knows its conversation; null when that does not matter. */
  conversation: string | null;
}

/** Books a failed attempt: it becomes what the client will get, unless a weightier failure is kept already (SPEC 10.1). */
export function keepFailure(exchange: ExchangeContext, answer: Unopened, upstream: Upstream, note: AttemptNote): void {
  const { parts, arrival, policy } = exchange;
  const { failure, kept } = answer;
  exchange.transientSeen ||= isRetryable(failure.class, policy.retryOnTimeout);
  const inWords = failure.status === null || kept?.kind === 'stream';
  exchange.chain.push({ upstream: upstream.name, what: inWords ? failure.code.replace(/^connect\./, '') : String(failure.status) });
  if (replacesKept(exchange.kept?.answer.failure.class ?? null, failure.class)) exchange.kept = { answer, upstreamName: upstream.name };
  parts.journal.note({
    kind: 'attempt_failed', id: arrival.id, at: parts.clock.utc(), n: note.n, upstream: upstream.name,
    class: failure.class, code: failure.code, status: failure.status,
  });
}
