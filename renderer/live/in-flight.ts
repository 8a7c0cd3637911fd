import type { ExchangeEvent, InFlight } from '../../shared/events.ts';
import type { AttemptRow, ExchangeRow } from '../../shared/log.ts';

type EventOf<K extends ExchangeEvent['kind']> = Extract<ExchangeEvent, { kind: K }>;

/** A running exchange with what its events have told so far. */
export interface LiveExchange extends InFlight {
  /** The attempt that is being made now. */
  readonly running: EventOf<'attempt_started'> | null;
  /** The pause that ended last and belongs to the next attempt. */
  readonly pauseBefore: EventOf<'pausing'> | null;
}

// As many as the row keeps in the end: the first ones and the last ones.
const KEPT_ATTEMPTS = 200;

/** Everything running, oldest first, by id. */
export type LiveExchanges = ReadonlyMap<string, LiveExchange>;

/** What a late or re-shown window starts from. */
export function fromSnapshot(snapshot: readonly InFlight[]): LiveExchanges {
  const ordered = [...snapshot].sort((a, b) => a.row.started_at - b.row.started_at);
  return new Map(ordered.map((one) => [one.row.id, { ...one, running: null, pauseBefore: null }]));
}

/** Follows events; those of an exchange never heard of are dropped, since its row is missing. */
export function foldInFlight(live: LiveExchanges, events: readonly ExchangeEvent[]): LiveExchanges {
  const next = new Map(live);
  for (const event of events) {
    if (event.kind === 'started') next.set(event.id, { row: event.row, state: 'attempting', upstream: null, retries: 0, pause: null, running: null, pauseBefore: null });
    else if (event.kind === 'finished') next.delete(event.id);
    else {
      const known = next.get(event.id);
      if (known !== undefined) next.set(event.id, step(known, event));
    }
  }
  return next;
}

function step(live: LiveExchange, event: Exclude<ExchangeEvent, { kind: 'started' | 'finished' }>): LiveExchange {
  switch (event.kind) {
    case 'attempt_started': return attemptStarted(live, event);
    case 'attempt_failed': return { ...live, running: null, row: withAttempt(live.row, failedAttempt(live, event)), pauseBefore: null };
    case 'pausing': return { ...live, state: 'pausing', pause: event, running: null };
    case 'pause_ended': return { ...live, state: 'attempting', pause: null, pauseBefore: live.pause };
    case 'queued': return { ...live, state: 'queued' };
    case 'released': return { ...live, state: 'answering', upstream: event.upstream, row: { ...live.row, upstream: event.upstream, first_content_ms: live.row.first_content_ms ?? event.at - live.row.started_at } };
  }
}

function attemptStarted(live: LiveExchange, event: EventOf<'attempt_started'>): LiveExchange {
  const retries = Math.max(live.retries, event.round);
  const paused = live.pauseBefore === null ? 0 : Math.max(0, event.at - live.pauseBefore.started);
  const row = { ...live.row, upstream: event.upstream, retries, attempts: Math.max(live.row.attempts, event.n), pause_ms: live.row.pause_ms + paused };
  return { ...live, state: 'attempting', upstream: event.upstream, retries, pause: null, running: event, row };
}

function failedAttempt(live: LiveExchange, event: EventOf<'attempt_failed'>): AttemptRow {
  const startedAt = live.running?.at ?? event.at;
  return {
    n: event.n, round: live.running?.round ?? live.retries, upstream: event.upstream, model: live.running?.model ?? live.row.model_asked ?? '',
    started_ms: startedAt - live.row.started_at, duration_ms: event.at - startedAt, outcome: 'failed', status: event.status, class: event.class, code: event.code,
    message: null, where: null, hint_ms: null,
    pause_ms: live.pauseBefore === null ? null : Math.max(0, startedAt - live.pauseBefore.started), pause_reason: live.pauseBefore?.reason ?? null,
    queued_ms: 0, first_content_ms: null, bytes: 0, sent_whole: false, resent: false, bypass: false,
  };
}

function withAttempt(row: ExchangeRow, attempt: AttemptRow): ExchangeRow {
  const others = row.detail.attempts.filter((one) => one.n !== attempt.n);
  const kept = others.length < KEPT_ATTEMPTS ? others : others.toSpliced(KEPT_ATTEMPTS / 2, 1);
  return { ...row, attempts: Math.max(row.attempts, attempt.n), detail: { ...row.detail, attempts: [...kept, attempt] } };
}
