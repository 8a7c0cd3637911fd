import { createRecord } from './exchange-record.ts';
import type { FormatName } from '../../shared/format.ts';
import type { Clock, Journal, Log } from './ports.ts';

/** A request that was turned away before it became an exchange. */
export interface Refused {
  readonly id: string;
  readonly atUtcMs: number;
  readonly format: FormatName;
  readonly path: string;
  readonly client: string | null;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

// A hostile page must not be able to fill the log (SPEC 12.4).
const ROWS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Writes refused requests as rows, at most 60 a minute; the rest is counted and told once a minute. */
export function createRefusalLog(clock: Clock, journal: Journal, log: Log): (refused: Refused) => void {
  let minuteBeganMs = clock.now();
  let seen = 0;
  return (refused) => {
    const nowMs = clock.now();
    if (nowMs - minuteBeganMs >= MINUTE_MS) {
      if (seen > ROWS_PER_MINUTE) log.warn('refused requests left out of the log', { count: seen - ROWS_PER_MINUTE });
      minuteBeganMs = nowMs;
      seen = 0;
    }
    seen++;
    if (seen > ROWS_PER_MINUTE) return;
    const record = createRecord({ ...refused, atMs: nowMs, keyName: null, sessionId: null, model: null, streamed: false, bodyBytes: 0, clientRetry: null });
    const row = record.row({ outcome: 'refused', status: refused.status, errorCode: refused.code, errorMessage: refused.message, giveUp: null, answerBytes: 0, leftDuring: null }, nowMs);
    journal.note({ kind: 'finished', id: refused.id, row });
  };
}
