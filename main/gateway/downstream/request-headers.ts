import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../../shared/format.ts';
import { LOOP_MARK_HEADER } from '../core/loop-mark.ts';
import type { PresentedKey } from './presented-keys.ts';

const ALWAYS = new Set(['content-type', 'accept', 'idempotency-key', 'user-agent']);
const OPENAI = new Set(['x-client-request-id', 'session_id', 'originator']);
const HOP_BY_HOP = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings',
]);
/** What never goes along, even with the client's own credential: it belongs to this hop, to a browser, or to the encoding that was undone. */
const NEVER = new Set(['host', 'origin', 'referer', 'cookie', 'cookie2', 'accept-encoding', 'content-length', 'content-encoding', 'expect', LOOP_MARK_HEADER, '__proto__']);
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key']);

/** The allow-list of SPEC 1.7: what goes upstream of a client's headers, without any credential. */
export function upstreamHeaders(format: FormatName, headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return pick(headers, (name) => ALWAYS.has(name) || ofFormat(format, name));
}

/** All of a client's headers that may go along with its own credential (SPEC 2.4), its own credentials included and nobody else's. */
export function headersWithCredential(headers: IncomingHttpHeaders, own: readonly PresentedKey[]): Readonly<Record<string, string>> {
  const picked = pick(headers, (name) => !NEVER.has(name) && (!CREDENTIALS.has(name) || own.some((key) => key.place === name)));
  const fromQuery = own.find((key) => key.place === 'query');
  // Gemini clients may carry their key in the query, which does not go on.
  return fromQuery !== undefined && picked['x-goog-api-key'] === undefined ? { ...picked, 'x-goog-api-key': fromQuery.value } : picked;
}

function ofFormat(format: FormatName, name: string): boolean {
  switch (format) {
    case 'anthropic': return name.startsWith('anthropic-') && name !== 'anthropic-dangerous-direct-browser-access';
    case 'chat':
    case 'responses': return OPENAI.has(name) || name.startsWith('openai-') || name.startsWith('x-codex-');
    case 'gemini': return name === 'x-goog-api-client';
  }
}

function pick(headers: IncomingHttpHeaders, wanted: (name: string) => boolean): Record<string, string> {
  const named = headers.connection?.toLowerCase().split(',').map((token) => token.trim());
  const picked: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || !wanted(name) || HOP_BY_HOP.has(name) || named?.includes(name) === true) continue;
    picked[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return picked;
}
