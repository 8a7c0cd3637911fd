import type { Span } from './values.ts';

// Shorter ones would blank out ordinary words.
const SHORTEST_SECRET = 6;

/** Finds known secrets by their value, as they are and as JSON and addresses spell them; `cut`: also the beginning of one at the end of the text. */
export function knownSpans(text: string, known: readonly string[], cut: boolean): readonly Span[] {
  const found: Span[] = [];
  for (const secret of known) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const spelled of spellingsOf(secret)) {
      for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + spelled.length)) found.push({ from: at, to: at + spelled.length });
      const left = cut ? beginningAtEnd(text, spelled) : 0;
      if (left > 0) found.push({ from: text.length - left, to: text.length });
    }
  }
  return found;
}

function spellingsOf(secret: string): ReadonlySet<string> {
  // Most are made of these alone and have one spelling. Half a surrogate pair has none in an address.
  if (/^[A-Za-z0-9._~-]*$/.test(secret) || /[\ud800-\udfff]/.test(secret)) return new Set([secret]);
  const json = JSON.stringify(secret).slice(1, -1);
  return new Set([secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret), encodeURI(secret)]);
}

/** How much of the secret's beginning stands at the end of the text; 0 when it is too little to be told. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST_SECRET; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
