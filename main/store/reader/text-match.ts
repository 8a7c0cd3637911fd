import { FAILURE_CLASSES, FAILURE_PHASES, PAUSE_REASONS } from '../../../shared/failure.ts';
import type { AttemptRow, ExchangeDetail } from '../../../shared/log.ts';
import { allOf, type Condition } from './condition.ts';

// Between the fields, so that nothing is found across two of them; no text that is recorded has it.
const FIELDS = `concat_ws(char(31), model_asked, model_served, path, error_code, error_message, session_id, id, upstream, client)`;

/** Rows that hold a text in a field, or, when there was more than one attempt, in what an attempt says (the only one says the same as the row). Case counts in no script. */
export function holdsText(text: string): Condition {
  const holds = matcherOf(text);
  const fields = holds(FIELDS);
  const attempts = heldByAttempts(text, holds('atom'));
  return { sql: `(${fields.sql} OR (attempts > 1 AND ${attempts.sql}))`, bindings: [...fields.bindings, ...attempts.bindings] };
}

// The JSON as a whole first: reading it takes ten times as long as passing over it. Most texts can stand in it only as what an attempt says, and then
// it is read only where an escape might have been taken for a letter.
function heldByAttempts(text: string, said: Condition): Condition {
  const inJson = matcherOf(JSON.stringify(text).slice(1, -1))('detail');
  const read: Condition = { sql: `EXISTS (SELECT 1 FROM json_tree(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.attempts') WHERE key IN ('upstream', 'model', 'code', 'message') AND ${said.sql})`, bindings: said.bindings };
  return allOf([inJson, isOnlySaid(text) ? { sql: `(instr(detail, '\\') = 0 OR ${read.sql})`, bindings: read.bindings } : read]);
}

const KEYS: Readonly<Record<keyof AttemptRow | keyof ExchangeDetail, true>> = {
  n: true, round: true, upstream: true, model: true, started_ms: true, duration_ms: true, outcome: true, status: true, class: true, code: true, message: true, where: true, hint_ms: true, pause_ms: true,
  pause_reason: true, queued_ms: true, first_content_ms: true, bytes: true, sent_whole: true, resent: true, bypass: true, retries: true, attempts: true, left_during: true, replayed: true,
};
const OUTCOMES: Readonly<Record<AttemptRow['outcome'] | NonNullable<ExchangeDetail['left_during']>, true>> = { answered: true, failed: true, truncated: true, cancelled: true, queue: true, attempt: true, pause: true, relay: true };
// What stands in every detail, whoever said what.
const OWN_WORDS = [...Object.keys(KEYS), ...Object.keys(OUTCOMES), ...FAILURE_CLASSES, ...FAILURE_PHASES, ...PAUSE_REASONS, 'true', 'false', 'null'];
const NUMBER_OR_SIGNS = /^[\d.e+-]+$|["\\:,{}[\]]/i;

function isOnlySaid(text: string): boolean {
  const lower = text.toLowerCase();
  return !NUMBER_OR_SIGNS.test(text) && !OWN_WORDS.some((word) => word.includes(lower));
}

function matcherOf(text: string): (subject: string) => Condition {
  const letters = Array.from(text);
  const foreign = letters.find((letter) => letter > '\u007f' && casesOf(letter).length > 1);
  // LIKE knows the two cases of A-Z alone, and is fast.
  if (foreign === undefined) return (subject) => ({ sql: `${subject} LIKE ? ESCAPE '\\'`, bindings: [`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`] });
  const pattern = `*${letters.map((letter) => inClass(casesOf(letter))).join('')}*`;
  const first = casesOf(foreign);
  return (subject) => ({
    sql: `((${first.map(() => `${subject} LIKE ?`).join(' OR ')}) AND ${subject} GLOB ?)`,
    bindings: [...first.map((letter) => `%${letter}%`), pattern],
  });
}

function casesOf(letter: string): readonly string[] {
  // A case that is written with several letters (ß, SS) is another word.
  return [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter((one) => Array.from(one).length === 1);
}

function inClass(letters: readonly string[]): string {
  return letters.length > 1 || /[*?[]/.test(letters[0] ?? '') ? `[${letters.join('')}]` : letters.join('');
}
