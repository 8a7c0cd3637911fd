import type { FormatName } from '../../../shared/format.ts';
import { keyHeader } from '../../../shared/presets.ts';
import type { Upstream } from '../../../shared/upstream.ts';
import { LOOP_MARK_HEADER } from '../core/loop-mark.ts';
import type { Arrival, CredentialLookup } from '../ports.ts';

// The client never decides these, whatever list it came through: framing, routing and decoding are ours.
const OURS = new Set([
  'host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'transfer-encoding', 'content-length', 'te', 'trailer', 'upgrade', 'expect', 'accept-encoding',
  'origin', 'referer', 'cookie',
]);
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);
// What a user may not set either: the library refuses it or the framing breaks.
const NOT_CONFIGURABLE = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'te', 'trailer', 'upgrade', 'expect']);

/** Names the exchange to the demo upstream; sent nowhere else. */
export const DEMO_EXCHANGE_HEADER = 'x-holdfast-demo-exchange';

/**
 * The headers of a request to an upstream (SPEC 1.7, 2.4), lower-case names: what the client may send along, the credential where the format
 * wants it, `accept-encoding: identity`, the mark of the gateways passed (`via`), then what is configured on the upstream, which wins.
 */
export function headersForUpstream(arrival: Arrival, upstream: Upstream, credential: CredentialLookup, via: string | null = null): Record<string, string> {
  const headers: Record<string, string> = {};
  const ownCredential = credential.kind === 'client';
  for (const [name, value] of Object.entries(ownCredential ? arrival.clientHeaders : arrival.headers)) {
    if (!OURS.has(name) && (ownCredential || !CREDENTIALS.has(name))) headers[name] = value;
  }
  if (credential.kind === 'secret') Object.assign(headers, credentialHeader(arrival.format, upstream, credential.value));
  headers['accept-encoding'] = 'identity';
  if (via !== null) headers[LOOP_MARK_HEADER] = via;
  // The built-in demo fails a set number of times per exchange (SPEC 2.8), so it has to know which attempts belong together.
  if (upstream.preset === 'demo') headers[DEMO_EXCHANGE_HEADER] = arrival.id;
  return Object.assign(headers, configuredHeaders(upstream));
}

/** What is configured on the upstream (SPEC 1.7), lower-case names. */
export function configuredHeaders(upstream: Upstream): Record<string, string> {
  const configured = Object.entries(upstream.headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return Object.fromEntries(configured.filter(([name]) => !NOT_CONFIGURABLE.has(name)));
}

/** The header that carries a key where this format and this provider want it. */
export function credentialHeader(format: FormatName, upstream: Upstream, secret: string): Record<string, string> {
  const name = keyHeader(upstream.preset, format);
  return { [name]: name === 'authorization' ? `Bearer ${secret}` : secret };
}
