import { isWordCode, runEnd } from './characters.ts';
import { keyInWord } from './shapes.ts';
import { addressSecret, namedSecret, pemSecret, schemeSecret, type Span } from './values.ts';

const COLON = 0x3a;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/**
 * Finds what is a secret by its shape or by what stands in front of it, in order and without overlap. One pass from left to right: whatever
 * is looked at ahead is either part of a secret, and skipped, or within a fixed distance; so the time is linear whoever wrote the text.
 * `cut`: the text may go on behind its end, and what may be the beginning of a secret there counts as one.
 */
export function scanSecrets(text: string, cut: boolean): readonly Span[] {
  const found: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const step = isWordCode(code) ? atWord(text, at, cut)
      : code === COLON || code === EQUALS ? atSeparator(text, at, 1, cut)
      : code === PERCENT ? atPercent(text, at, cut)
      : { next: at + (code === BACKSLASH ? escapeLength(text, at) : 1), found: null };
    if (step.found !== null) found.push(step.found);
    at = step.next;
  }
  return found;
}

interface Step { readonly next: number; readonly found: Span | null }

function past(found: Span): Step {
  return { next: found.to, found };
}

function atWord(text: string, at: number, cut: boolean): Step {
  const end = runEnd(text, at, 'word');
  const pem = text.startsWith('-----BEGIN ', end - 10) && end - 10 >= at ? pemSecret(text, end - 10) : null;
  if (pem !== null) return past(pem);
  const found = schemeSecret(text, at, end, cut) ?? keyInWord(text, at, end, cut);
  return found === null ? { next: end, found } : past(found);
}

function atSeparator(text: string, at: number, length: number, cut: boolean): Step {
  const found = namedSecret(text, at, length, cut) ?? (length === 1 && text.charCodeAt(at) === COLON ? addressSecret(text, at, cut) : null);
  return found === null ? { next: at + length, found } : past(found);
}

// `%3A` and `%3D` are separators inside an address, `%22` a quote; none of them is the beginning of a word.
function atPercent(text: string, at: number, cut: boolean): Step {
  const digits = text.slice(at + 1, at + 3);
  if (/^3[ad]$/i.test(digits)) return atSeparator(text, at, 3, cut);
  return { next: at + (/^[0-9a-f]{2}$/i.test(digits) ? 3 : 1), found: null };
}

// Behind `\n` a new word begins; its letter is part of the escape.
function escapeLength(text: string, at: number): number {
  const next = text[at + 1] ?? '';
  if (next === 'u' && /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))) return 6;
  return 'nrtbf0"\'\\/'.includes(next) && next !== '' ? 2 : 1;
}
