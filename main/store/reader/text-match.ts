import type { Condition } from './condition.ts';

// Between the fields, so that nothing is found across two of them; no text that is recorded has it.
const FIELDS = `concat_ws(char(31), model_asked, model_served, path, error_code, error_message, session_id, id, upstream, client)`;
const ATTEMPT_FIELDS = `concat_ws(char(31), value ->> 'upstream', value ->> 'model', value ->> 'code', value ->> 'message')`;

/** Rows that hold a text in a field, or, when there was more than one attempt, in what an attempt says (the only one says the same as the row). Case counts in no script. */
export function holdsText(text: string): Condition {
  const holds = matcherOf(text);
  const fields = holds(FIELDS);
  // The JSON as a whole first: reading it takes longer than passing over it.
  const maybe = matcherOf(JSON.stringify(text).slice(1, -1))('detail');
  const attempts = holds(ATTEMPT_FIELDS);
  return {
    sql: `(${fields.sql} OR (attempts > 1 AND ${maybe.sql} AND EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.attempts') WHERE ${attempts.sql})))`,
    bindings: [...fields.bindings, ...maybe.bindings, ...attempts.bindings],
  };
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
