import type { DryRunStep } from '../../shared/dry-run.ts';
import type { ExchangeEvent } from '../../shared/events.ts';
import type { ExchangeRow } from '../../shared/log.ts';

/** The decisions of an exchange, told from its events. `startedAt` is its arrival in ms since 1970, `said` what the client was told instead of an answer. */
export function dryRunSteps(events: readonly ExchangeEvent[], startedAt: number, said: string | null): { readonly steps: readonly DryRunStep[]; readonly row: ExchangeRow } {
  const end = events.at(-1);
  if (end?.kind !== 'finished') throw new Error('an exchange without an end');
  const { row } = end;
  return { row, steps: events.flatMap((event, index) => stepOf(event, events.slice(index + 1), row, startedAt, said)) };
}

function stepOf(event: ExchangeEvent, later: readonly ExchangeEvent[], row: ExchangeRow, startedAt: number, said: string | null): readonly DryRunStep[] {
  const since = (at: number): number => Math.round(at - startedAt);
  const attemptOf = (n: number) => row.detail.attempts.find((attempt) => attempt.n === n);
  switch (event.kind) {
    case 'attempt_started': return [{ kind: 'attempt', atMs: since(event.at), n: event.n, round: event.round, upstream: event.upstream, model: event.model, bypass: attemptOf(event.n)?.bypass ?? false }];
    case 'attempt_failed': {
      const { at, n, upstream, class: failureClass, code, status } = event;
      return [{ kind: 'failed', atMs: since(at), n, upstream, class: failureClass, code, status, where: attemptOf(n)?.where ?? null, then: whatFollows(later) }];
    }
    case 'pausing': return [{ kind: 'pause', atMs: since(event.started), endsMs: since(event.retry_at), reason: event.reason, retry: event.retry, upstreams: event.upstreams }];
    case 'released': return [{ kind: 'released', atMs: since(event.at), upstream: event.upstream }];
    case 'finished': return [{ kind: 'end', atMs: row.duration_ms ?? 0, outcome: row.outcome ?? 'failed', status: row.status ?? 0, giveUp: row.give_up, code: row.error_code, message: row.outcome === 'success' ? null : said ?? row.error_message }];
    case 'started': case 'pause_ended': case 'queued': return [];
  }
}

function whatFollows(later: readonly ExchangeEvent[]): 'failover' | 'retry' | 'give_up' {
  for (const { kind } of later) {
    if (kind === 'attempt_started') return 'failover';
    if (kind === 'pausing') return 'retry';
    if (kind === 'finished') return 'give_up';
  }
  return 'give_up';
}
