import type { TokenCounts } from '../../shared/cost.ts';
import type { GiveUpReason, Outcome, PauseReason, UpstreamFailure } from '../../shared/failure.ts';
import type { AttemptRow, ExchangeDetail, ExchangeRow } from '../../shared/log.ts';
import type { AnswerFacts } from './core/wire-format.ts';
import type { Arrival, AttemptReport } from './ports.ts';
import { shownModel } from './shown-model.ts';

/** What an attempt was, known before it runs. */
export interface AttemptNote {
  readonly n: number;
  readonly round: number;
  readonly upstreamName: string;
  readonly model: string;
  /** The pause before its round, when it is the first attempt there; ms. */
  readonly pausedMs: number | null;
  readonly pauseReason: PauseReason | null;
  readonly queuedMs: number;
  /** Past a breaker or a rest, since nobody else was left (SPEC 9.4). */
  readonly bypass: boolean;
}

/** How it went. */
export interface AttemptResult {
  readonly outcome: AttemptRow['outcome'];
  readonly status: number | null;
  readonly failure: UpstreamFailure | null;
  /** Monotonic ms. */
  readonly firstContentMs: number | null;
  readonly report: AttemptReport;
}

/** How the exchange ended. */
export interface ExchangeEnd {
  readonly outcome: Outcome;
  readonly status: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly giveUp: GiveUpReason | null;
  readonly answerBytes: number;
  readonly leftDuring: NonNullable<ExchangeDetail['left_during']> | null;
}

/** Collects what will be the row of one exchange (SPEC 12.1, 12.2). Holds nothing of a failed attempt but its line in `detail`. */
export interface ExchangeRecord {
  routed(routeId: string): void;
  attempted(note: AttemptNote, result: AttemptResult): void;
  /** The answer that went to the client came from here and says this of itself. */
  answered(upstreamName: string, facts: AnswerFacts, firstContentMs: number | null): void;
  /** The failure handed over came from here. */
  failedAt(upstreamName: string): void;
  paused(tookMs: number): void;
  queued(tookMs: number): void;
  /** How many there were. */
  attempts(): number;
  retries(): number;
  /** The row as it is now; with an end it is done. Times in ms since 1970. */
  row(end: ExchangeEnd | null, nowMs: number): ExchangeRow;
}

// Retrying at once and without limit can make thousands; the beginning and the end tell the story, and `n` shows the gap.
const KEPT_ATTEMPTS = 200;

/** What a row says of the request itself. */
export type Recorded = Pick<Arrival, 'id' | 'atMs' | 'atUtcMs' | 'keyName' | 'client' | 'sessionId' | 'format' | 'path' | 'model' | 'streamed' | 'bodyBytes' | 'clientRetry'>;

/** Cost of an answer in millionths of a dollar, by the first of these models that has a price; null when it has none or the tokens are not told. */
export type CostOf = (models: readonly (string | null)[], tokens: TokenCounts) => number | null;

/** Begins the record of a request; without `costOf` its answer is unpriced. */
export function createRecord(arrival: Recorded, costOf?: CostOf): ExchangeRecord {
  const asked = shownModel(arrival.model);
  const attempts: AttemptRow[] = [];
  // Counted as they come: of a very long row of attempts not every line is kept.
  const counts = { attempts: 0, retries: 0, failovers: 0 };
  let last: AttemptRow | undefined;
  let lastModel: string | null = null;
  let route: string | null = null;
  let upstream: string | null = null;
  let facts: AnswerFacts | null = null;
  let firstContentMs: number | null = null;
  let pauseMs = 0;
  let queuedMs = 0;
  const sinceArrival = (atMs: number) => Math.round(atMs - arrival.atMs);

  return {
    routed: (routeId) => { route = routeId; },
    attempted: (note, result) => {
      const attempt = attemptRow(note, result, arrival.atMs);
      counts.attempts++;
      counts.retries = Math.max(counts.retries, attempt.round);
      if (isFailover(attempt, last)) counts.failovers++;
      last = attempt;
      lastModel = note.model;
      attempts.push(attempt);
      if (attempts.length > KEPT_ATTEMPTS) attempts.splice(KEPT_ATTEMPTS / 2, 1);
    },
    answered: (upstreamName, answerFacts, atMs) => {
      upstream = upstreamName;
      facts = answerFacts;
      firstContentMs = atMs === null ? null : sinceArrival(atMs);
    },
    failedAt: (upstreamName) => { upstream = upstreamName; },
    paused: (tookMs) => { pauseMs += tookMs; },
    queued: (tookMs) => { queuedMs += tookMs; },
    attempts: () => counts.attempts,
    retries: () => counts.retries,
    row: (end, nowMs) => ({
      id: arrival.id,
      started_at: arrival.atUtcMs,
      ended_at: end === null ? null : arrival.atUtcMs + sinceArrival(nowMs),
      state: end === null ? 'in_flight' : 'done',
      outcome: end?.outcome ?? null,
      key_name: arrival.keyName,
      client: arrival.client,
      session_id: arrival.sessionId,
      format: arrival.format,
      path: arrival.path,
      model_asked: asked,
      model_served: shownModel(facts?.model ?? null),
      route,
      upstream,
      streamed: arrival.streamed,
      status: end?.status ?? null,
      error_code: end?.errorCode ?? null,
      error_message: end?.errorMessage ?? null,
      retries: counts.retries,
      attempts: counts.attempts,
      failovers: counts.failovers,
      give_up: end?.giveUp ?? null,
      pause_ms: Math.round(pauseMs),
      queued_ms: Math.round(queuedMs),
      first_content_ms: firstContentMs,
      duration_ms: end === null ? null : sinceArrival(nowMs),
      request_bytes: arrival.bodyBytes,
      answer_bytes: end?.answerBytes ?? 0,
      input_tokens: facts?.usage?.input ?? null,
      output_tokens: facts?.usage?.output ?? null,
      cache_read_tokens: facts?.usage?.cacheRead ?? null,
      cache_write_tokens: facts?.usage?.cacheWrite ?? null,
      reasoning_tokens: facts?.usage?.reasoning ?? null,
      // Named by the answer, else as the upstream was asked for it: a route may have renamed what the client asked for.
      cost_micros: end === null || !facts?.usage || costOf === undefined ? null : costOf([facts.model, lastModel], facts.usage),
      client_retry: arrival.clientRetry,
      detail: {
        ...(counts.retries > 0 ? { retries: counts.retries } : {}),
        attempts: [...attempts],
        ...(end?.leftDuring ? { left_during: end.leftDuring } : {}),
      },
    }),
  };
}

/** Whether an attempt went on to another candidate inside its round (SPEC 0): what began after a pause or a reset did not. */
export function isFailover(attempt: AttemptRow, before: AttemptRow | undefined): boolean {
  return before?.round === attempt.round && attempt.pause_reason === null;
}

function attemptRow(note: AttemptNote, result: AttemptResult, arrivedMs: number): AttemptRow {
  const { failure, report } = result;
  return {
    n: note.n,
    round: note.round,
    upstream: note.upstreamName,
    model: shownModel(note.model),
    started_ms: Math.round(report.startedMs - arrivedMs),
    duration_ms: Math.round(report.endedMs - report.startedMs),
    outcome: result.outcome,
    status: result.status,
    class: failure?.class ?? null,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    where: failure?.where ?? null,
    hint_ms: failure?.hintMs === undefined || failure.hintMs === null ? null : Math.round(failure.hintMs),
    pause_ms: note.pausedMs === null ? null : Math.round(note.pausedMs),
    pause_reason: note.pauseReason,
    queued_ms: Math.round(note.queuedMs),
    first_content_ms: result.firstContentMs === null ? null : Math.round(result.firstContentMs - report.startedMs),
    bytes: report.bytes,
    sent_whole: report.sentWhole,
    resent: report.resent,
    bypass: note.bypass,
  };
}
