// Character classes as tables: the scan looks at every character of a body, and a lookup is the cheapest look there is.

const WORD = tableOf(/[A-Za-z0-9_-]/);
const NAME = tableOf(/[A-Za-z0-9_.-]/);
const TOKEN = tableOf(/[A-Za-z0-9._~+/=-]/);
// What ends a value that stands without quotes; in a URL only `&`, `#` and what no URL holds.
const VALUE_END = tableOf(/[\s"'`,;&<>()\]}\\]/);
const QUERY_END = tableOf(/[\s"'`&#<>\\]/);
const LINE_END = tableOf(/[\r\n"'`\\]/);
const PEM = tableOf(/[A-Za-z0-9+/=\s\\:,]/);

function tableOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** What a character may be part of: a word of a key, a name, a token behind a scheme, the body of a PEM block, or none of a value's ends. */
export type CharacterClass = 'word' | 'name' | 'token' | 'pem' | 'value' | 'query' | 'line';

const TABLES: Readonly<Record<CharacterClass, { readonly table: Uint8Array; readonly inside: 0 | 1 }>> = {
  word: { table: WORD, inside: 1 }, name: { table: NAME, inside: 1 }, token: { table: TOKEN, inside: 1 }, pem: { table: PEM, inside: 1 },
  value: { table: VALUE_END, inside: 0 }, query: { table: QUERY_END, inside: 0 }, line: { table: LINE_END, inside: 0 },
};

/** Whether this UTF-16 unit can be part of a key. */
export function isWordCode(code: number): boolean {
  return WORD[code] === 1;
}

/** Where a run of characters of one class ends that begins at `from`; `from` itself when there is none, at most `most` later. */
export function runEnd(text: string, from: number, of: CharacterClass, most = Infinity): number {
  const { table, inside } = TABLES[of];
  const last = Math.min(text.length, from + most);
  let at = from;
  // Beyond ASCII everything is inside what is only named by its ends, and nothing else.
  while (at < last && (table[text.charCodeAt(at)] ?? 0) === inside) at++;
  return at;
}

/** Where the name begins that ends before `to`; `to` itself without one. Looks back at most `most` characters. */
export function nameStart(text: string, to: number, most: number): number {
  let at = to;
  while (at > 0 && to - at < most && NAME[text.charCodeAt(at - 1)] === 1) at--;
  return at;
}

/** Skips blanks, at most `most`. */
export function skipBlanks(text: string, from: number, most: number): number {
  let at = from;
  while (at < text.length && at - from < most && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}
