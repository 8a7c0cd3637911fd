import { httpDateMs } from './http-date.ts';
import { asArray, asObject, asText } from './value.ts';

/** Longer hints are absurd and ignored (SPEC 8.4), ms. */
const MAX_HINT_MS = 86_400_000;

const DECIMAL = /^\d+(?:\.\d+)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** One amount with its unit; `ms` and words before single letters, or `m` would take them. */
const AMOUNT = String.raw`\d+(?:\.\d+)?\s*(?:milliseconds?|minutes?|seconds?|hours?|mins?|secs?|ms|s|m|h)(?![a-z])`;
const DURATION = new RegExp(String.raw`^(?:${AMOUNT}\s*)+$`, 'i');
const IN_WORDS = new RegExp(String.raw`\b(?:try again|retry) (?:in|after)\s+((?:${AMOUNT}\s*)+)`, 'i');

/** `6m0s`, `34.07s`, `900ms`, `2 seconds` as ms, rounded up; null when it is no duration. */
export function durationMs(text: string): number | null {
  const wanted = text.trim();
  if (!DURATION.test(wanted)) return null;
  let totalMs = 0;
  for (const [, amount, unit] of wanted.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) totalMs += Number(amount) * (UNIT_MS[unitOf(unit ?? '')] ?? 0);
  return ceilMs(totalMs);
}

function unitOf(word: string): string {
  const unit = word.toLowerCase();
  return unit === 'ms' || unit.startsWith('milli') ? 'ms' : unit.slice(0, 1);
}

/** Never earlier than asked, but without the dust of floating point. */
function ceilMs(ms: number): number {
  return Math.ceil(ms - 1e-6);
}

/** The hint when it counts: more than zero and at most 24 hours. */
function counting(ms: number | null): number | null {
  return ms !== null && ms > 0 && ms <= MAX_HINT_MS ? ms : null;
}

/** What headers (lower-case names) say of when to ask again, ms from `utcMs`: `retry-after-ms`, then `retry-after` (SPEC 8.4). Null when nothing that counts. */
export function headerHintMs(headers: Readonly<Record<string, string | undefined>>, utcMs: number): number | null {
  return counting(decimalMs(headers['retry-after-ms'], 1)) ?? counting(retryAfterMs(headers['retry-after'], utcMs));
}

function decimalMs(text: string | undefined, unitMs: number): number | null {
  const wanted = text?.trim() ?? '';
  return DECIMAL.test(wanted) ? ceilMs(Number(wanted) * unitMs) : null;
}

function retryAfterMs(text: string | undefined, utcMs: number): number | null {
  if (text === undefined) return null;
  const atMs = httpDateMs(text);
  return atMs === null ? decimalMs(text, 1_000) : atMs - utcMs;
}

/** What an error body says of when to ask again: `error.details[].retryDelay`, then "try again in 1.2s" in its message (SPEC 8.4), ms. Null when nothing that counts. */
export function bodyHintMs(value: unknown): number | null {
  const body = asObject(Array.isArray(value) ? value[0] : value);
  const holder = asObject(asObject(body?.['response'])?.['error']) ?? asObject(body?.['error']) ?? body;
  for (const detail of asArray(holder?.['details'])) {
    const delay = asText(asObject(detail)?.['retryDelay']);
    const hintMs = delay === null ? null : counting(durationMs(delay));
    if (hintMs !== null) return hintMs;
  }
  const message = asText(holder?.['message']) ?? asText(body?.['error']) ?? asText(body?.['detail']) ?? '';
  const words = IN_WORDS.exec(message)?.[1];
  return words === undefined ? null : counting(durationMs(words));
}
