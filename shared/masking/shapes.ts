// What is a key wherever it stands, told by how it looks.
import { runEnd } from './characters.ts';

interface KeyShape {
  readonly prefix: string;
  /** The fewest characters behind the prefix. */
  readonly least: number;
  /** Also an ordinary word may begin like this: what follows has to look random. Looked for at the beginning of a word only. */
  readonly weak?: true;
  /** What the characters behind the prefix have to be, judged on the first `least` of them. */
  readonly only?: RegExp;
  /** Parts joined by dots belong to it; the first is followed by one. */
  readonly dotted?: true;
}

const strong = (least: number, ...prefixes: readonly string[]): KeyShape[] => prefixes.map((prefix) => ({ prefix, least }));
const weak = (...prefixes: readonly string[]): KeyShape[] => prefixes.map((prefix) => ({ prefix, least: 12, weak: true }));

const SHAPES: readonly KeyShape[] = [
  ...strong(8, 'sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_', 'gsk_', 'nvapi-'),
  ...strong(8, 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'xoxb-', 'xoxp-', 'xoxa-', 'xoxs-', 'xoxr-', 'xapp-', 'dop_v1_', 'AGE-SECRET-KEY-'),
  ...strong(20, 'AIza', 'ATATT3', 'ABSK'),
  ...weak('sk-', 'pk-', 'rk-', 'hf-', 'hf_', 'xai-', 'pplx-', 'csk-', 'fw-', 'fw_', 'sess-', 'r8_', 'npm_', 'pypi-', 'tvly-', 'lsv2_', 'key-'),
  { prefix: 'AKIA', least: 16, only: /^[A-Z0-9]+$/ },
  { prefix: 'ASIA', least: 16, only: /^[A-Z0-9]+$/ },
  { prefix: 'dapi', least: 32, only: /^[0-9a-f]+$/ },
  { prefix: 'eyJ', least: 8, dotted: true },
  { prefix: 'ya29', least: 0, dotted: true },
  { prefix: 'SG', least: 0, dotted: true },
  { prefix: 'AQ', least: 0, dotted: true },
];

const BY_FIRST = new Map<number, readonly KeyShape[]>();
for (const shape of SHAPES) BY_FIRST.set(shape.prefix.charCodeAt(0), [...(BY_FIRST.get(shape.prefix.charCodeAt(0)) ?? []), shape]);
const SHORTEST = 6;
// A dot also ends sentences and joins the parts of a name.
const LEAST_DOTTED = 16;

/**
 * Finds a key inside the word from `from` to `to`: where it begins and ends, null without one. A dotted one may end behind the word. `cut`:
 * the text may go on behind its end. Each part of the word is looked at a bounded number of times.
 */
export function keyInWord(text: string, from: number, to: number, cut: boolean): { readonly from: number; readonly to: number } | null {
  const couldBeShort = text[to] === '.' || (cut && to === text.length);
  if (to - from < SHORTEST && !couldBeShort) return null;
  for (let at = from; at < to; at++) {
    if (at !== from && text[at - 1] !== '-' && text[at - 1] !== '_') continue;
    for (const shape of BY_FIRST.get(text.charCodeAt(at)) ?? []) {
      if (at !== from && (shape.weak === true || shape.dotted === true)) continue;
      if (!text.startsWith(shape.prefix, at) || at + shape.prefix.length > to) continue;
      const end = shape.dotted === true ? dottedEnd(text, at + shape.prefix.length, to, shape, cut) : to;
      if (end !== null && fits(text, at + shape.prefix.length, end, shape, cut)) return { from: at, to: end };
    }
  }
  return null;
}

function fits(text: string, from: number, to: number, shape: KeyShape, cut: boolean): boolean {
  if (shape.dotted === true) return true;
  // What would have followed nobody knows.
  if (cut && to === text.length && to > from) return true;
  if (to - from < shape.least) return false;
  if (shape.only !== undefined) return shape.only.test(text.slice(from, from + shape.least));
  return shape.weak !== true || looksRandom(text.slice(from, to));
}

function dottedEnd(text: string, from: number, to: number, shape: KeyShape, cut: boolean): number | null {
  if (cut && to === text.length && shape.least > 0 && to > from) return to;
  if (to - from < shape.least || (shape.least === 0 && to !== from) || text[to] !== '.') return null;
  const second = runEnd(text, to + 1, 'word');
  if (second - to - 1 < (shape.least === 0 ? LEAST_DOTTED : 4)) return cut && second === text.length ? second : null;
  return text[second] === '.' ? runEnd(text, second + 1, 'word') : second;
}

/** Whether a word was made by chance rather than by a writer: one of its parts is long, or mixes letters and digits as no word does. */
export function looksRandom(word: string): boolean {
  return word.split(/[-_./+=~]/).some((part) => part.length >= 20
    || (part.length >= 12 && /[A-Za-z]/.test(part) && /[0-9]/.test(part))
    || (part.length >= 8 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /[0-9]/.test(part)));
}
