const MASK = '[masked]';
// Shorter ones would blank out ordinary words.
const SHORTEST_SECRET = 6;

// Shapes that are a key wherever they stand. Each is linear: no repetition inside a repetition.
const KEY_SHAPES: readonly RegExp[] = [
  /\bhttps?:\/\/[^/\s:@]*:[^/\s@]*@/gi,
  /\b(?:sk|pk|rk|hf|gsk|xai|pplx|csk|fw|nvapi|sess|key|ghp|gho|github_pat|glpat|AKIA|ASIA|r8|hf_)[-_][A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bya29\.[A-Za-z0-9._-]{10,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
];

// What follows one of these names is a secret whatever its shape. The name stays readable.
const AFTER_SCHEME = /\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{4,}/gi;
const AFTER_NAME = /((?:\b|_)(?:key|api[-_]?key|access[-_]?token|refresh[-_]?token|auth[-_]?token|token|password|passwd|secret|client[-_]?secret|x-api-key|x-goog-api-key|api-key|proxy-authorization|authorization|cookie|set-cookie)["']?\s*(?:=|:)\s*)("[^"\r\n]*"|'[^'\r\n]*'|[^\s"'&,;}\])]+)/gi;

/**
 * Takes secrets out of a text that is logged, stored or shown (SPEC 12.5): the given ones exactly, and whatever looks like one.
 * Pure and linear in the length of the text.
 */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of [...known].sort((a, b) => b.length - a.length)) {
    if (secret.length >= SHORTEST_SECRET) masked = masked.replaceAll(secret, MASK);
  }
  masked = masked.replace(AFTER_SCHEME, (_all, scheme: string, gap: string) => `${scheme}${gap}${MASK}`);
  masked = masked.replace(AFTER_NAME, (_all, name: string, value: string) => `${name}${quotedLike(value)}`);
  for (const shape of KEY_SHAPES) masked = masked.replace(shape, (found) => (found.endsWith('@') ? `${found.slice(0, found.indexOf('//') + 2)}${MASK}@` : MASK));
  return masked;
}

// Gateways of others have names of their own for it: `cf-aig-authorization`, `helicone-auth`.
const SECRET_HEADER = /auth|cookie|key|token|secret|passw|credential/i;

/** Whether a header's value must never be written down, judged by its name. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

function quotedLike(value: string): string {
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : '';
  // Masked before: as a whole, or `Bearer [masked]` behind `authorization:`. An unquoted value ends ahead of the bracket.
  if ((quote === '' && /^(bearer|basic)$/i.test(value)) || value.includes(MASK.slice(0, -1))) return value;
  return `${quote}${MASK}${quote}`;
}
