import { createRecord } from './exchange-record.ts';
import type { FormatName } from '../../shared/format.ts';
import type { Clock, Journal } from './ports.ts';

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

/** Reports a refused request as a row of its own, which has no beginning. How many of them are kept is the journal's matter (SPEC 12.4). */
export function noteRefusal(refused: Refused, clock: Clock, journal: Journal): void {
  const nowMs = clock.now();
  const record = createRecord({ ...refused, atMs: nowMs, keyName: null, sessionId: null, model: null, streamed: false, bodyBytes: 0, clientRetry: null });
  const row = record.row({ outcome: 'refused', status: refused.status, errorCode: refused.code, errorMessage: refused.message, giveUp: null, answerBytes: 0, leftDuring: null }, nowMs);
  journal.note({ kind: 'finished', id: refused.id, row });
}
