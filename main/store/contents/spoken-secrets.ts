import { maskSpans, secretSpans, type MaskOptions, type Span } from '../../../shared/mask.ts';

// Where the words of a model stand in its answer. Between two quotes, so that no character is looked at for more than one of them.
const WORDS = /"(?:text|content|delta|partial_json|arguments|thinking|reasoning|reasoning_content|refusal|input)" ?: ?"((?:[^"\\]|\\.){1,4096})"/g;

/**
 * Masks the answer of a model. A secret that it has spoken in several events is one only when they are put together: their words are looked
 * at together as well, and the part that each event has of it is masked there.
 */
export function maskSpoken(text: string, known: readonly string[], options: MaskOptions): string {
  const words = [...text.matchAll(WORDS)].map((found): Span => {
    const to = found.index + found[0].length - 1;
    return { from: to - (found[1] ?? '').length, to };
  });
  const spoken = words.length < 2 ? [] : secretSpans(words.map(({ from, to }) => text.slice(from, to)).join(''), known, options);
  return maskSpans(text, [...secretSpans(text, known, options), ...partsOf(spoken, words)]);
}

/** Spans of the words put together, as spans of the text that each word stands in. */
function partsOf(spoken: readonly Span[], words: readonly Span[]): readonly Span[] {
  const parts: Span[] = [];
  const open = [...spoken].sort((a, b) => a.from - b.from);
  let start = 0;
  let first = 0;
  for (const word of words) {
    const end = start + word.to - word.from;
    while ((open[first]?.to ?? Infinity) <= start) first++;
    for (let n = first; n < open.length; n++) {
      const span = open[n];
      if (span === undefined || span.from >= end) break;
      parts.push({ from: word.from + Math.max(0, span.from - start), to: word.from + Math.min(span.to, end) - start });
    }
    start = end;
  }
  return parts;
}
