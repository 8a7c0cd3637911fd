// Secrets that are told by what stands in front of them: a name, a scheme, an address, the first line of a PEM block.
import { nameStart, runEnd, skipBlanks, type CharacterClass } from './characters.ts';
import { classOfName, isPlaceholder, takesLine, type NameClass } from './names.ts';
import { looksRandom } from './shapes.ts';

/** Part of a text: from one index to another, which is not in it. */
export interface Span { readonly from: number; readonly to: number }

const LONGEST_NAME = 64;
const LONGEST_SHAPED = 200;
const LONGEST_AUTHORITY = 1_024;
const MOST_BLANKS = 8;
const MOST_BACKSLASHES = 4;
const LEAST_SHAPED = 16;
const LEAST_BEARER = 8;
const ORDINARY = /^(?:authentication|authorization|credentials?|certificates?|required|security|schemes?|strategy)$/i;

/** The value behind the name that ends before the separator at `at` (`sepLength` long), where it is a secret; null where it is none. */
export function namedSecret(text: string, at: number, sepLength: number, cut: boolean): Span | null {
  const { name, inQuery } = nameBefore(text, at);
  const kind = name === '' ? 'no' : classOfName(name);
  if (kind === 'no' || (kind === 'query' && !inQuery)) return null;
  let from = skipBlanks(text, at + sepLength, MOST_BLANKS);
  if (text.startsWith('[masked]', from)) return null;
  if (text[from] === '[') from = skipBlanks(text, from + 1, MOST_BLANKS);
  const quote = quoteAt(text, from);
  if (quote !== null) return judge(text, quotedValue(text, from, quote, kind), kind, true, cut);
  const of: CharacterClass = inQuery ? 'query' : takesLine(name) && text[at] === ':' ? 'line' : 'value';
  let to = runEnd(text, from, of, kind === 'shaped' && !inQuery ? LONGEST_SHAPED + 1 : Infinity);
  // In an address inside an address the next parameter is written so.
  if (inQuery && sepLength > 1) to = Math.min(to, ...['%26', '%23'].map((end) => text.indexOf(end, from)).filter((end) => end >= 0 && end < to));
  if (inQuery) return judge(text, { from, to }, 'always', true, cut);
  const isSentence = (text[at] === ':' && from > at + 1 && !/[-_]/.test(name) && !takesLine(name) && isWordOfSentence(text, from, to)) || text[to] === '(';
  return isSentence ? null : judge(text, { from, to }, kind, false, cut);
}

function judge(text: string, value: Span, kind: NameClass, whole: boolean, cut: boolean): Span | null {
  const scheme = /^(?:bearer|basic|token|digest|negotiate)[ \t]+/i.exec(text.slice(value.from, value.from + 20))?.[0].length ?? 0;
  const span = { from: value.from + scheme, to: value.to };
  const length = span.to - span.from;
  if (length <= 0 || isPlaceholder(text.slice(span.from, Math.min(span.to, span.from + 65)))) return null;
  if (kind === 'always') return whole || length >= 4 || (cut && span.to === text.length) ? span : null;
  if (length < LEAST_SHAPED) return null;
  const isLong = length > LONGEST_SHAPED;
  const shown = text.slice(span.from, isLong ? span.from + LONGEST_SHAPED : span.to);
  // Of a long one the beginning has no `=` but at its end, which would be the next name's: so what is looked at again is no longer than that.
  if (!(isLong ? /^[A-Za-z0-9._~+/-]+={0,2}$/ : /^[A-Za-z0-9._~+/=-]+$/).test(shown) || !looksRandom(shown)) return null;
  return isLong ? { from: span.from, to: runEnd(text, span.from, 'token') } : span;
}

// `password: must be long` says nothing; `password: hunter` at the end of its line does.
function isWordOfSentence(text: string, from: number, to: number): boolean {
  return /^[A-Za-z]?[a-z]*$/.test(text.slice(from, Math.min(to, from + 64))) && text[to] === ' ' && /[a-z]/i.test(text[to + 1] ?? '');
}

function nameBefore(text: string, at: number): { readonly name: string; readonly inQuery: boolean } {
  let to = at;
  while (to > 0 && at - to < 2 && text[to - 1] === ' ') to--;
  if (text[to - 1] === '"' || text[to - 1] === "'") to--;
  while (to > 0 && at - to < MOST_BACKSLASHES + 3 && text[to - 1] === '\\') to--;
  const from = nameStart(text, to, LONGEST_NAME);
  const before = text[from - 1];
  const name = text.slice(from, to);
  if (before === '?' || before === '&') return { name, inQuery: true };
  if (before === '%') return { name: name.slice(2), inQuery: /^(?:3f|26)/i.test(name) };
  // `&amp;` of HTML.
  return { name, inQuery: before === ';' && text.startsWith('&amp', from - 5) };
}

interface Quote { readonly mark: string; readonly backslashes: number }

function quoteAt(text: string, from: number): Quote | null {
  let at = from;
  while (text[at] === '\\' && at - from < MOST_BACKSLASHES) at++;
  const mark = text[at];
  return mark === '"' || mark === "'" ? { mark, backslashes: at - from } : null;
}

// Ends at the same mark behind no more backslashes, at the end of the line, or with the text: one that was cut off has no end.
function quotedValue(text: string, from: number, { mark, backslashes }: Quote, kind: NameClass): Span {
  const start = from + backslashes + 1;
  const last = kind === 'always' ? text.length : Math.min(text.length, start + LONGEST_SHAPED + 1);
  let slashes = 0;
  for (let at = start; at < last; at++) {
    const character = text[at];
    if (character === '\\') slashes++;
    else if (character === mark && (slashes === backslashes || (backslashes === 0 ? slashes % 2 === 0 : slashes < backslashes))) return { from: start, to: backslashes === 0 ? at : at - slashes };
    else if (character === '\n' || character === '\r') return { from: start, to: at };
    else slashes = 0;
  }
  return { from: start, to: last };
}

/** The token behind the word `bearer` or `basic` that ends before `to`; null where prose goes on. */
export function schemeSecret(text: string, from: number, to: number, cut: boolean): Span | null {
  const scheme = to - from === 6 || to - from === 5 ? text.slice(from, to).toLowerCase() : '';
  if (scheme !== 'bearer' && scheme !== 'basic') return null;
  const start = text.startsWith('%20', to) ? to + 3 : text[to] === '+' ? to + 1 : skipBlanks(text, to, MOST_BLANKS);
  if (start === to) return null;
  const end = runEnd(text, start, 'token');
  if (cut && end === text.length && end > start) return { from: start, to: end };
  const token = text.slice(start, Math.min(end, start + 64));
  if (end - start < LEAST_BEARER || ORDINARY.test(token)) return null;
  // "Basic understanding": base64 of a name and a password has more than small letters in it.
  return scheme === 'bearer' || /[A-Z0-9+/=]/.test(token) ? { from: start, to: end } : null;
}

/** User and password in an address whose `://` begins at `at`; null without. */
export function addressSecret(text: string, at: number, cut: boolean): Span | null {
  const slashes = text.startsWith('://', at) ? 3 : text.startsWith(':\\/\\/', at) ? 5 : 0;
  if (slashes === 0) return null;
  const from = at + slashes;
  const last = Math.min(text.length, from + LONGEST_AUTHORITY);
  let to = -1;
  let end = from;
  for (; end < last; end++) {
    const character = text[end] ?? '';
    if (character === '@') to = end;
    else if (/[/\s"<>\\`]/.test(character)) break;
  }
  if (to < 0 && cut && end === text.length && /:(?!\d*$)/.test(text.slice(from, end))) to = end;
  if (to <= from) return null;
  const user = text.slice(from, to);
  return user !== '[masked]' && (user.includes(':') || user.length >= LEAST_SHAPED || looksRandom(user)) ? { from, to } : null;
}

/** The inside of a PEM block with a private key whose `-----BEGIN` begins at `at`; null when it is another one. */
export function pemSecret(text: string, at: number): Span | null {
  const label = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 80))?.[0];
  if (label === undefined) return null;
  const from = at + label.length;
  let to = runEnd(text, from, 'pem');
  // Its own headers (`AES-128-CBC`) have single dashes.
  while (text[to] === '-' && text[to + 1] !== '-' && to < text.length) to = runEnd(text, to + 1, 'pem');
  return to > from ? { from, to } : null;
}
