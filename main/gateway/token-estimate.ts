import { answerAtHand } from './answer-at-hand.ts';
import type { Arrival, Opened } from './ports.ts';

// Four bytes a token is the rule of thumb of every provider; clients use the number to decide when to compact, not to pay.
const BYTES_PER_TOKEN = 4;

/** A local estimate in the shape of the client's format, marked as one (SPEC 7.9). */
export function countedAnswer(arrival: Arrival, nowMs: number): Opened {
  const tokens = Math.max(1, Math.ceil(arrival.bodyBytes / BYTES_PER_TOKEN));
  const body = new TextEncoder().encode(JSON.stringify(arrival.format === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens }));
  return answerAtHand(200, [['content-type', 'application/json'], ['content-length', String(body.length)], ['x-holdfast-estimated', 'true']], body, nowMs);
}
