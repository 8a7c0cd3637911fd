import { knownSpans } from './masking/known.ts';
import { isSecretHeader } from './masking/names.ts';
import { scanSecrets } from './masking/scan.ts';
import type { Span } from './masking/values.ts';

export type { Span } from './masking/values.ts';
export { isSecretHeader } from './masking/names.ts';

const MASK = '[masked]';

/** `cut`: the text was cut off at its end, so that what may be the beginning of a secret there counts as one. */
export interface MaskOptions { readonly cut?: boolean }

/**
 * Takes secrets out of a text that is logged, stored or shown (SPEC 12.5): the given ones exactly, however they are spelled in JSON or an
 * address, and whatever looks like one. Pure, and linear in the length of the text.
 */
export function maskSecrets(text: string, known: readonly string[] = [], options: MaskOptions = {}): string {
  return maskSpans(text, secretSpans(text, known, options));
}

/** Where the secrets of a text stand; in no order, and some may overlap. */
export function secretSpans(text: string, known: readonly string[] = [], { cut = false }: MaskOptions = {}): readonly Span[] {
  return [...knownSpans(text, known, cut), ...scanSecrets(text, cut)];
}

/** The value of a header as it may be shown: of a secret one only the scheme stays (SPEC 12.5). */
export function maskHeader(name: string, value: string, known: readonly string[] = []): string {
  if (!isSecretHeader(name)) return maskSecrets(value, known);
  return `${/^(?:bearer|basic|digest|negotiate|aws4-hmac-sha256) /i.exec(value)?.[0] ?? ''}${MASK}`;
}

/** The text with one mask for each of these spans, or for several that touch. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    // Overlaps with the one before: one mask for both.
    if (from < done || (from === done && pieces.length > 0)) {
      done = Math.max(done, to);
      continue;
    }
    pieces.push(text.slice(done, from), MASK);
    done = to;
  }
  return pieces.join('') + text.slice(done);
}
