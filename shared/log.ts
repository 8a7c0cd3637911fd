import type { FailureClass, FailurePhase, GiveUpReason, Outcome } from './failure.ts';
import type { FormatName } from './format.ts';

// Records keep the names they have on disk (snake_case), so that a row, its JSON and an export read the same (docs/decisions.md).

/** One attempt inside `detail.attempts` (SPEC 12.2). Times are ms; `started_ms` counts from the arrival. */
export interface AttemptRow {
  readonly n: number;
  /** 0 is the first pass over the candidates. */
  readonly round: number;
  /** Name of the upstream. */
  readonly upstream: string;
  readonly model: string;
  readonly started_ms: number;
  /** Without pause and queue. */
  readonly duration_ms: number;
  readonly outcome: 'answered' | 'failed' | 'truncated' | 'cancelled';
  readonly status: number | null;
  readonly class: FailureClass | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly where: FailurePhase | null;
  readonly hint_ms: number | null;
  /** The pause before this attempt; on the first attempt of a round, else null. */
  readonly pause_ms: number | null;
  /** What that pause waited for. */
  readonly pause_reason: 'backoff' | 'retry_after' | 'rate_limit' | null;
  readonly queued_ms: number;
  /** From the start of the attempt. */
  readonly first_content_ms: number | null;
  /** Bytes received from the upstream's body. */
  readonly bytes: number;
  readonly sent_whole: boolean;
  readonly resent: boolean;
  readonly bypass: boolean;
}

export interface ExchangeDetail {
  /** Stands when the request was sent again in a later round. */
  readonly retries?: number;
  readonly attempts: readonly AttemptRow[];
  /** Where the exchange was when its client left. */
  readonly left_during?: 'queue' | 'attempt' | 'pause' | 'relay';
  /** The client's Idempotency-Key answer was replayed (SPEC 1.9). */
  readonly replayed?: boolean;
}

/** One row of `gateway_logs` (SPEC 12.1): column names are field names; `detail` is stored as JSON text. */
export interface ExchangeRow {
  readonly id: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly state: 'in_flight' | 'done';
  readonly outcome: Outcome | null;
  readonly key_name: string | null;
  readonly client: string | null;
  readonly session_id: string | null;
  readonly format: FormatName;
  readonly path: string;
  readonly model_asked: string | null;
  readonly model_served: string | null;
  readonly route: string | null;
  readonly upstream: string | null;
  readonly streamed: boolean;
  /** What the client got; 499 when it left; null while in flight. */
  readonly status: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly retries: number;
  readonly attempts: number;
  readonly failovers: number;
  readonly give_up: GiveUpReason | null;
  readonly pause_ms: number;
  readonly queued_ms: number;
  readonly first_content_ms: number | null;
  readonly duration_ms: number | null;
  readonly request_bytes: number;
  readonly answer_bytes: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cache_read_tokens: number | null;
  readonly cache_write_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost_micros: number | null;
  readonly client_retry: number | null;
  readonly detail: ExchangeDetail;
}

/** A place in the log; rows are ordered by `started_at`, then by `id`. */
export interface LogCursor { readonly started_at: number; readonly id: string }

/** What the list is narrowed to; every field left out means any. Lists hold 1-50 entries, entries of one field are alternatives, fields are joined by "and". */
export interface LogFilter {
  /** Leaves out rows in flight. */
  readonly outcomes?: readonly Outcome[];
  readonly retriedOnly?: boolean;
  /** Names as recorded. */
  readonly upstreams?: readonly string[];
  /** Asked for or served. */
  readonly models?: readonly string[];
  readonly clients?: readonly string[];
  /** Names of gateway keys. */
  readonly keys?: readonly string[];
  /** 499 counts as 4. */
  readonly statusClasses?: readonly StatusClass[];
  readonly errorCodes?: readonly string[];
  readonly sessionId?: string;
  /** `started_at` is at least this, ms since 1970. */
  readonly from?: number;
  /** `started_at` is below this, ms since 1970. */
  readonly to?: number;
  /** 1-200 characters: found anywhere, without regard to case, in model, path, error code and message, session, id, upstream, client, and in what failed attempts said. */
  readonly text?: string;
}

/** First digit of the status that the client got. */
export type StatusClass = 2 | 4 | 5;

/** Who asks. Views ask independently; inside one view the newest query wins. */
export const LOG_VIEWS = ['requests', 'overview', 'session'] as const;
export type LogView = (typeof LOG_VIEWS)[number];

/** Asks for the rows next to a place: older ones `before` it (the newest without one), or newer ones `after` it. With both, the newest of those between. */
export interface LogQuery {
  readonly view: LogView;
  readonly filter: LogFilter;
  readonly before?: LogCursor;
  readonly after?: LogCursor;
  /** 1-500. */
  readonly limit: number;
}

/** Rows newest first, whichever way they were asked for. */
export interface LogPage {
  /** A search, and a filter of several fields that have few rows in common, may give fewer than asked for (even none) while `next` says where to go on. */
  readonly rows: readonly ExchangeRow[];
  /** Where to go on in the direction asked for (as `before`, or as `after`); null at the end. */
  readonly next: LogCursor | null;
  /** How far a text search is: rows looked at since the newest, of how many. Null without text. */
  readonly scanned: { readonly rows: number; readonly total: number } | null;
  /** A newer query of the same view took its place: there are no rows. */
  readonly superseded: boolean;
}

/** How many rows a filter leaves. */
export interface LogCount {
  readonly rows: number;
  /** False when counting stopped at its limit: at least so many. */
  readonly exact: boolean;
  readonly superseded: boolean;
}

/** Values to choose from in filter menus, newest use first, at most 100 each. */
export interface LogFacets {
  readonly upstreams: readonly string[];
  readonly models: readonly string[];
  readonly clients: readonly string[];
  readonly keys: readonly string[];
  readonly errorCodes: readonly string[];
}
