import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ExchangeEvent } from '../../../shared/events.ts';
import type { AttemptRow } from '../../../shared/log.ts';
import type { BreakerPhase } from '../core/routing/breaker.ts';
import { isRetryable } from '../core/retry/rounds.ts';
import { isFailover } from '../exchange-record.ts';

/** What the metrics look at besides the events of exchanges. */
export interface MetricSources {
  budgetTokens(): number;
  inFlight(): number;
  /** Log rows lost since the start (SPEC 12.3). */
  rowsDropped(): number;
  breakers(): readonly { readonly provider: string; readonly phase: BreakerPhase }[];
}

export interface Metrics {
  note(event: ExchangeEvent): void;
  /** Prometheus text (SPEC 16). */
  text(): Promise<string>;
}

// From a quick error to the longest answer a client waits for.
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const PHASES: readonly BreakerPhase[] = ['closed', 'half_open', 'open'];

/** Counts what SPEC 16 names, from the rows that exchanges end with. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({ name: 'gateway_requests_total', help: 'Requests that have ended.', labelNames: ['format', 'outcome'], registers });
  const attempts = new Counter({ name: 'gateway_upstream_attempts_total', help: 'Requests sent to upstreams.', labelNames: ['provider', 'result'], registers });
  const retries = new Counter({ name: 'gateway_provider_retry_total', help: 'Attempts in a round after the first.', labelNames: ['provider'], registers });
  const fallbacks = new Counter({ name: 'gateway_provider_fallback_total', help: 'Attempts that followed a failure of another candidate in the same round.', labelNames: ['provider'], registers });
  const duration = new Histogram({ name: 'gateway_request_duration_seconds', help: 'From the arrival to the end.', buckets: SECONDS, registers });
  const firstContent = new Histogram({ name: 'gateway_first_content_seconds', help: 'From the arrival to the first content.', buckets: SECONDS, registers });
  const pauses = new Counter({ name: 'gateway_pause_seconds_total', help: 'Time spent in pauses.', registers });
  new Gauge({ name: 'gateway_retry_budget_tokens', help: 'Tokens left for retries.', registers, collect() { this.set(sources.budgetTokens()); } });
  new Gauge({ name: 'gateway_in_flight', help: 'Requests that are running.', registers, collect() { this.set(sources.inFlight()); } });
  new Gauge({ name: 'gateway_log_rows_dropped_total', help: 'Rows of the log that were lost.', registers, collect() { this.set(sources.rowsDropped()); } });
  new Gauge({
    name: 'gateway_breaker_state', help: '0 closed, 1 half-open, 2 open.', labelNames: ['provider'], registers,
    collect() {
      this.reset();
      for (const { provider, phase } of sources.breakers()) this.set({ provider }, PHASES.indexOf(phase));
    },
  });

  return {
    text: () => registry.metrics(),
    note: (event) => {
      if (event.kind !== 'finished') return;
      const { row } = event;
      requests.inc({ format: row.format, outcome: row.outcome ?? 'failed' });
      duration.observe((row.duration_ms ?? 0) / 1_000);
      if (row.first_content_ms !== null) firstContent.observe(row.first_content_ms / 1_000);
      pauses.inc(row.pause_ms / 1_000);
      for (const [index, attempt] of row.detail.attempts.entries()) {
        const provider = attempt.upstream;
        attempts.inc({ provider, result: resultOf(attempt) });
        if (attempt.round > 0) retries.inc({ provider });
        if (isFailover(attempt, row.detail.attempts[index - 1])) fallbacks.inc({ provider });
      }
    },
  };
}

function resultOf(attempt: AttemptRow): 'success' | 'retryable_error' | 'error' {
  if (attempt.outcome === 'answered') return 'success';
  return attempt.class !== null && attempt.outcome === 'failed' && isRetryable(attempt.class, false) ? 'retryable_error' : 'error';
}
