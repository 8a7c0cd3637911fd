/** What may be shown of a secret (SPEC 2.3): `sk-...abcd`; of a short one only its beginning, of one without a prefix only its end. */
export function secretHint(secret: string): string {
  const prefix = /^[A-Za-z]{1,6}[-_]/.exec(secret)?.[0] ?? '';
  return `${prefix}...${secret.length >= 16 ? secret.slice(-4) : ''}`;
}
