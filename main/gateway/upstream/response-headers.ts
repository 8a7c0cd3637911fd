/** Headers of an answer as the library gives them: lower-case names. */
export type RawResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
export type HeaderPairs = readonly (readonly [string, string])[];

const NEVER = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'set-cookie',
]);

// Who may read an answer, and what became of the request here, is for the gateway alone to say (SPEC 1.5, 1.7).
const OURS_TO_SAY = ['access-control-', 'x-holdfast-'];

/** What of the upstream's headers may go to the client (SPEC 1.7): `decoded` drops the encoding and the length, `sameBody` keeps the length. */
export function headersForClient(headers: RawResponseHeaders, body: { readonly decoded: boolean; readonly sameBody: boolean }): HeaderPairs {
  const named = new Set(first(headers['connection'])?.toLowerCase().split(',').map((token) => token.trim()) ?? []);
  const pairs: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NEVER.has(name) || named.has(name) || OURS_TO_SAY.some((start) => name.startsWith(start))) continue;
    if (name === 'content-encoding' && body.decoded) continue;
    if (name === 'content-length' && (body.decoded || !body.sameBody)) continue;
    for (const one of typeof value === 'string' ? [value] : value) pairs.push([name, one]);
  }
  return pairs;
}

/** One text per name, several values joined, as classification reads them. */
export function flatHeaders(headers: RawResponseHeaders): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' || value === undefined ? value : value.join(', ')]));
}

/** The value of a header that should come once. */
export function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}
